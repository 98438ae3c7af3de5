"""The graph of similar features, whose cut is one more term of the objective."""

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
"""Nodes up to which everybody is compared with everybody."""
CELL = 4_000
"""Nodes that are compared with each other on larger graphs."""
EDGES = 100_000
"""Most edges that are looked at to see whether features follow them."""
SHUFFLES = 20
"""How often features are dealt out anew to see what chance does."""
DEVIATIONS = 3.0
"""Standard deviations from which on features follow the edges not by chance."""


def follows_edges(table: Table, adjacency: sp.csr_array, random_state: int) -> bool:
    """Whether the ends of an edge have features more alike than chance; the cosine's mean decides.

    Any table has nearest neighbours, noise too, and a graph of them has cuts as good as a real one's. Without an edge
    there is nothing to follow, and features are all there is.

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
    """Every node joined to those whose features point the most like its own, in either direction, unweighted.

    On more than `EXACT` nodes neighbours are looked for within cells of k-means of about `CELL` nodes, so that time
    grows with the number of nodes and not with its square.

    Args:
        table: Features ``[N, C]``, centred.
        n_neighbors: How many each node is joined to; all others where there are fewer.
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
    place = np.argsort(np.concatenate(members))  # of every node among the blocks
    return sp.csr_array(sp.block_diag(blocks, format="csr"))[place][:, place]


def _within(unit: Table, n_neighbors: int) -> Any:
    count = min(n_neighbors, len(unit) - 1)
    return kneighbors_graph(unit, count, mode="connectivity") if count else sp.csr_array((len(unit), len(unit)))
