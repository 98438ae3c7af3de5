"""Questions of network science: motif profiles, counts of nodes, hypergraphs."""

from hoscpool.science.hypergraph import MotifHypergraph, to_hypergraph
from hoscpool.science.local_cluster import LocalCluster, local_cluster
from hoscpool.science.node_counts import graphlet_degrees, node_motif_counts
from hoscpool.science.profile import motif_profile

__all__ = [
    "LocalCluster",
    "MotifHypergraph",
    "graphlet_degrees",
    "local_cluster",
    "motif_profile",
    "node_motif_counts",
    "to_hypergraph",
]
