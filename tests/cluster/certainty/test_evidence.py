"""The attributes of a fitted model: on first use, after another fit, after saving."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from hoscpool.cluster import HoscClustering
from hoscpool.cluster.certainty import evidence as evidence_module
from hoscpool.cluster.certainty.evidence import COUNT, further_runs, thinned
from hoscpool.cluster.saving import _tensors
from hoscpool.graph import Graph, as_graph
from hoscpool.support.errors import ignoring

QUICK: dict[str, Any] = {"random_state": 0, "n_init": 1}


@pytest.mark.parametrize("solver", ["network", "multilevel"])
def test_clear_clusters_are_sure(bare: Graph, solver: str) -> None:
    model = HoscClustering(3, solver=solver, **QUICK).fit(bare)
    assert model.graph_ is bare
    assert model.confidence_.dtype == np.float32
    assert model.confidence_.min() > 0.9
    assert (model.second_choice_ != model.labels_).all()
    assert not model.between_.any()
    assert model.confidence_ is model.confidence_  # computed once


def test_a_new_fit_has_a_new_confidence(bare: Graph) -> None:
    model = HoscClustering(3, solver="multilevel", **QUICK).fit(bare)
    first = model.confidence_
    assert len(model.fit(as_graph(nx.karate_club_graph())).confidence_) == 34 != len(first)


def test_weights_directions_and_features(cliques: Graph) -> None:
    directed = nx.DiGraph(nx.les_miserables_graph())
    with pytest.warns(UserWarning, match="directed"):
        model = HoscClustering(5, solver="multilevel", motifs={"edge": 1, "M4": 1}, **QUICK).fit(directed)
    assert ((model.confidence_ >= 0) & (model.confidence_ <= 1)).all()
    assert HoscClustering(3, random_state=0).fit(cliques).confidence_.min() > 0.9


@pytest.mark.filterwarnings("ignore")
def test_of_points_alone_the_features_tell() -> None:
    rng = np.random.default_rng(0)
    points = np.concatenate([rng.normal(size=(40, 2)), rng.normal(size=(40, 2)) + 3])
    model = HoscClustering(2, random_state=0).fit(points)
    middle = np.abs(points.sum(axis=1) - 3).argsort()[:3]
    assert model.confidence_[middle].mean() < model.confidence_.mean() - 0.1


@pytest.mark.parametrize("solver", ["network", "multilevel"])
def test_it_is_saved_and_copied(bare: Graph, tmp_path: Path, solver: str) -> None:
    model = HoscClustering(3, solver=solver, **QUICK).fit(bare)
    copied = pickle.loads(pickle.dumps(model))
    model.save(tmp_path)
    loaded = HoscClustering.load(tmp_path)
    assert loaded.graph_ is None
    for other in (copied, loaded):
        for name in ("confidence_", "second_choice_", "between_"):
            np.testing.assert_array_equal(getattr(other, name), getattr(model, name))


def test_models_without_confidence(bare: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = HoscClustering(3, **QUICK)
    assert not hasattr(model, "confidence_")
    with pytest.raises(NotFittedError, match="is not fitted yet"):
        _ = model.confidence_
    model.fit(bare)
    with monkeypatch.context() as patch:
        patch.setattr("hoscpool.cluster.saving.saved_confidence", lambda _: {})
        model.save(tmp_path / "old")
    loaded = HoscClustering.load(tmp_path / "old")
    assert not loaded.knows_confidence
    with pytest.raises(NotFittedError, match="earlier version"):
        _ = loaded.second_choice_
    wrong = {**_tensors(model)}
    wrong["confidence_"] = wrong["confidence_"] * 7
    with monkeypatch.context() as patch:
        patch.setattr("hoscpool.cluster.saving._tensors", lambda _: wrong)
        model.save(tmp_path / "wrong")
    with pytest.raises(ValueError, match="confidence does not fit"):
        HoscClustering.load(tmp_path / "wrong")


def test_one_cluster_is_certain(bare: Graph) -> None:
    model = HoscClustering(1, solver="multilevel", **QUICK).fit(bare)
    assert model.confidence_.tolist() == [1.0] * 24
    assert model.second_choice_.tolist() == [-1] * 24


def test_a_tenth_of_the_edges_is_left_out() -> None:
    graph = as_graph(nx.gnm_random_graph(200, 4000, seed=0))
    one, other = thinned(graph, 0.1, 0), thinned(graph, 0.1, 1)
    assert 3500 < one.num_edges < 3700
    assert one != other
    assert one == thinned(graph, 0.1, 0)
    assert not (one.adjacency - graph.adjacency.multiply(one.adjacency)).nnz


@pytest.mark.parametrize("solver", ["network", "multilevel"])
def test_they_find_clear_clusters_again(bare: Graph, solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    starts = "spectral" if solver == "network" else None  # so that no block model follows, which has a search beside it
    model = HoscClustering(3, solver=solver, random_state=0, n_init=1, starts=starts).fit(bare)
    found = further_runs(model, bare, 1, built=False)
    assert len(found) == COUNT
    for labels in found:
        assert len(set(zip(labels.tolist(), model.labels_.tolist(), strict=True))) == 3
    monkeypatch.setattr(evidence_module, "QUICK", 5)
    assert further_runs(model, bare, 1, built=False) == []


def test_enough_restarts_and_other_starts_need_none(bare: Graph, cliques: Graph) -> None:
    model = HoscClustering(3, solver="multilevel", random_state=0, n_init=3).fit(bare)
    assert further_runs(model, bare, 3, built=False) == []
    assert further_runs(HoscClustering(3, random_state=0).fit(cliques), cliques, 1, built=False) == []
    with_search = HoscClustering(3, **QUICK).fit(bare)
    assert with_search.network_ is None
    assert further_runs(with_search, bare, 2, built=False) == []


def test_a_motif_that_is_gone_gives_no_run() -> None:
    graph = as_graph(nx.Graph([(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 6)]))
    with ignoring():
        model = HoscClustering(2, starts="motif-spectral", max_epochs=2, n_init=1, random_state=0).fit(graph)
    model.start_ = "motif-spectral"
    found = further_runs(model, graph, 1, built=False)
    assert len(found) < COUNT
    assert all(isinstance(labels, np.ndarray) for labels in found)
