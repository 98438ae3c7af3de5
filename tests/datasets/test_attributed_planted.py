"""Graphs with features of several kinds: what they look like, and how strongly they follow the communities."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from hoscpool.datasets import attributed_communities
from hoscpool.graph import Graph

KINDS = ("words", "counts", "shares", "tfidf", "numbers", "scales")


def make(kind: Any = "words", **given: Any) -> Graph:
    return attributed_communities(**{"num_nodes": 500, "num_edges": 3000, "num_communities": 4, "num_features": 40,
                                     "kind": kind, "random_state": 0, **given})  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_the_seed_alone_decides(kind: str) -> None:
    first, second, other = make(kind), make(kind), make(kind, random_state=1)
    assert (first.adjacency != second.adjacency).nnz == 0
    assert (first.adjacency != other.adjacency).nnz > 0
    difference: Any = first.features != second.features
    assert not difference.sum()
    assert first.num_nodes == 500
    assert 2200 < first.num_edges <= 3000
    assert not first.is_directed
    assert not first.is_weighted
    assert np.unique(np.asarray(first.labels)).tolist() == [0, 1, 2, 3]
    assert first.features is not None
    assert first.features.shape == (500, 40)


def test_kinds_look_as_they_should() -> None:
    tables: list[Any] = [make(kind).features for kind in KINDS]
    words, counts, shares, tfidf, numbers, scales = tables
    for table in (words, counts, shares, tfidf):
        assert sp.issparse(table)
        assert table.data.min() > 0
    assert set(words.data) == {1}
    assert (counts.data == counts.data.round()).all()
    assert counts.data.max() > 1
    np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-5)
    np.testing.assert_array_equal(tfidf.indices, shares.indices)
    ratio = tfidf.data / shares.data
    assert len(np.unique(ratio.round(4))) > 10
    spread = np.asarray(numbers).std(axis=0), np.asarray(scales).std(axis=0)
    assert spread[0].max() < 3 * spread[0].min()
    assert spread[1].max() > 1e4 * spread[1].min()


def inside(graph: Graph) -> float:
    arcs = sp.coo_array(graph.adjacency)
    labels = np.asarray(graph.labels)
    return float(np.mean(labels[arcs.row] == labels[arcs.col]))


def test_mixing_is_the_share_of_edges_drawn_anywhere() -> None:
    size: dict[str, Any] = {"num_nodes": 5000, "num_edges": 10_000, "size_spread": 0.0}  # few edges are drawn twice
    assert inside(make(mixing=1.0, **size)) == pytest.approx(0.25, abs=0.03)
    assert inside(make(mixing=0.0, **size)) == 1
    assert inside(make(mixing=0.4, **size)) == pytest.approx(0.6 + 0.4 * 0.25, abs=0.04)


def between(graph: Graph) -> float:
    """Share of the variance of the features that lies between the communities."""
    x = np.asarray(graph.features, dtype=float)
    labels = np.asarray(graph.labels)
    centres = np.stack([x[labels == k].mean(axis=0) for k in range(4)])[labels]
    return float(((centres - x.mean(axis=0)) ** 2).sum() / ((x - x.mean(axis=0)) ** 2).sum())


def test_signal_is_how_strongly_features_follow() -> None:
    none, some, much = (between(make("numbers", signal=signal)) for signal in (0.0, 4.0, 20.0))
    assert none < 0.02
    assert 0.05 < some < much


def test_degrees_are_uneven() -> None:
    degree = np.diff(make(num_nodes=2000, num_edges=20_000).indptr)
    assert degree.max() > 4 * degree.mean()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"kind": "pictures"}, "kind"),
        ({"signal": -1.0}, "signal: expected 0 or more"),
        ({"groups": 0}, "groups: expected 1 or more"),
        ({"mixing": 1.5}, "mixing: expected a share"),
        ({"degree_exponent": 2.0}, "degree_exponent: expected a number above 2"),
        ({"words": 0.0}, "words: expected a mean number above 0"),
        ({"num_communities": 501}, "num_communities"),
    ],
)
def test_wrong_arguments_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make(**given)
