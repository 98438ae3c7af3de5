"""Features that are zeros and ones, well filled: products by lookup, which takes half the time of a sparse product."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from torch import Tensor
from torch.nn.functional import pad

from hoscpool.objectives.operators.product import over_ranges, worth_threads

FILLED = 0.25
"""Share of ones above which lookups take less time than adding up the ones."""


class BitTable:
    """The bits of a constant matrix X ``[N, F]`` and of its transpose, a byte for four.

    Args:
        x: A canonical SciPy CSR matrix; its pattern alone is read.
    """

    def __init__(self, x: Any) -> None:
        from hoscpool.cluster.kernels.bits import BITS, GROUPS, pack_bits

        rows, columns = x.shape
        width = BITS * GROUPS
        self._codes = np.zeros((-(-columns // width), rows, GROUPS), np.uint8)
        self._transposed = np.zeros((-(-rows // width), columns, GROUPS), np.uint8)
        pack_bits(x.indptr, x.indices, self._codes, self._transposed)

    def product(self, dense: Tensor) -> Tensor:
        """X Θ ``[N, C]``."""
        return _multiply(self._codes, dense)

    def transposed_product(self, dense: Tensor) -> Tensor:
        """Xᵀ G ``[F, C]``."""
        return _multiply(self._transposed, dense)


def _multiply(codes: npt.NDArray[np.uint8], dense: Tensor) -> Tensor:
    from hoscpool.cluster.kernels.bits import LANES, multiply_bits

    num_rows, num_columns = codes.shape[1], dense.shape[1]
    padding = -num_columns % LANES
    table = (pad(dense.detach(), (0, padding)) if padding else dense.detach()).contiguous()
    out = table.new_empty(num_rows, table.shape[1])
    arrays = codes, table.numpy(), out.numpy()
    threads = worth_threads(codes.size * table.shape[1])
    cuts = np.linspace(0, num_rows, threads + 1).astype(int).tolist()  # few: every range makes the sums for itself
    over_ranges(lambda begin, end: multiply_bits((0,) * LANES, *arrays, begin, end), pairwise(cuts), threads)
    return out if not padding else out[:, :num_columns].contiguous()
