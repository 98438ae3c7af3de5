"""Counts on pairs of nodes that are not joined. The result can be much larger than the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

from hoscpool.motifs.counting.matcher import ON_EDGES_ADVICE
from hoscpool.motifs.counting.skeleton import IntArray, Skeleton, csr, index_kind
from hoscpool.support.machine import available_memory, require_memory
from hoscpool.support.threads import run_ranges

_BYTES_PER_ENTRY = 2 * 12  # an int64 count and an int32 column, once in a block of rows and once in the result
_BLOCK = 1 << 22
_DENSE_IS_FINE = 2000  # up to this many nodes even a full matrix fits in memory
_SAMPLED_CELLS = 200_000_000

Rows = Callable[[int, int], sp.csr_array]
"""Computes rows ``start`` to ``stop`` of a matrix."""


def common_sums(skeleton: Skeleton, node_values: IntArray, binomial: bool = False) -> sp.csr_array:
    """Σ_{k ∈ N(i) ∩ N(j)} node_values[k] for pairs not joined. With ``binomial`` the sum s becomes s·(s−1)/2."""
    if skeleton.is_small:
        A = structure(skeleton)
        result = products_apart(skeleton, [(A, sp.diags_array(node_values, dtype=np.int64), A)])
        if binomial:
            result.data = result.data * (result.data - 1) // 2
            result.eliminate_zeros()
        return result
    from hoscpool.motifs.kernels.common_neighbours import common_sums as kernel

    return _assemble(skeleton, _kernel_rows(skeleton, kernel, node_values, binomial), "counting common neighbours")


def common_edges(skeleton: Skeleton) -> sp.csr_array:
    """Number of edges inside N(i) ∩ N(j) for pairs not joined."""
    if skeleton.is_small:
        return _small_common_edges(skeleton)
    from hoscpool.motifs.kernels.common_neighbours import common_edges as kernel

    return _assemble(skeleton, _kernel_rows(skeleton, kernel), "counting diamonds")


def products_apart(skeleton: Skeleton, products: list[tuple[Any, ...]]) -> sp.csr_array:
    """The sum of matrix products, kept only where i ≠ j and i, j are not joined."""
    joined = sp.csr_array(structure(skeleton) + sp.eye_array(skeleton.num_nodes, dtype=np.int64))
    return _of_products(skeleton, products, _sum, lambda block, i, j: block - block.multiply(joined[i:j]))


def products_between(skeleton: Skeleton, products: list[tuple[Any, ...]], on_edges: bool) -> sp.csr_array:
    """The sum of matrix products, kept only where i ≠ j, and with ``on_edges`` only where i, j are joined."""
    return combined_between(skeleton, products, _sum, on_edges)


def combined_between(
    skeleton: Skeleton, products: list[tuple[Any, ...]], combine: Callable[..., Any], on_edges: bool
) -> sp.csr_array:
    """A function of the entries of several matrix products, kept as in `products_between`."""
    if on_edges:
        joined = structure(skeleton)
        return _of_products(skeleton, products, combine, lambda block, i, j: block.multiply(joined[i:j]))
    diagonal = sp.csr_array(sp.eye_array(skeleton.num_nodes, dtype=np.int64))
    return _of_products(skeleton, products, combine, lambda block, i, j: block - block.multiply(diagonal[i:j]))


def _sum(*blocks: sp.csr_array) -> sp.csr_array:
    first, *others = blocks
    return sum(others, start=first)


def _of_products(
    skeleton: Skeleton,
    products: list[tuple[Any, ...]],
    combine: Callable[..., Any],
    keep: Callable[[Any, int, int], Any],
) -> sp.csr_array:
    def rows(start: int, stop: int) -> sp.csr_array:
        blocks = []
        for first, *others in products:
            block = sp.csr_array(first[start:stop])
            for factor in others:
                block = block @ factor
            blocks.append(sp.csr_array(block))
        total = sp.csr_array(keep(sp.csr_array(combine(*blocks)), start, stop))
        total.eliminate_zeros()
        total.sort_indices()
        return total

    steps = max(sum(isinstance(factor, sp.csr_array) for factor in factors) for factors in products)
    return _assemble(skeleton, rows, "multiplying sparse matrices", steps)


def structure(skeleton: Skeleton) -> sp.csr_array:
    """A as int64."""
    size = len(skeleton.indices)
    return csr(skeleton.indptr.astype(index_kind(size)), skeleton.indices, np.ones(size, np.int64))


def _small_common_edges(skeleton: Skeleton) -> sp.csr_array:
    """Two triangles on one edge x–y have two tips. The edge lies in the common neighbourhood of the tips."""
    tips, edges = [], []
    for triangles in skeleton.triangles():
        first, second, third = triangles.T
        edges += [first, second, third]
        tips += [skeleton.target[second], skeleton.target[first], skeleton.source[first]]
    tip, edge = np.concatenate(tips), np.concatenate(edges)
    shape = (skeleton.num_nodes, skeleton.num_edges)
    incidence = sp.csr_array((np.ones(len(tip), np.int64), (tip, edge)), shape=shape)
    return products_apart(skeleton, [(incidence, sp.csr_array(incidence.T))])


def _kernel_rows(skeleton: Skeleton, kernel: Callable[..., int], *options: Any) -> Rows:
    def rows(start: int, stop: int) -> sp.csr_array:
        walks = int(skeleton.node_walks[stop] - skeleton.node_walks[start])
        bound = min(walks, (stop - start) * skeleton.num_nodes)
        ends, indices, data = np.empty(stop - start, np.int64), np.empty(bound, np.int32), np.empty(bound, np.int64)
        count = kernel(skeleton.indptr, skeleton.indices, *options, start, stop, ends, indices, data)
        pointers = np.concatenate(([0], ends))
        return sp.csr_array(
            (data[:count].copy(), indices[:count].copy(), pointers), shape=(stop - start, skeleton.num_nodes)
        )

    return rows


def _assemble(skeleton: Skeleton, rows: Rows, description: str, steps: int = 2) -> sp.csr_array:
    """All rows, in blocks and by several threads. Raise first if the result would not fit in memory.

    ``steps`` is the largest distance of two nodes with an entry. With two steps, a row has at most as many entries as
    walks of two steps begin there.
    """
    walks = int(skeleton.node_walks[-1])
    if steps > 2 or walks * _BYTES_PER_ENTRY > available_memory():
        _refuse_if_too_large(skeleton, rows)
    blocks: dict[int, sp.csr_array] = {}

    def make() -> Callable[[int, int], None]:
        return lambda start, stop: blocks.__setitem__(start, rows(start, stop))

    pieces = walks * (1 if steps == 2 else 16) // _BLOCK + 1
    ranges = run_ranges(make, skeleton.node_walks, pieces, skeleton.n_threads, description)
    if not blocks:
        return sp.csr_array((skeleton.num_nodes, skeleton.num_nodes), dtype=np.int64)
    return sp.csr_array(sp.vstack([blocks[start] for start, _ in ranges], format="csr"))


def _refuse_if_too_large(skeleton: Skeleton, rows: Rows) -> None:
    """Estimate the size of the result from rows spread evenly over the degrees."""
    num_nodes = skeleton.num_nodes
    if num_nodes <= _DENSE_IS_FINE:
        return
    by_degree = np.argsort(skeleton.degree, kind="stable")
    size = min(1000, max(50, _SAMPLED_CELLS // num_nodes))
    sample = by_degree[np.linspace(0, num_nodes - 1, size).astype(np.int64)]
    entries = sum(rows(i, i + 1).nnz for i in sample.tolist())
    needed = int(entries / size * num_nodes * _BYTES_PER_ENTRY)
    require_memory(needed, f"the motif adjacency over all pairs of {num_nodes:,} nodes", ON_EDGES_ADVICE)
