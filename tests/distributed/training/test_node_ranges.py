"""Ranges of nodes: everybody once, equal work, neighbours together."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from hoscpool.distributed.training.node_ranges import NodeRanges, cut_nodes


def two_groups() -> sp.csr_array:
    """Two groups of 50 whose nodes take turns, with a bridge."""
    rng = np.random.default_rng(0)
    group = np.arange(100) % 2
    joined = np.triu((rng.random((100, 100)) < 0.3) & (group[:, None] == group), 1)
    joined[0, 1] = True
    return sp.csr_array((joined | joined.T).astype(float))


def test_the_cut_follows_the_groups_and_shares_the_work() -> None:
    ranges = cut_nodes(two_groups(), 2)
    parts = ranges.deal(np.arange(100))
    assert sorted(np.concatenate(parts)) == list(range(100))
    purity = [np.bincount(part % 2, minlength=2).max() for part in parts]
    assert min(purity) >= len(parts[0]) - 3 >= 40


@pytest.mark.parametrize(("nodes", "parts"), [(0, 2), (1, 3), (5, 5), (3, 8)])
def test_more_ranks_than_nodes(nodes: int, parts: int) -> None:
    ranges = cut_nodes(sp.csr_array((nodes, nodes)), parts)
    assert len(ranges.bounds) == parts + 1
    assert (np.diff(ranges.bounds) >= 0).all()
    assert np.array_equal(ranges.restore(ranges.deal(np.arange(nodes))), np.arange(nodes))


def test_rows_have_columns_in_the_new_order() -> None:
    matrix = two_groups()
    order = np.random.default_rng(1).permutation(100)
    rows = NodeRanges(order, np.array([0, 30, 30, 100])).rows_of(matrix)
    assert [part.shape[0] for part in rows] == [30, 0, 70]
    assert (sp.vstack(rows).toarray() == matrix.toarray()[np.ix_(order, order)]).all()
