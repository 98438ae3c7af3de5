"""Cut and uncut motif instances of every cluster, counted exactly without listing them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from hoscpool.graph import Graph, as_graph, in_mean_weights
from hoscpool.metrics.labels import association, number_clusters, read_undirected, volume
from hoscpool.motifs import (
    Engine,
    Motif,
    check_reducer,
    get_motif,
    is_listed,
    iterate_instances,
    motif_adjacency,
    motif_count,
    weigh_instances,
)

Array = npt.NDArray[np.float64]
Clusters = npt.NDArray[np.int32]


def motif_cut_and_volume(
    graph: Graph, cluster: Clusters, count: int, motif: Motif, induced: bool, weights: str | None = None
) -> tuple[Array, Array]:
    """cut_M and vol_M of every cluster, Eq. (2), each ``[K]``.

    For motifs of up to three nodes both follow from the motif adjacency. It is used for directed motifs, and where all
    its entries lie on edges. Otherwise instances are counted with and without the edges at a cluster's border, or
    listed if the motif has no closed form or its instances have weights.
    """
    weights = weights if graph.is_weighted else None
    if not motif.is_directed and motif.name not in ("edge", "triangle"):
        graph = read_undirected(graph, motif.name)
    if is_listed(motif, induced):
        return _from_instances(graph, cluster, count, motif, induced, weights)
    if motif.num_nodes < 4 and (motif.is_directed or motif.name in ("edge", "triangle")):
        return _from_matrix(graph, cluster, count, motif, induced, weights)
    if weights is not None:
        return _from_instances(graph, cluster, count, motif, induced, weights)
    return _from_counts(graph, cluster, count, motif, induced)


def _from_matrix(
    graph: Graph, cluster: Clusters, count: int, motif: Motif, induced: bool, weights: str | None
) -> tuple[Array, Array]:
    r"""For |M| = 2 or 3. On the right, cut and vol are those of the graph of the motif adjacency.

    .. math::
        \mathrm{cut}_M = \tfrac{1}{|M| - 1} \mathrm{cut}, \quad \mathrm{vol}_M = \tfrac{1}{|M| - 1} \mathrm{vol}
    """
    matrix = motif_adjacency(graph, motif, induced=induced, weights=weights)
    vol = volume(matrix, cluster, count)
    cut = np.maximum(vol - association(matrix, cluster, count), 0)
    return cut / (motif.num_nodes - 1), vol / (motif.num_nodes - 1)


def _from_counts(graph: Graph, cluster: Clusters, count: int, motif: Motif, induced: bool) -> tuple[Array, Array]:
    """cut_M(S) is the number of instances lost without the edges between S and the rest: motifs are connected."""
    engine = Engine(graph)
    total = engine.total(motif, induced)
    source = np.repeat(cluster, graph.degree)
    target = cluster[graph.indices]
    kept = [motif_count(_keep(graph, (source == k) == (target == k)), motif, induced=induced) for k in range(count)]
    vol = np.bincount(cluster, engine.at_nodes(motif, induced), count)
    return np.array([total - uncut for uncut in kept], dtype=np.float64), np.asarray(vol, dtype=np.float64)


def _from_instances(
    graph: Graph, cluster: Clusters, count: int, motif: Motif, induced: bool, weights: str | None
) -> tuple[Array, Array]:
    """Every instance is cut once for each of its clusters, unless it has only one."""
    cut, vol, adjacency = np.zeros(count), np.zeros(count), graph.adjacency
    for instances in iterate_instances(graph, motif, induced):
        values = np.ones(len(instances)) if weights is None else weigh_instances(adjacency, instances, motif, weights)
        members = np.sort(cluster[instances[:, motif.members]], axis=1)  # [n, |M|]
        every = np.broadcast_to(values[:, None], members.shape)
        vol += np.bincount(members.ravel(), every.ravel(), minlength=count)
        is_divided = members[:, 0] != members[:, -1]
        divided, every = members[is_divided], every[is_divided]
        is_first = np.diff(divided, axis=1, prepend=-1) != 0  # of its cluster in the instance
        cut += np.bincount(divided[is_first], every[is_first], minlength=count)
    return cut, vol


def _keep(graph: Graph, edges: npt.NDArray[np.bool_]) -> Graph:
    """The graph with only some of its edges, and no features, labels or names."""
    before = np.concatenate([[0], np.cumsum(edges, dtype=np.int64)])
    return Graph(before[graph.indptr], graph.indices[edges], is_directed=graph.is_directed)


@overload
def conductance(graph: Any, labels: Any, *, average: str = ...) -> float: ...
@overload
def conductance(graph: Any, labels: Any, *, average: None) -> Array: ...
def conductance(graph: Any, labels: Any, *, average: str | None = "mean") -> float | Array:
    r"""The share of every cluster's volume that is cut: the normalised cut, Eq. (1) of the paper.

    .. math::
        \phi_k = \frac{\mathrm{cut}(\mathcal{S}_k, \bar{\mathcal{S}_k})}{\mathrm{vol}(\mathcal{S}_k)}, \quad
        \mathrm{cut} = \sum_{i \in \mathcal{S}_k, j \notin \mathcal{S}_k} A_{ij}, \quad
        \mathrm{vol} = \sum_{i \in \mathcal{S}_k, j} A_{ij}

    Small is good. But a single cluster has 0, so look at `size_statistics` too. Clusters without volume do not count.

    Args:
        graph: A `Graph` or anything that `as_graph` takes. Edge weights count; directions are ignored, with a warning.
        labels: Cluster of every node, whole numbers or text, ``[N]``; numbers may have gaps.
        average: ``"mean"``: the mean of φ_k over the clusters, in [0, 1]. ``"sum"``: Eq. (1) itself. ``"volume"``: the
            mean weighted by volume, Σ cut / Σ vol, which is the share of edges between clusters. The paper's Table 7
            most likely shows this one, because its collapsed clusterings are near 0. ``None``: every φ_k, in the
            order of the labels, NaN without volume.

    Returns:
        A number, 0 without edges. For ``average=None`` an array ``[K]``.

    Raises:
        ValueError: The number of labels is wrong, a label is NaN or a fraction, or ``average`` is unknown.

    Examples:
        >>> import networkx as nx
        >>> round(conductance(nx.barbell_graph(4, 0), [0, 0, 0, 0, 1, 1, 1, 1]), 3)  # 1 of 13
        0.077
    """
    combine = _combination(average)
    graph = read_undirected(graph, "conductance")
    cluster, count = number_clusters(labels, graph.num_nodes)
    vol = volume(graph.adjacency, cluster, count)
    return combine(np.maximum(vol - association(graph.adjacency, cluster, count), 0), vol)


@overload
def motif_conductance(
    graph: Any,
    labels: Any,
    motif: str | Motif = ...,
    *,
    induced: bool = ...,
    weights: str | None = ...,
    average: str = ...,
) -> float: ...
@overload
def motif_conductance(
    graph: Any,
    labels: Any,
    motif: str | Motif = ...,
    *,
    induced: bool = ...,
    weights: str | None = ...,
    average: None,
) -> Array: ...
def motif_conductance(
    graph: Any,
    labels: Any,
    motif: str | Motif = "triangle",
    *,
    induced: bool = False,
    weights: str | None = "product",
    average: str | None = "mean",
) -> float | Array:
    r"""The share of every cluster's motif instances that is cut, Eq. (2) of the paper.

    .. math::
        \phi_k = \frac{\mathrm{cut}_M(\mathcal{S}_k, \bar{\mathcal{S}_k})}{\mathrm{vol}_M(\mathcal{S}_k)}

    cut_M is the number of instances with nodes both inside and outside the cluster. vol_M is the number of instance end
    points in the cluster. On a weighted graph an instance counts with the product of its edge weights, as in a fit of
    `HoscClustering`. The value is exact for every motif. For four nodes the cut of the motif adjacency would be larger
    (Appendix C). Instances are listed only if the motif has no closed form, or has weights and is neither an edge, a
    triangle nor a directed motif of three nodes. They are never all held in memory.

    Args:
        graph: A `Graph` or anything that `as_graph` takes. Undirected motifs ignore the directions of a directed
            graph, with a warning.
        labels: As in `conductance`.
        motif: A name of `list_motifs`, or a `Motif`.
        induced: Count only instances with no further edges among their nodes. Otherwise count all subgraphs.
        weights: How much an instance of a weighted graph counts: ``"product"`` or ``"mean"`` of its edge weights, or 1
            each with ``None``. Nothing changes on a graph without weights.
        average: As in `conductance`, over the clusters with instances.

    Returns:
        A number, 0 if the motif does not occur. For ``average=None`` an array ``[K]``.

    Raises:
        ValueError: As in `conductance`, or the motif is unknown.
        MemoryEstimateError: The pairs of a directed open motif (M8 … M13) would not fit in memory.

    Examples:
        >>> import networkx as nx
        >>> ring = nx.ring_of_cliques(3, 4)  # every triangle lies in a clique
        >>> motif_conductance(ring, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2])
        0.0
    """
    combine, motif, graph = _combination(average), get_motif(motif), in_mean_weights(as_graph(graph))
    check_reducer(weights)
    cluster, count = number_clusters(labels, graph.num_nodes)
    return combine(*motif_cut_and_volume(graph, cluster, count, motif, induced, weights))


def _combination(average: str | None) -> Callable[[Array, Array], float | Array]:
    try:
        return _COMBINATIONS[average]
    except (KeyError, TypeError):
        names = ", ".join(repr(name) for name in _COMBINATIONS)
        raise ValueError(f"average: expected one of {names}, got {average!r}") from None


def _each(cut: Array, vol: Array) -> Array:
    return np.asarray(np.divide(cut, vol, out=np.full(len(vol), np.nan), where=vol > 0))


def _mean(cut: Array, vol: Array) -> float:
    return float(_each(cut, vol)[vol > 0].mean()) if vol.any() else 0.0


def _sum(cut: Array, vol: Array) -> float:
    return float(_each(cut, vol)[vol > 0].sum())


def _by_volume(cut: Array, vol: Array) -> float:
    return float(cut.sum() / vol.sum()) if vol.any() else 0.0


_COMBINATIONS: dict[str | None, Callable[[Array, Array], float | Array]] = {
    "mean": _mean,
    "sum": _sum,
    "volume": _by_volume,
    None: _each,
}
