"""Memberships of nodes, and the matrices between clusters."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hoscpool.cluster.engine.kernels.node_moves import make_scratch
from hoscpool.cluster.engine.kernels.node_ties import tie_nodes
from hoscpool.cluster.engine.kernels.tables import Level
from hoscpool.cluster.engine.level import Labels, pieces_of
from hoscpool.support.threads import RangeWorker, run_ranges

AHEAD = 1.001
"""A node's own cluster leads every other one in its memberships by this factor at least."""
ROOM = 1 << 24
"""Numbers in the coarsened matrices of all ranges together, at most."""


def ties(
    level: Level, scale: npt.NDArray[np.float64], labels: Labels, k: int, n_threads: int = 1
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float64]]:
    """The share of every node's weight that goes to each cluster ``[N, K]``, and SᵀAS of every matrix ``[J, K, K]``.

    Weight is that of Σ_j scale_j A^j. Where another cluster has as much of it as the node's own one or more, the own
    one is put just ahead and the row is scaled to 1, so that the label is always the largest entry. A node without
    weight belongs to its own cluster alone.

    Args:
        level: The graph.
        scale: Weight of every matrix, as α_j / vol_j.
        labels: Cluster of every node.
        k: Number of clusters.
        n_threads: Number of threads. The result does not depend on it.
    """
    lanes = len(scale)
    shares, parts, mass = np.zeros((len(labels), k), np.float32), {}, np.zeros(k)

    def worker() -> RangeWorker:
        scratch = make_scratch(lanes, k)

        def rows(start: int, stop: int) -> None:
            parts[start] = np.zeros((lanes, k, k))
            tie_nodes(level, labels, scale, AHEAD, mass, start, stop, parts[start], shares, *scratch)

        return rows

    pieces = min(pieces_of(len(level.indices)), max(1, ROOM // (lanes * k * k)))
    ranges = run_ranges(worker, level.indptr, pieces, n_threads)
    return shares, np.sum([parts[start] for start, _ in ranges], axis=0)
