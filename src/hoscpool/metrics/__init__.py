"""How good a clustering is: compared with known classes, by the graph's edges and motifs, and by cluster sizes."""

from hoscpool.metrics.agreement import accuracy, ari, completeness, homogeneity, nmi
from hoscpool.metrics.conductance import conductance, motif_conductance
from hoscpool.metrics.higher_order import higher_order_clustering
from hoscpool.metrics.labels import number_clusters as number_clusters
from hoscpool.metrics.modularity import modularity
from hoscpool.metrics.sizes import SizeStatistics, cluster_sizes, size_statistics

__all__ = [
    "SizeStatistics",
    "accuracy",
    "ari",
    "cluster_sizes",
    "completeness",
    "conductance",
    "higher_order_clustering",
    "homogeneity",
    "modularity",
    "motif_conductance",
    "nmi",
    "size_statistics",
]
