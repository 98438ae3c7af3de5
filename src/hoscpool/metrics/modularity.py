"""Modularity."""

from __future__ import annotations

from typing import Any

import numpy as np

from hoscpool.metrics.labels import association, number_clusters, read_undirected, volume


def modularity(graph: Any, labels: Any, *, resolution: float = 1.0) -> float:
    r"""Newman's modularity: the share of edges inside clusters, minus the share expected by chance.

    .. math::
        Q = \sum_k \frac{\mathrm{assoc}_k}{2m} - \gamma \left(\frac{\mathrm{vol}_k}{2m}\right)^2

    Args:
        graph: A `Graph` or anything that `as_graph` takes. Edge weights count; directions are ignored, with a warning.
        labels: Cluster of every node, whole numbers or text, ``[N]``.
        resolution: γ; larger values prefer smaller clusters.

    Returns:
        A number in [−0.5, 1) for γ = 1; 0 without edges.

    Raises:
        ValueError: The number of labels is wrong, or a label is NaN or a fraction.

    Examples:
        >>> import networkx as nx
        >>> round(modularity(nx.barbell_graph(4, 0), [0, 0, 0, 0, 1, 1, 1, 1]), 3)
        0.423
    """
    graph = read_undirected(graph, "modularity")
    cluster, count = number_clusters(labels, graph.num_nodes)
    share = volume(graph.adjacency, cluster, count)
    total = share.sum()  # 2m
    if total == 0:
        return 0.0
    inside = association(graph.adjacency, cluster, count)
    return float(inside.sum() / total - resolution * np.sum((share / total) ** 2))
