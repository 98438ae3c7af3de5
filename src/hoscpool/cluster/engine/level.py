"""Graphs of the hierarchy: the given matrices on one pattern, and coarser graphs whose nodes are communities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.cluster.engine.kernels.contraction import (
    UNSEEN,
    contract_rows,
    count_union,
    fill_values,
    list_members,
    place_values,
    read_diagonal,
    sum_members,
    unite_rows,
)
from hoscpool.cluster.engine.kernels.tables import Level
from hoscpool.support.threads import RangeWorker, run_ranges

Labels = npt.NDArray[np.int32]

PIECES = 64
"""Ranges that rows are cut into for threads. It does not depend on their number, so the answer does not either."""
BLOCK = 1 << 19
"""Entries of the nodes for which threads look for moves before any of them is made."""
PARTS = 16
"""Ranges that a block is cut into."""
SMALL = 200_000
"""Up to this many entries one range is enough: threads would not pay."""


def stack(matrices: Sequence[sp.csr_array], n_threads: int = 1) -> Level:
    """Put symmetric matrices of the same shape on the union of their patterns.

    The pattern of the largest matrix is shared, not copied, where it holds all others, as that of the edges does for
    motifs on edges.
    """
    loops = np.zeros((matrices[0].shape[0], len(matrices)))
    parts = [_off_diagonal(matrix, j, loops) for j, matrix in enumerate(matrices)]
    indptr, indices, _ = max(parts, key=lambda part: len(part[1]))
    level = _place(indptr, indices, parts, loops, n_threads)
    return level or _place(*_union(parts), parts, loops, n_threads)  # type: ignore[return-value]


_Part = tuple[Any, Any, Any]
"""Row pointers, columns and entries of a matrix."""


def _place(indptr: Any, indices: Any, parts: Sequence[_Part], loops: Any, n_threads: int) -> Level | None:
    """The matrices on a pattern, or ``None`` if it does not hold them all."""
    data, degrees = np.empty((len(indices), len(parts)), np.float32), loops.copy()
    for j, part in enumerate(parts):
        placed = np.zeros(len(indptr) - 1, np.int64)

        place = fill_values if part[0] is indptr and part[1] is indices else place_values

        def rows(
            start: int, stop: int, j: int = j, part: _Part = part, placed: Any = placed, place: Any = place
        ) -> None:
            place(indptr, indices, *part, j, start, stop, data, degrees, placed)

        run_ranges(lambda work=rows: work, indptr, pieces_of(len(indices)), n_threads)  # type: ignore[misc]
        if placed.sum() < len(part[1]):
            return None
    return _read_only(indptr, indices, data, loops, degrees, np.ones(len(indptr) - 1))


def _read_only(*arrays: npt.NDArray[Any]) -> Level:
    """A level whose arrays are read-only, as those of a given graph are: kernels see one type, and compile once."""
    views = [array.view() for array in arrays]
    for view in views:
        view.flags.writeable = False
    return Level(*views)


def pieces_of(entries: int) -> int:
    """Ranges that work over this many entries is cut into."""
    return PIECES if entries > SMALL else 1


def _off_diagonal(matrix: sp.csr_array, column: int, loops: npt.NDArray[np.float64]) -> _Part:
    """Row pointers, sorted columns and entries without the diagonal, which goes to a column of ``loops``."""
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    parts = _arrays(matrix)
    read_diagonal(*parts, column, loops)
    if not loops[:, column].any():
        return parts
    rest = sp.csr_array(matrix - sp.diags_array(loops[:, column], dtype=matrix.dtype))
    rest.eliminate_zeros()
    return _arrays(rest)


def _arrays(matrix: sp.csr_array) -> _Part:
    values = matrix.data.view(np.uint8) if matrix.dtype == np.bool_ else matrix.data
    return matrix.indptr.astype(np.int64, copy=False), matrix.indices.astype(np.int32, copy=False), values


def _union(parts: Sequence[_Part]) -> tuple[Any, Any]:
    """Row pointers and columns of the union of the patterns."""
    indptr, indices, _ = parts[0]
    for starts, columns, _ in parts[1:]:
        union_indptr = np.zeros_like(indptr)
        count_union(indptr, indices, starts, columns, union_indptr)
        union = np.empty(int(union_indptr[-1]), np.int32)
        unite_rows(indptr, indices, starts, columns, union_indptr, union)
        indptr, indices = union_indptr, union
    return indptr, indices


def contract(level: Level, labels: Labels, count: int, n_threads: int = 1) -> Level:
    """The level whose nodes are the communities 0 to ``count`` − 1 of another one."""
    lanes = level.data.shape[1]
    members, begin = list_members(labels, count)
    loops, degrees, sizes = (np.zeros((count, lanes)), np.zeros((count, lanes)), np.zeros((count, 1)))
    sum_members(level.loops, labels, loops)
    sum_members(level.degrees, labels, degrees)
    sum_members(level.sizes[:, None], labels, sizes)
    indptr, parts = np.zeros(count + 1, np.int64), {}

    def worker() -> RangeWorker:
        scratch = np.full((count, lanes), UNSEEN), np.empty(count + 1, np.int32)

        def rows(start: int, stop: int) -> None:
            ends = indptr[1:]
            parts[start] = contract_rows(level, labels, members, begin, start, stop, loops, ends, *scratch)

        return rows

    for start, stop in run_ranges(worker, begin, pieces_of(len(level.indices)), n_threads):
        indptr[start + 1 : stop + 1] += indptr[start]
    columns, entries = zip(*(parts[start] for start in sorted(parts)), strict=True)
    return _read_only(indptr, np.concatenate(columns), np.concatenate(entries), loops, degrees, sizes[:, 0].copy())


def block_of(level: Level) -> int:
    """Nodes for which threads look for moves before any of them is made: more than there are on a small graph.

    It does not depend on the number of threads, so the answer does not either.
    """
    n, entries = len(level.sizes), len(level.indices)
    return n + 1 if entries < 2 * BLOCK else max(1, BLOCK * n // entries)


def work_of(level: Level, nodes: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """Entries in the rows of all nodes before each one of a list, and in all; a node counts as one more."""
    work = np.zeros(len(nodes) + 1, np.int64)
    np.cumsum(1 + level.indptr[nodes + 1] - level.indptr[nodes], out=work[1:])
    return work
