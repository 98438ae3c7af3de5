from __future__ import annotations

import math

import networkx as nx
import numpy as np
import pytest

import hoscpool as hp
from hoscpool.science.profile import _statistics


def test_columns_and_counts() -> None:
    graph = nx.karate_club_graph()
    table = hp.motif_profile(graph, ["triangle", "cycle4", "butterfly"][:2], samples=20, random_state=0)
    assert list(table.columns) == ["count", "mean", "std", "z", "significance", "p"]
    assert list(table.index) == ["triangle", "cycle4"]
    assert table.loc["triangle", "count"] == 45
    assert np.isfinite(table.to_numpy()).all()
    assert math.isclose((table["significance"] ** 2).sum(), 1)
    assert 0 < table.attrs["edges_kept"] < 1


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_reproducible_with_any_number_of_jobs(n_jobs: int) -> None:
    graph = nx.gnp_random_graph(40, 0.1, seed=1, directed=True)
    first = hp.motif_profile(graph, samples=10, random_state=3, n_jobs=1)
    again = hp.motif_profile(graph, samples=10, random_state=3, n_jobs=n_jobs)
    assert first.equals(again)
    assert list(first.index) == [f"M{i}" for i in range(1, 14)]
    assert not first.equals(hp.motif_profile(graph, samples=10, random_state=4))


def test_a_clustered_graph_has_more_triangles_than_chance_and_a_random_one_has_not() -> None:
    clustered = hp.motif_profile(nx.connected_caveman_graph(12, 5), ["triangle"], samples=40, random_state=0)
    assert clustered.loc["triangle", "z"] > 10
    assert clustered.loc["triangle", "p"] == pytest.approx(2 / 41)
    random = hp.motif_profile(nx.gnm_random_graph(60, 150, seed=0), ["triangle"], samples=40, random_state=0)
    assert abs(random.loc["triangle", "z"]) < 3
    assert random.loc["triangle", "p"] > 0.05


def test_statistics_by_hand() -> None:
    drawn = np.array([[1.0, 5, 2, 0], [3.0, 5, 2, 0], [2.0, 5, 2, 0]])
    table = _statistics(np.array([4.0, 5, 9, 0]), drawn)
    assert table["mean"].tolist() == [2, 5, 2, 0]
    assert table["z"].tolist() == [2, 0, math.inf, 0]
    assert table["significance"].tolist() == [0, 0, 1, 0]
    assert table["p"].tolist() == [0.5, 1, 0.5, 1]
    same = _statistics(np.array([5.0]), np.full((3, 1), 5.0))
    assert same["significance"].tolist() == [0]
    finite = _statistics(np.array([4.0, 0]), np.array([[1.0, 1], [3.0, 3]]))
    assert np.linalg.norm(finite["significance"]) == pytest.approx(1)
    assert np.sign(finite["significance"]).tolist() == [1, -1]


def test_keep_mutual() -> None:
    rng = np.random.default_rng(0)
    A = np.triu(rng.random((40, 40)) < 0.1, 1)
    A = A | (A.T & (rng.random((40, 40)) < 0.6))
    graph = hp.as_graph(A.astype(float), directed=True)
    kept = hp.motif_profile(graph, ["mutual", "M13"], samples=10, keep_mutual=True, random_state=0)
    assert kept.loc["mutual", "std"] == 0
    assert kept.loc["mutual", "z"] == 0
    free = hp.motif_profile(graph, ["mutual"], samples=10, random_state=0)
    assert free.loc["mutual", "mean"] < free.loc["mutual", "count"] / 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"null": "gnp"}, "unknown null model 'gnp'"),
        ({"samples": 1}, "samples: expected a whole number of at least 2"),
        ({"samples": -5}, "samples"),
        ({"samples": 2.5}, "samples"),
        ({"swaps_per_edge": 0}, "swaps_per_edge: expected a number above 0"),
        ({"keep_mutual": True}, "keep_mutual: expected a directed graph"),
        ({"motifs": ["M5"]}, "M5 is directed"),
        ({"n_jobs": 0}, "must be at least 1"),
        ({"random_state": "x"}, "random_state"),
    ],
)
def test_bad_arguments(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        hp.motif_profile(nx.karate_club_graph(), **{"motifs": ["triangle"], **options})  # type: ignore[arg-type]
