"""The graph of similar features. Its cut is one more term of the objective."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.cluster import MiniBatchKMeans
from sklearn.neighbors import kneighbors_graph

from hoscpool.cluster.views.embedding import unit_rows

Table = npt.NDArray[np.float32]
EXACT = 30_000
"""Up to this many nodes, every node is compared with every other."""
CELL = 4_000
"""On larger graphs, about this many nodes are compared with each other."""
EDGES = 100_000
"""Largest number of edges on which features are compared."""
SHUFFLES = 20
"""Number of shuffles of the features that measure chance."""
DEVIATIONS = 3.0
"""Features follow the edges if they are this many standard deviations above chance."""


def follows_edges(table: Table, adjacency: sp.csr_array, random_state: int) -> bool:
    """Whether features are more alike along edges than by chance, measured by the mean cosine.

    Noise has nearest neighbours too, and their graph has cuts as good as those of a real one. Without edges the answer
    is yes, because then only features are left.

    Args:
        table: Features ``[N, C]``, centred.
        adjacency: A.
        random_state: Seed of the sample of edges and of the shuffles.
    """
    generator = np.random.default_rng(random_state)
    ends = np.stack(sp.triu(adjacency, k=1).nonzero())
    if not ends.size:
        return True
    if ends.shape[1] > EDGES:
        ends = ends[:, generator.choice(ends.shape[1], EDGES, replace=False)]
    unit = _unit(table)
    shuffled = [_mean_cosine(unit, generator.permutation(len(unit))[ends]) for _ in range(SHUFFLES)]
    return bool(_mean_cosine(unit, ends) > np.mean(shuffled) + DEVIATIONS * np.std(shuffled, ddof=1))


def similarity_graph(table: Table, n_neighbors: int, random_state: int) -> sp.csr_array:
    """An unweighted graph that joins every node to those with the smallest angle between features, in either direction.

    With more than `EXACT` nodes, neighbours are searched only within k-means cells of about `CELL` nodes. The time then
    grows with the number of nodes and not with its square.

    Args:
        table: Features ``[N, C]``, centred.
        n_neighbors: Number of neighbours of each node, or all other nodes if there are fewer.
        random_state: Seed of k-means.
    """
    nearest = _nearest(_unit(table), n_neighbors, random_state)
    return sp.csr_array(nearest.maximum(nearest.T))


def _unit(table: Table) -> Table:
    return unit_rows(table.astype(np.float64)).astype(np.float32)


def _mean_cosine(unit: Table, ends: npt.NDArray[np.int64]) -> float:
    return float(np.einsum("ec,ec->e", unit[ends[0]], unit[ends[1]]).mean(dtype=np.float64))


def _nearest(unit: Table, n_neighbors: int, random_state: int) -> Any:
    if len(unit) <= EXACT:
        return _within(unit, n_neighbors)
    cells = -(-len(unit) // CELL)
    labels = MiniBatchKMeans(cells, random_state=random_state, n_init=1).fit_predict(unit)
    members = [np.flatnonzero(labels == cell) for cell in range(cells)]
    blocks = [_within(unit[places], n_neighbors) for places in members if len(places)]
    place = np.argsort(np.concatenate(members))  # position of every node in the blocks
    return sp.csr_array(sp.block_diag(blocks, format="csr"))[place][:, place]


def _within(unit: Table, n_neighbors: int) -> Any:
    count = min(n_neighbors, len(unit) - 1)
    return kneighbors_graph(unit, count, mode="connectivity") if count else sp.csr_array((len(unit), len(unit)))
