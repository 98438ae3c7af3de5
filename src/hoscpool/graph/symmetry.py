"""Is it directed? Symmetric matrices are undirected graphs; the rest is settled here and reported."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from hoscpool.graph.notes import Notes
from hoscpool.graph.validate import count_of

ROUNDING = 1e-6
"""Opposite weights that differ by less than this fraction are taken as equal: float32 arithmetic does that."""


def settle_direction(matrix: sp.csr_array, directed: bool | None, notes: Notes) -> tuple[sp.csr_array, bool]:
    """The adjacency as it is to be stored, and whether it is directed.

    Args:
        matrix: Sorted CSR without self-loops or duplicates.
        directed: ``True`` keeps the arcs, ``False`` joins i and j when either arc exists, ``None`` decides by symmetry.
        notes: Where asymmetry is reported.

    Returns:
        The matrix, symmetric when the second value is ``False``.
    """
    if directed:
        return matrix, True
    transposed = _transpose(matrix)
    same_pattern = _same_pattern(matrix, transposed)
    if same_pattern and np.array_equal(matrix.data, transposed.data):
        return matrix, False
    rounding = same_pattern and np.allclose(matrix.data, transposed.data, rtol=ROUNDING, atol=0)
    if directed is None and not rounding:
        notes.warn(
            "the adjacency is not symmetric, so the graph was read as directed; "
            "pass directed=True to confirm, or directed=False to join both directions"
        )
        return matrix, True
    both = sp.csr_array(matrix.maximum(transposed))
    both.sort_indices()
    _report(matrix, both, notes, rounding=bool(rounding))
    return both, False


def _transpose(matrix: sp.csr_array) -> sp.csr_array:
    transposed = sp.csr_array(matrix.T)
    transposed.sort_indices()
    return transposed


def _same_pattern(matrix: sp.csr_array, transposed: sp.csr_array) -> bool:
    return np.array_equal(matrix.indptr, transposed.indptr) and np.array_equal(matrix.indices, transposed.indices)


def _report(matrix: sp.csr_array, both: sp.csr_array, notes: Notes, *, rounding: bool) -> None:
    """Say what joining the two directions did; one direction for every edge is the normal case of an edge list."""
    twice = matrix.nnz - both.nnz // 2  # pairs that came in both directions
    if rounding:
        notes.note("opposite weights that differ by rounding were made equal, the heavier of the two")
    elif not twice:
        notes.note("every edge came in one direction and was read as undirected")
    else:
        weight = "" if matrix.dtype == np.int8 else ", each with the heavier of its two weights"
        some = "1 edge that" if twice == 1 else f"{count_of(twice, 'edge')} that"
        notes.warn(f"{some} came in both directions {'counts' if twice == 1 else 'count'} once{weight}")
