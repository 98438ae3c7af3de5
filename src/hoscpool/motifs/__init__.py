"""Motif adjacency matrices, counts and instances of any graph."""

from hoscpool.motifs.adjacency import motif_adjacencies, motif_adjacency, motif_count, motif_instances
from hoscpool.motifs.catalog import Motif, get_motif, list_motifs, motif_name, register_motif

__all__ = [
    "Motif",
    "get_motif",
    "list_motifs",
    "motif_adjacencies",
    "motif_adjacency",
    "motif_count",
    "motif_instances",
    "motif_name",
    "register_motif",
]
