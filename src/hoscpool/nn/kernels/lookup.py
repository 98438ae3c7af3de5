"""Rows of a table by their number: the way back."""

from __future__ import annotations

from typing import Any

import numba

Array = Any


@numba.njit(nogil=True, cache=True)
def add_rows(numbers: Array, rows: Array, table: Array) -> None:
    """Add every row ``[N, F]`` to the one of the table ``[R, F]`` that it has the number of."""
    for i in range(len(numbers)):
        number = numbers[i]
        for f in range(rows.shape[1]):
            table[number, f] += rows[i, f]
