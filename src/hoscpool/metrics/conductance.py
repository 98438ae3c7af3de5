"""Conductance over edges and over motifs, Eq. (1) and (2) of the paper."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from hoscpool.graph import as_graph
from hoscpool.metrics.labels import number_clusters, read_undirected
from hoscpool.metrics.motif_cuts import motif_cut_and_volume
from hoscpool.metrics.volumes import association, volume
from hoscpool.motifs import Motif, get_motif

Array = npt.NDArray[np.float64]


@overload
def conductance(graph: Any, labels: Any, *, average: str = ...) -> float: ...
@overload
def conductance(graph: Any, labels: Any, *, average: None) -> Array: ...
def conductance(graph: Any, labels: Any, *, average: str | None = "mean") -> float | Array:
    r"""How much of every cluster's volume is cut off: the normalised cut, Eq. (1) of the paper.

    .. math::
        \phi_k = \frac{\mathrm{cut}(\mathcal{S}_k, \bar{\mathcal{S}_k})}{\mathrm{vol}(\mathcal{S}_k)}, \quad
        \mathrm{cut} = \sum_{i \in \mathcal{S}_k, j \notin \mathcal{S}_k} A_{ij}, \quad
        \mathrm{vol} = \sum_{i \in \mathcal{S}_k, j} A_{ij}

    Small is good, but a single cluster has 0: read it beside `size_statistics`. Clusters without volume do not count.

    Args:
        graph: A `Graph` or anything that `as_graph` takes. Edge weights count; directions are ignored, with a warning.
        labels: Cluster of every node, whole numbers or text, ``[N]``; numbers may have gaps.
        average: ``"mean"`` of φ_k over the clusters, in [0, 1]; ``"sum"``, Eq. (1) itself; ``"volume"``, the mean
            weighted by volume, Σ cut / Σ vol, which is the share of the edges between clusters and most likely what
            the paper's Table 7 shows, whose collapsed clusterings are near 0; ``None`` gives every φ_k, in the order
            of the labels, NaN for no volume.

    Returns:
        A number, 0 without edges; an array ``[K]`` for ``average=None``.

    Raises:
        ValueError: There is not one label for every node, labels are NaN or fractions, or ``average`` is not known.

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
    graph: Any, labels: Any, motif: str | Motif = ..., *, induced: bool = ..., average: str = ...
) -> float: ...
@overload
def motif_conductance(
    graph: Any, labels: Any, motif: str | Motif = ..., *, induced: bool = ..., average: None
) -> Array: ...
def motif_conductance(
    graph: Any,
    labels: Any,
    motif: str | Motif = "triangle",
    *,
    induced: bool = False,
    average: str | None = "mean",
) -> float | Array:
    r"""How many of every cluster's motif instances are cut, Eq. (2) of the paper.

    .. math::
        \phi_k = \frac{\mathrm{cut}_M(\mathcal{S}_k, \bar{\mathcal{S}_k})}{\mathrm{vol}_M(\mathcal{S}_k)}

    cut_M is the number of instances with a node in the cluster and one outside, vol_M the number of instance end
    points in the cluster. Exact for every motif, also those of four nodes, for which the cut of the motif adjacency is
    larger (Appendix C); instances are neither listed nor held.

    Args:
        graph: A `Graph` or anything that `as_graph` takes. Instances are counted, whatever the edges weigh. Undirected
            motifs see a directed graph without its directions, with a warning.
        labels: As in `conductance`.
        motif: A name of `list_motifs`.
        induced: Count only instances with no further edges among their nodes; otherwise all subgraphs.
        average: As in `conductance`, φ_k over the clusters with instances.

    Returns:
        A number, 0 when the motif does not occur; an array ``[K]`` for ``average=None``.

    Raises:
        ValueError: As for `conductance`, or the motif is not known.
        MemoryEstimateError: The pairs of a directed open motif (M8 … M13) would not fit in memory.

    Examples:
        >>> import networkx as nx
        >>> ring = nx.ring_of_cliques(3, 4)  # every triangle lies in a clique
        >>> motif_conductance(ring, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2])
        0.0
    """
    combine, motif, graph = _combination(average), get_motif(motif), as_graph(graph)
    cluster, count = number_clusters(labels, graph.num_nodes)
    return combine(*motif_cut_and_volume(graph, cluster, count, motif, induced))


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
