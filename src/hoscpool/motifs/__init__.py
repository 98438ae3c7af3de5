"""Motif adjacency matrices, counts and instances of any graph."""

from hoscpool.motifs.adjacency import Engine as Engine
from hoscpool.motifs.adjacency import is_listed as is_listed
from hoscpool.motifs.adjacency import motif_adjacencies, motif_adjacency, motif_count, motif_instances
from hoscpool.motifs.catalog import MOTIFS as MOTIFS
from hoscpool.motifs.catalog import Motif, get_motif, list_motifs, motif_name, register_motif
from hoscpool.motifs.counting.closed_forms import CLOSED_FORMS as CLOSED_FORMS
from hoscpool.motifs.counting.closed_forms import as_closed_forms as as_closed_forms
from hoscpool.motifs.counting.closed_forms import edge_form as edge_form
from hoscpool.motifs.counting.counts import Counts as Counts
from hoscpool.motifs.counting.counts import exact_sum as exact_sum
from hoscpool.motifs.counting.listing import check_reducer as check_reducer
from hoscpool.motifs.counting.listing import weigh_instances as weigh_instances
from hoscpool.motifs.counting.matcher import MAX_SECONDS as MAX_SECONDS
from hoscpool.motifs.counting.orbits import ORBITS as ORBITS
from hoscpool.motifs.counting.orbits import orbit_counts as orbit_counts
from hoscpool.motifs.counting.skeleton import csr as csr
from hoscpool.motifs.counting.skeleton import index_kind as index_kind
from hoscpool.motifs.counting.skeleton import triangle_scratch as triangle_scratch
from hoscpool.motifs.counting.supports import bit_matrix as bit_matrix
from hoscpool.motifs.export import check_place as check_place
from hoscpool.motifs.export import check_target as check_target
from hoscpool.motifs.export import to_torch as to_torch
from hoscpool.motifs.export import write_matrix as write_matrix
from hoscpool.motifs.instances import iterate_instances as iterate_instances
from hoscpool.motifs.relations import automorphisms as automorphisms
from hoscpool.motifs.relations import of_same_shape as of_same_shape

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
