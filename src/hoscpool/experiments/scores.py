"""Every number that a clustering cell records about its labels."""

from __future__ import annotations

from typing import Any

from hoscpool import metrics
from hoscpool.graph import Graph

DIGITS = 6


def clustering_scores(graph: Graph, labels: Any, n_clusters: int, motif: str = "triangle") -> dict[str, float]:
    """Agreement with the classes, quality on the graph, and sizes.

    Both ways to average conductance are there: the mean over clusters, and Σ cut / Σ vol (``_share``), which is most
    likely what the paper's Table 7 shows.
    """
    y, sizes = graph.labels, metrics.size_statistics(labels, n_clusters)
    values = {
        "nmi": metrics.nmi(y, labels),
        "ari": metrics.ari(y, labels),
        "homogeneity": metrics.homogeneity(y, labels),
        "completeness": metrics.completeness(y, labels),
        "accuracy": metrics.accuracy(y, labels),
        "modularity": metrics.modularity(graph, labels),
        "conductance": metrics.conductance(graph, labels),
        "conductance_share": metrics.conductance(graph, labels, average="volume"),
        "motif_conductance": metrics.motif_conductance(graph, labels, motif),
        "motif_conductance_share": metrics.motif_conductance(graph, labels, motif, average="volume"),
        "n_clusters": sizes.n_clusters,
        "live_clusters": sizes.live,
        "largest_share": sizes.largest_share,
    }
    return {name: value if isinstance(value, int) else round(float(value), DIGITS) for name, value in values.items()}
