"""Sums over the nodes of small graphs and their gradients, a matrix at a time, as plain loops.

On graphs of a few dozen nodes the cost of a tensor operation is that of calling it; these loops are called once.
Nodes are ordered by graph: those of graph b are ``ptr[b]`` to ``ptr[b + 1]``. All outputs come in as zeros. Rows of a
matrix without an entry are passed over: most nodes are in no motif.
"""

from __future__ import annotations

from typing import Any

import numba

Array = Any
_LOOSE = {"reassoc", "contract", "nsz"}  # sums in any order, so that they are vectors; NaN and infinity stay


@numba.njit(nogil=True, cache=True, fastmath=_LOOSE)
def sum_matrix(
    indptr: Array, indices: Array, values: Array, s: Array, ptr: Array, soft: bool,
    product: Array, degree: Array, association: Array, volume: Array, total: Array, inside: Array,
) -> None:  # fmt: skip
    """What a cut needs of one matrix W, and SᵀWS.

    Args:
        indptr: Row pointers of W.
        indices: Its columns.
        values: Its entries, or ``None`` when all are 1.
        s: S, ``[N, K]``.
        ptr: Where every graph begins.
        soft: Whether a volume is Σ d S, and not Σ d S².
        product: W·S, ``[N, K]``.
        degree: d = W·1, ``[N]``.
        association: The diagonal of SᵀWS, ``[B, K]``.
        volume: The volumes, ``[B, K]``.
        total: Σ d, ``[B]``.
        inside: SᵀWS, ``[B, K, K]``, or ``None`` when it is not needed.
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
            for k in range(width):
                member = s[i, k]
                association[b, k] += member * product[i, k]
                volume[b, k] += arriving * (member if soft else member * member)
            if inside is not None:
                for k in range(width):
                    member = s[i, k]
                    for other in range(width):
                        inside[b, k, other] += member * product[i, other]


@numba.njit(nogil=True, cache=True, fastmath=_LOOSE)
def back_matrix(
    indptr: Array, indices: Array, values: Array, s: Array, ptr: Array, soft: bool, product: Array, degree: Array,
    to_association: Array, to_volume: Array, to_inside: Array, lifted: Array, to_s: Array, to_values: Array,
) -> None:  # fmt: skip
    """What `sum_matrix` hands back to S, added to ``to_s``, and to the entries of W unless ``to_values`` is ``None``.

    Let U be the gradient of SᵀWS, that of its diagonal included, and v that of the volumes. As W is symmetric, S gets
    W S Uᵀ + W (S U) + d vᵀ, and W_ij gets (S U)_i·S_j + v·S_i.

    Args:
        indptr: Row pointers of W.
        indices: Its columns.
        values: Its entries, or ``None`` when all are 1.
        s: S, ``[N, K]``.
        ptr: Where every graph begins.
        soft: As in `sum_matrix`.
        product: W·S.
        degree: d.
        to_association: Gradient of the diagonal of SᵀWS, ``[B, K]``.
        to_volume: v, ``[B, K]``.
        to_inside: Gradient of SᵀWS, ``[B, K, K]``, or ``None``.
        lifted: S U, ``[N, K]``.
        to_s: ``[N, K]``.
        to_values: Shaped as the entries, or ``None``.
    """
    width = s.shape[1]
    for b in range(len(ptr) - 1):
        for i in range(ptr[b], ptr[b + 1]):
            if indptr[i] == indptr[i + 1]:
                continue
            for k in range(width):
                member = s[i, k]
                touched = degree[i] * to_volume[b, k]
                if not soft:
                    touched *= member + member  # and not 2 · S, which numba would take to double precision
                to_s[i, k] += touched + product[i, k] * to_association[b, k]
                lifted[i, k] += member * to_association[b, k]
            if to_inside is not None:
                for k in range(width):
                    member, slope = s[i, k], s.dtype.type(0)
                    for other in range(width):
                        slope += product[i, other] * to_inside[b, k, other]
                    to_s[i, k] += slope
                    for other in range(width):
                        lifted[i, other] += member * to_inside[b, k, other]
        for i in range(ptr[b], ptr[b + 1]):
            for p in range(indptr[i], indptr[i + 1]):
                j = indices[p]
                weight = s.dtype.type(1) if values is None else values[p]
                for k in range(width):
                    to_s[i, k] += weight * lifted[j, k]
                if to_values is not None:
                    slope = s.dtype.type(0)
                    for k in range(width):
                        touching = s[i, k] if soft else s[i, k] * s[i, k]
                        slope += lifted[i, k] * s[j, k] + to_volume[b, k] * touching
                    to_values[p] = slope


@numba.njit(nogil=True, cache=True, fastmath=_LOOSE)
def sum_nodes(s: Array, x: Array, ptr: Array, squares: Array, pooled: Array) -> None:
    """Σ_i S_ik² ``[B, K]`` and SᵀX ``[B, K, F]`` of every graph."""
    for b in range(len(ptr) - 1):
        for i in range(ptr[b], ptr[b + 1]):
            for k in range(s.shape[1]):
                member = s[i, k]
                squares[b, k] += member * member
                for f in range(x.shape[1]):
                    pooled[b, k, f] += member * x[i, f]


@numba.njit(nogil=True, cache=True, fastmath=_LOOSE)
def back_nodes(s: Array, x: Array, ptr: Array, to_squares: Array, to_pooled: Array, to_s: Array, to_x: Array) -> None:
    """What `sum_nodes` hands back: with Y the gradient of SᵀX, X Yᵀ + 2 S q to S, which is added, and S Y to X."""
    for b in range(len(ptr) - 1):
        for i in range(ptr[b], ptr[b + 1]):
            for k in range(s.shape[1]):
                member = s[i, k]
                slope = (member + member) * to_squares[b, k]
                for f in range(x.shape[1]):
                    slope += x[i, f] * to_pooled[b, k, f]
                to_s[i, k] += slope
                for f in range(x.shape[1]):
                    to_x[i, f] += member * to_pooled[b, k, f]
