"""How many listed instances contain every pair of nodes, in a hash table that grows."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.support.machine import require_memory

_BYTES_PER_PLACE = 16
_BYTES_IN_RESULT = 3 * 16  # a value and a column: in one triangle, in its transpose, and in the result
ON_EDGES_ADVICE = "pass on_edges=True, which keeps only pairs that are joined, or use a smaller graph"


class PairCounts:
    """Counts of unordered pairs of nodes. The table is at most half full."""

    def __init__(self, num_nodes: int) -> None:
        self._num_nodes, self._used = num_nodes, 0
        self._keys, self._values = _empty_table(1 << 16)

    def add(self, instances: npt.NDArray[np.int64], roles: Iterable[tuple[int, int]]) -> None:
        """Count these pairs of columns in every row.

        Raises:
            MemoryEstimateError: The table would not fit in memory.
        """
        from hoscpool.motifs.kernels.pair_table import add_pairs

        first, second = np.array(list(roles)).T
        rows = max(1, len(self._keys) // 4 // len(first))
        start = 0
        while start < len(instances):
            self._make_room(rows * len(first))
            part = instances[start : start + rows]
            self._used += add_pairs(part, first, second, self._num_nodes, self._keys, self._values)
            start += rows

    def _make_room(self, more: int) -> None:
        from hoscpool.motifs.kernels.pair_table import move_pairs

        if self._used + more <= len(self._keys) // 2:
            return
        size = 2 * len(self._keys)
        needed = size * _BYTES_PER_PLACE + self._used * _BYTES_IN_RESULT
        require_memory(needed, f"the motif adjacency of {self._num_nodes:,} nodes", ON_EDGES_ADVICE)
        keys, values = _empty_table(size)
        move_pairs(self._keys, self._values, keys, values)
        self._keys, self._values = keys, values

    def matrix(self) -> sp.csr_array:
        """The counts as a symmetric matrix."""
        there = np.flatnonzero(self._values)
        low, high = np.divmod(self._keys[there], self._num_nodes)
        half = sp.csr_array((self._values[there], (low, high)), shape=(self._num_nodes, self._num_nodes))
        full = sp.csr_array(half + half.T)
        full.sort_indices()
        return full


def _empty_table(size: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    from hoscpool.motifs.kernels.pair_table import EMPTY

    return np.full(size, EMPTY, np.int64), np.zeros(size, np.int64)
