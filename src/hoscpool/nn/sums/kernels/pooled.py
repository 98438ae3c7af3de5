"""The sums of `plain_sums` and their gradients as plain loops, one matrix at a time.

On graphs of a few dozen nodes, calls are most of the cost of tensor operations. These loops are called once. On large
graphs, memory access to ``[N, K]`` tables is most of the cost. `sum_cuts` and `back_cuts` read the tables once.
Nodes are ordered by graph: those of graph b are ``ptr[b]`` to ``ptr[b + 1]``. Outputs must be zero at the start. Empty
rows of a matrix are skipped, because most nodes are in no motif.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hoscpool.support.compiled import compiled

Array = Any
_LOOSE = {"reassoc", "contract", "nsz"}  # allow sums in any order, for vector instructions; NaN and infinity stay


@compiled(fastmath=_LOOSE)
def sum_matrix(
    indptr: Array, indices: Array, values: Array, s: Array, ptr: Array, soft: bool,
    product: Array, degree: Array, association: Array, volume: Array, total: Array, inside: Array,
) -> None:  # fmt: skip
    """The sums of a cut along one matrix W, and SᵀWS.

    Args:
        indptr: Row pointers of W.
        indices: Its columns.
        values: Its entries, or ``None`` if all are 1.
        s: S, ``[N, K]``.
        ptr: Where every graph begins.
        soft: Whether a volume is Σ d S instead of Σ d S².
        product: W·S, ``[N, K]``.
        degree: d = W·1, ``[N]``.
        association: The diagonal of SᵀWS, ``[B, K]``.
        volume: The volumes, ``[B, K]``.
        total: Σ d, ``[B]``.
        inside: SᵀWS, ``[B, K, K]``, or ``None`` if it is not needed.
    """
    width = s.shape[1]
    for b in range(len(ptr) - 1):
        for i in range(ptr[b], ptr[b + 1]):
            if indptr[i] == indptr[i + 1]:
                continue
            arriving = s.dtype.type(0)
            for p in range(indptr[i], indptr[i + 1]):
                j = indices[p]
                weight = s.dtype.type(1) if values is None else values[p]
                arriving += weight
                for k in range(width):
                    product[i, k] += weight * s[j, k]
            degree[i] = arriving
            total[b] += arriving
            _add_node(s[i], product[i], arriving, soft, association[b], volume[b])
            if inside is not None:
                for k in range(width):
                    member = s[i, k]
                    for other in range(width):
                        inside[b, k, other] += member * product[i, other]


@compiled(fastmath=_LOOSE)
def _add_node(members: Array, product: Array, degree: Any, soft: bool, association: Array, volume: Array) -> None:
    """Add one node to the association and the volume of every cluster of its graph. All arrays are ``[K]``."""
    for k in range(len(members)):
        member = members[k]
        association[k] += member * product[k]
        volume[k] += degree * (member if soft else member * member)


@compiled(fastmath=_LOOSE)
def _volume_slope(degree: Any, member: Any, to_volume: Any, soft: bool) -> Any:
    """Gradient of a membership through the volume."""
    slope = degree * to_volume
    return slope if soft else slope * (member + member)  # not 2 · S: numba would convert it to double precision


@compiled(fastmath=_LOOSE)
def sum_cuts(
    s: Array, ptr: Array, counts: Array, soft: bool, products: Any, degrees: Array, table: Array, total: Array
) -> None:
    """The sums of cuts along M matrices whose products and degrees are known. Other names as in `sum_matrix`.

    Args:
        s: S, ``[N, K]``.
        ptr: Where every graph begins.
        counts: How many nodes every row stands for, ``[N]``, or ``None`` if all are 1.
        soft: As in `sum_matrix`.
        products: W·S of every matrix, a tuple of tables ``[N, ≥ K]``.
        degrees: W·1 of every matrix, ``[M, N]``.
        table: Associations, volumes and squares, ``[2M + 1, B, K]``.
        total: Volumes of the graphs, ``[M, B]``.
    """
    count, width = len(products), s.shape[1]
    for b in range(len(ptr) - 1):
        for i in range(ptr[b], ptr[b + 1]):
            nodes = _count(s, counts, i)
            for k in range(width):
                table[count + count, b, k] += nodes * (s[i, k] * s[i, k])
            for m in range(count):
                degree, product = degrees[m, i], products[m]
                if degree != 0:
                    total[m, b] += degree
                    for k in range(width):
                        member = s[i, k]
                        table[m, b, k] += member * product[i, k]
                        table[count + m, b, k] += degree * (member if soft else member * member)


@compiled(fastmath=_LOOSE)
def back_cuts(
    s: Array, ptr: Array, counts: Array, soft: bool, products: Any, degrees: Array,
    to_table: Array, given: Array, to_s: Array,
) -> None:  # fmt: skip
    """Write to ``to_s`` the gradient of `sum_cuts` for S, plus ``given``, the gradient from elsewhere ``[N, ≥ K]``."""
    count, width = len(products), s.shape[1]
    row = np.empty(width, s.dtype)  # separate memory, so that the compiler can use vector instructions
    for b in range(len(ptr) - 1):
        for i in range(ptr[b], ptr[b + 1]):
            nodes = _count(s, counts, i)
            for k in range(width):
                row[k] = given[i, k] + nodes * ((s[i, k] + s[i, k]) * to_table[count + count, b, k])
            for m in range(count):
                degree, product = degrees[m, i], products[m]
                if degree != 0:
                    for k in range(width):
                        inside = product[i, k] * to_table[m, b, k]
                        row[k] += inside + inside + _volume_slope(degree, s[i, k], to_table[count + m, b, k], soft)
            for k in range(width):
                to_s[i, k] = row[k]


@compiled(fastmath=_LOOSE)
def _count(s: Array, counts: Array, i: int) -> Any:
    """How many nodes a row stands for."""
    return s.dtype.type(1) if counts is None else counts[i]


@compiled(fastmath=_LOOSE)
def back_cut(
    s: Array, ptr: Array, soft: bool, product: Array, degree: Array,
    to_association: Array, to_volume: Array, to_s: Array,
) -> None:  # fmt: skip
    """Add to ``to_s`` the gradient of the cut of `sum_matrix`."""
    for b in range(len(ptr) - 1):
        for i in range(ptr[b], ptr[b + 1]):
            if degree[i] != 0:
                for k in range(s.shape[1]):
                    inside = product[i, k] * to_association[b, k]
                    to_s[i, k] += inside + inside + _volume_slope(degree[i], s[i, k], to_volume[b, k], soft)


@compiled(fastmath=_LOOSE)
def back_inside(s: Array, ptr: Array, product: Array, to_inside: Array, to_s: Array) -> None:
    """Add to ``to_s`` the gradient of SᵀWS: W S (U + Uᵀ), with U the gradient of SᵀWS, because W is symmetric."""
    width = s.shape[1]
    slope = np.empty((width, width), s.dtype)
    for b in range(len(ptr) - 1):
        for k in range(width):
            for other in range(width):
                slope[k, other] = to_inside[b, k, other] + to_inside[b, other, k]
        for i in range(ptr[b], ptr[b + 1]):
            for k in range(width):
                weight = product[i, k]
                if weight != 0:
                    for other in range(width):
                        to_s[i, other] += weight * slope[k, other]


@compiled(fastmath=_LOOSE)
def back_values(
    indptr: Array, indices: Array, s: Array, ptr: Array, soft: bool,
    to_association: Array, to_volume: Array, to_total: Array, to_inside: Array, to_values: Array,
) -> None:  # fmt: skip
    """The gradient of `sum_matrix` for the entries of W: (S U)_i·S_j + v·S_i + t.

    U is the gradient of SᵀWS, including that of its diagonal. v is the gradient of the volumes and t that of Σ d.

    Args:
        indptr: Row pointers of W.
        indices: Its columns.
        s: S, ``[N, K]``.
        ptr: Where every graph begins.
        soft: As in `sum_matrix`.
        to_association: Gradient of the diagonal of SᵀWS, ``[B, K]``.
        to_volume: v, ``[B, K]``.
        to_total: t, ``[B]``.
        to_inside: Gradient of SᵀWS, ``[B, K, K]``, or ``None``.
        to_values: The gradient of every entry. This function fills it.
    """
    width = s.shape[1]
    lifted = np.empty(width, s.dtype)  # a row of S U
    for b in range(len(ptr) - 1):
        for i in range(ptr[b], ptr[b + 1]):
            touching = to_total[b]
            for k in range(width):
                lifted[k] = s[i, k] * to_association[b, k]
                touching += to_volume[b, k] * (s[i, k] if soft else s[i, k] * s[i, k])
            if to_inside is not None:
                for k in range(width):
                    for other in range(width):
                        lifted[other] += s[i, k] * to_inside[b, k, other]
            for p in range(indptr[i], indptr[i + 1]):
                slope = touching
                for k in range(width):
                    slope += lifted[k] * s[indices[p], k]
                to_values[p] = slope


@compiled(fastmath=_LOOSE)
def sum_squares(s: Array, ptr: Array, counts: Array, squares: Array) -> None:
    """Σ_i n_i S_ik² of every graph, ``[B, K]``. Every n is 1 if ``counts`` is ``None``."""
    for b in range(len(ptr) - 1):
        for i in range(ptr[b], ptr[b + 1]):
            count = _count(s, counts, i)
            for k in range(s.shape[1]):
                squares[b, k] += count * (s[i, k] * s[i, k])


@compiled(fastmath=_LOOSE)
def back_squares(s: Array, ptr: Array, counts: Array, to_squares: Array, to_s: Array) -> None:
    """Add to ``to_s`` the gradient of `sum_squares`."""
    for b in range(len(ptr) - 1):
        for i in range(ptr[b], ptr[b + 1]):
            count = _count(s, counts, i)
            for k in range(s.shape[1]):
                to_s[i, k] += count * ((s[i, k] + s[i, k]) * to_squares[b, k])


@compiled(fastmath=_LOOSE)
def sum_features(s: Array, x: Array, ptr: Array, pooled: Array) -> None:
    """SᵀX of every graph, ``[B, K, F]``."""
    for b in range(len(ptr) - 1):
        for i in range(ptr[b], ptr[b + 1]):
            for k in range(s.shape[1]):
                member = s[i, k]
                for f in range(x.shape[1]):
                    pooled[b, k, f] += member * x[i, f]


@compiled(fastmath=_LOOSE)
def back_features(s: Array, x: Array, ptr: Array, to_pooled: Array, to_s: Array, to_x: Array) -> None:
    """Add the gradients of `sum_features`: X Yᵀ to ``to_s`` and S Y to ``to_x``, with Y the gradient of SᵀX."""
    for b in range(len(ptr) - 1):
        for i in range(ptr[b], ptr[b + 1]):
            for k in range(s.shape[1]):
                member, slope = s[i, k], s.dtype.type(0)
                for f in range(x.shape[1]):
                    slope += x[i, f] * to_pooled[b, k, f]
                to_s[i, k] += slope
                for f in range(x.shape[1]):
                    to_x[i, f] += member * to_pooled[b, k, f]
