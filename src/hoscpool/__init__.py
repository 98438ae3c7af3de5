"""HoscPool: higher-order graph clustering and pooling.

Names are imported on first use, so that ``import hoscpool`` and ``hoscpool --help`` are fast.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hoscpool import classify as classify
    from hoscpool import datasets as datasets
    from hoscpool import distributed as distributed
    from hoscpool import metrics as metrics
    from hoscpool import motifs as motifs
    from hoscpool import nn as nn
    from hoscpool import objectives as objectives
    from hoscpool import plot as plot
    from hoscpool import science as science
    from hoscpool.classify import GraphClassifier as GraphClassifier
    from hoscpool.cluster import HoscClustering as HoscClustering
    from hoscpool.cluster import MotifSpectralClustering as MotifSpectralClustering
    from hoscpool.cluster import select_k as select_k
    from hoscpool.graph import Graph as Graph
    from hoscpool.graph import as_graph as as_graph
    from hoscpool.motifs import Motif as Motif
    from hoscpool.motifs import list_motifs as list_motifs
    from hoscpool.motifs import motif_adjacencies as motif_adjacencies
    from hoscpool.motifs import motif_adjacency as motif_adjacency
    from hoscpool.motifs import motif_count as motif_count
    from hoscpool.motifs import motif_instances as motif_instances
    from hoscpool.report import explore as explore
    from hoscpool.report import find_communities
    from hoscpool.science import graphlet_degrees as graphlet_degrees
    from hoscpool.science import local_cluster as local_cluster
    from hoscpool.science import motif_profile as motif_profile
    from hoscpool.science import node_motif_counts as node_motif_counts
    from hoscpool.science import to_hypergraph as to_hypergraph

    cluster = find_communities  # what the module does when it is called, for type checkers

__version__ = "0.2.0"

_EXPORTS = {
    "GraphClassifier": "hoscpool.classify",
    "HoscClustering": "hoscpool.cluster",
    "MotifSpectralClustering": "hoscpool.cluster",
    "select_k": "hoscpool.cluster",
    "Graph": "hoscpool.graph",
    "as_graph": "hoscpool.graph",
    "Motif": "hoscpool.motifs",
    "list_motifs": "hoscpool.motifs",
    "motif_adjacencies": "hoscpool.motifs",
    "motif_adjacency": "hoscpool.motifs",
    "motif_count": "hoscpool.motifs",
    "motif_instances": "hoscpool.motifs",
    "explore": "hoscpool.report",
    "graphlet_degrees": "hoscpool.science",
    "local_cluster": "hoscpool.science",
    "motif_profile": "hoscpool.science",
    "node_motif_counts": "hoscpool.science",
    "to_hypergraph": "hoscpool.science",
}
_MODULES = (
    "classify",
    "cluster",
    "datasets",
    "distributed",
    "metrics",
    "motifs",
    "nn",
    "objectives",
    "plot",
    "science",
)

__all__ = ["__version__", *_EXPORTS, *_MODULES]


def __getattr__(name: str) -> Any:
    if name in _EXPORTS:
        return getattr(importlib.import_module(_EXPORTS[name]), name)
    if name in _MODULES:
        return importlib.import_module(f"hoscpool.{name}")
    raise AttributeError(f"module 'hoscpool' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
