"""One pass over a block before other compiled code sees it, which trusts its pointers and indices."""

from __future__ import annotations

from typing import Any

from hoscpool.support.compiled import compiled

Array = Any


@compiled()
def is_sound(indptr: Array, indices: Array, columns: int, is_diagonal: bool) -> bool:
    """Whether pointers never decrease and fit the indices, and indices ascend in every row and are in range.

    Args:
        indptr: Row pointers.
        indices: Columns.
        columns: Number of columns.
        is_diagonal: Whether rows and columns are the same range. Then a column is above its row.
    """
    if indptr[0] != 0 or indptr[-1] != len(indices):
        return False
    for row in range(len(indptr) - 1):
        if indptr[row + 1] < indptr[row] or indptr[row + 1] > len(indices):
            return False
        last = row if is_diagonal else -1
        for at in range(indptr[row], indptr[row + 1]):
            if indices[at] <= last or indices[at] >= columns:
                return False
            last = indices[at]
    return True
