"""Weighted motif adjacency: every instance counts with the mean or the product of its edges' weights."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import Graph
from hoscpool.motifs.catalog import Motif
from hoscpool.motifs.instances import Nodes, iterate_instances

FloatArray = npt.NDArray[np.float64]

REDUCERS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "mean": lambda w: np.asarray(w.mean(axis=1)),
    "product": lambda w: np.asarray(w.prod(axis=1)),
}


def weighted_adjacency(graph: Graph, motif: Motif, induced: bool, on_edges: bool, weights: str) -> sp.csr_array:
    """Σ over the instances that contain i and j of the reduced weights of the instance's edges."""
    adjacency, shape = graph.adjacency, (graph.num_nodes, graph.num_nodes)
    total = sp.csr_array(shape, dtype=np.float64)
    for instances in iterate_instances(graph, motif, induced):
        total = total + _scatter(instances, _instance_weights(adjacency, instances, motif, weights), shape)
    total = sp.csr_array(total + total.T)
    if on_edges:
        total = sp.csr_array(total.multiply(graph.undirected().adjacency != 0))
    total.sort_indices()
    return total


def _instance_weights(adjacency: sp.csr_array, instances: Nodes, motif: Motif, weights: str) -> FloatArray:
    edges = np.array(motif.edges)
    tails, heads = instances[:, edges[:, 0]], instances[:, edges[:, 1]]
    values = np.asarray(adjacency[tails.ravel(), heads.ravel()], dtype=np.float64).reshape(tails.shape)
    return REDUCERS[weights](values)


def _scatter(instances: Nodes, values: FloatArray, shape: tuple[int, int]) -> sp.csr_array:
    pairs = list(combinations(range(instances.shape[1]), 2))
    rows = np.concatenate([instances[:, a] for a, _ in pairs])
    cols = np.concatenate([instances[:, b] for _, b in pairs])
    low, high = np.minimum(rows, cols), np.maximum(rows, cols)
    return sp.csr_array(sp.coo_array((np.tile(values, len(pairs)), (low, high)), shape=shape))
