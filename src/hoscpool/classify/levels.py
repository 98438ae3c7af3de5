"""The clusters of one graph at every level, for a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from hoscpool.nn import PoolingOutput


@dataclass(frozen=True, eq=False)
class PoolingLevel:
    """What one pool made of a graph.

    Attributes:
        labels: Supernode of every node of the **input** graph, int64 ``[n]``; −1 for a node that was dropped.
        assignment: S of this pool: of its own input nodes to its supernodes, float32 ``[m, K]``.
        adjacency: Of the coarsened graph, float32 ``[K, K]``.
        sizes: Number of input nodes in every supernode, int64 ``[K]``.
    """

    labels: npt.NDArray[np.int64]
    assignment: npt.NDArray[np.float32]
    adjacency: npt.NDArray[np.float32]
    sizes: npt.NDArray[np.int64]

    @property
    def num_supernodes(self) -> int:
        """K."""
        return len(self.sizes)


def pooling_levels(outputs: Sequence[PoolingOutput]) -> list[PoolingLevel]:
    """The levels of a batch of one graph, finest first."""
    levels: list[PoolingLevel] = []
    for out in outputs:
        own = out.labels().numpy().astype(np.int64)
        before = levels[-1].labels if levels else np.arange(len(own))
        existing = _existing(outputs[len(levels) - 1]) if levels else np.arange(len(own))
        row = np.full(
            int(before.max(initial=-1)) + 1, -1
        )  # the rows of this pool's input are the supernodes that exist
        row[existing[existing < len(row)]] = np.arange(len(existing))[existing < len(row)]
        labels = np.where(before >= 0, np.append(own, -1)[row[before]], -1)
        adjacency = _adjacency(out).detach().numpy()
        sizes = np.bincount(labels[labels >= 0], minlength=len(adjacency))
        assignment = out.assignment.detach().to_dense().numpy()
        levels.append(PoolingLevel(labels, assignment, adjacency, sizes))
    return levels


def _existing(out: PoolingOutput) -> npt.NDArray[np.int64]:
    """The supernodes that a pool hands on."""
    if out.mask is not None:
        return np.flatnonzero(out.mask[0].numpy())
    return np.arange(out.x.size(-2))


def _adjacency(out: PoolingOutput) -> Tensor:
    if out.adjacency is not None:
        return out.adjacency[0]
    assert out.edge_index is not None
    size = out.x.size(0)
    weight = torch.ones(out.edge_index.size(1)) if out.edge_weight is None else out.edge_weight
    return torch.zeros(size, size).index_put(tuple(out.edge_index), weight, accumulate=True)
