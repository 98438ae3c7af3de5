"""Both halves of coarsening, features and edges, as one product of every graph."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from hoscpool.nn.sums.segments import Sizes, is_paddable, lift_segments, pad_segments, reduce_segments, unpad_segments
from hoscpool.objectives import Adjacency

WIDTH = 16
"""Products are fastest where the width of the result is a multiple of it; columns of zeros fill up what is missing."""


def side_by_side(s: Tensor, x: Tensor, adjacency: Adjacency) -> Tensor:
    """``[A·S, X]``, and columns of zeros up to a multiple of `WIDTH`."""
    k, width = s.size(1), s.size(1) + x.size(1)
    both = x.new_empty(len(x), width + -width % WIDTH)
    adjacency.multiply_into(s, both)
    both[:, k:width] = x
    both[:, width:] = 0
    return both


class Reduction(NamedTuple):
    """S and ``[A·S, X]`` of every graph, as one product takes them.

    Attributes:
        s: S, ``[N, K]``, or padded ``[B, n, K]``.
        both: A·S beside X, and columns of zeros; in the same storage.
        width: Number of columns of A·S and X.
        sizes: Number of nodes of every graph.
    """

    s: Tensor
    both: Tensor
    width: int
    sizes: Sizes

    @classmethod
    def of(cls, s: Tensor, both: Tensor, width: int, sizes: Sizes) -> Reduction:
        """From S and what `side_by_side` gave; padded where that costs little."""
        if is_paddable(sizes, s.size(1) * both.size(1)):
            s, both = pad_segments(s, sizes), pad_segments(both, sizes)
        return cls(s, both, width, sizes)

    def reduce(self) -> tuple[Tensor, Tensor]:
        """SᵀX and SᵀAS, ``[B, K, F]`` and ``[B, K, K]``."""
        reduced = self.s.mT @ self.both if self._is_padded else reduce_segments(self.s, self.both, self.sizes)
        k = self.s.size(-1)
        return reduced[..., k : self.width], reduced[..., :k]

    def lift_to_s(self, features: Tensor, inside: Tensor) -> Tensor:
        """The gradient of S, ``[N, ≥ K]``: S stands twice in SᵀAS, and A is symmetric: A S (U + Uᵀ), besides X Yᵀ."""
        k = self.s.size(-1)
        pooled = inside.new_zeros(len(inside), self.both.size(-1), k + -k % WIDTH)
        torch.add(inside, inside.mT, out=pooled[:, :k, :k])
        pooled[:, k : self.width, :k] = features.mT
        return self._lift(self.both, pooled)

    def lift_to_x(self, features: Tensor) -> Tensor:
        """The gradient of X, ``[N, F]``: S Y."""
        return self._lift(self.s, features)

    @property
    def _is_padded(self) -> bool:
        return self.s.dim() == 3

    def _lift(self, rows: Tensor, pooled: Tensor) -> Tensor:
        return unpad_segments(rows @ pooled, self.sizes) if self._is_padded else lift_segments(rows, pooled, self.sizes)
