"""Fits without training: all kinds of features, other graphs, saving, and when they train all the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

from hoscpool.cluster import HoscClustering
from hoscpool.cluster.assignment_net import CentroidHead, LabelHead
from hoscpool.datasets import attributed_communities
from hoscpool.graph import Graph, as_graph

pytestmark = pytest.mark.filterwarnings(
    "ignore:the graph has .* connected components", "ignore:features and edges", "ignore:1 of 4 clusters are empty"
)


def communities(kind: Any = "words", signal: float = 2.0, **given: Any) -> Graph:
    size = {"num_nodes": 500, "num_edges": 1200, "num_communities": 4, "num_features": 150, "random_state": 0}
    return attributed_communities(**{**size, "kind": kind, "signal": signal, **given})


def fit(graph: Graph, **given: Any) -> HoscClustering:
    return HoscClustering(4, random_state=0, **given).fit(graph)


def agreement(graph: Graph, model: HoscClustering) -> float:
    return float(normalized_mutual_info_score(graph.labels, model.labels_))


@pytest.mark.parametrize("kind", ["words", "counts", "shares", "tfidf", "numbers", "scales"])
def test_it_finds_the_communities_of_every_kind_of_features(kind: str) -> None:
    graph = communities(kind, 8.0, num_features=20) if kind in ("numbers", "scales") else communities(kind)
    model = fit(graph)
    assert agreement(graph, model) > 0.8
    assert (model.start_, model.n_iter_, model.history_, model.feature_weight_) == ("blend", 0, {}, 0)
    assert isinstance(model.network_, CentroidHead)
    assert len(model.runs_) == 10
    assert {run["start"] for run in model.runs_} == {"blend"}


def test_labels_are_the_largest_memberships_and_the_head_gives_them() -> None:
    graph = communities()
    model = fit(graph)
    np.testing.assert_array_equal(model.labels_, model.assignment_.argmax(axis=1))
    copy = as_graph(graph, features=graph.features)
    copy = as_graph(sp.csr_array(copy.adjacency * 1.0), directed=False, features=graph.features)
    np.testing.assert_array_equal(model.predict(copy), model.labels_)


def test_another_graph_of_the_same_kind_gets_the_same_clusters() -> None:
    """The words of one draw belong to the same topics for both halves of the nodes."""
    graph = communities(num_nodes=1200, num_edges=8000)
    parts = [np.flatnonzero(np.arange(1200) % 2 == half) for half in (0, 1)]
    x: Any = graph.features
    first, second = (as_graph(sp.csr_array(graph.adjacency[p][:, p]), directed=False, features=x[p]) for p in parts)
    model = fit(first)
    assert adjusted_rand_score(np.asarray(graph.labels)[parts[1]], model.predict(second)) > 0.8


@pytest.mark.parametrize("weak", [False, True])
def test_saved_and_loaded(weak: bool, tmp_path: Path) -> None:
    graph = communities(num_edges=8000, signal=0.3) if weak else communities()
    model = fit(graph)
    assert isinstance(model.network_, LabelHead if weak else CentroidHead)
    model.save(tmp_path / "model")
    loaded = HoscClustering.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.labels_, model.labels_)
    other = communities(random_state=1)
    np.testing.assert_allclose(loaded.predict_proba(other), model.predict_proba(other), atol=1e-6)


def test_weak_features_are_refined_by_the_objective() -> None:
    graph = communities(num_edges=8000, signal=0.3)
    model = fit(graph)
    assert model.n_iter_ > 0
    assert model.start_ == "blend"
    assert agreement(graph, model) > agreement(graph, fit(graph, starts="smooth-2+4+8+16"))


@pytest.mark.parametrize(
    "given", [{"max_epochs": 3}, {"feature_weight": 0.2, "patience": 2}, {"method": "mincut"}, {"levels": (8,)}]
)
def test_who_asks_for_training_gets_it(given: dict[str, Any]) -> None:
    few = {"max_epochs": 3, "n_init": 1}
    assert fit(communities(), **{**few, **given}).n_iter_ > 0


def test_no_epochs_means_closed_form() -> None:
    assert fit(communities(), max_epochs=0).history_ == {}


def test_the_number_of_restarts_and_consensus() -> None:
    assert len(fit(communities(), n_init=3).runs_) == 3
    model = fit(communities(signal=0.5), consensus=False)
    assert model.objective_ == min(run["hard_objective"] for run in model.runs_)


def test_the_seed_alone_decides() -> None:
    first, second = (fit(communities(signal=0.7), n_jobs=jobs) for jobs in (1, 2))
    np.testing.assert_array_equal(first.assignment_, second.assignment_)


def table(kind: str, labels: Any) -> Any:
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(len(labels), 3)).astype(np.float32)
    return {
        "constant": np.ones((len(labels), 3)),
        "one column": (labels + 0.1 * noise[:, 0])[:, None],
        "one column of zeros and ones": (labels % 2)[:, None].astype(float),
        "wide": sp.csr_array(sp.random_array((len(labels), 100_000), density=2e-4, random_state=rng)) + sp.csr_array(
            (np.ones(len(labels)), (np.arange(len(labels)), labels)), shape=(len(labels), 100_000)),
        "dense": np.eye(4)[labels] @ rng.normal(size=(4, 200)) + rng.normal(size=(len(labels), 200)),
        "mixed scale": np.c_[1e8 * labels, 1e-8 * (labels % 2), noise],
        "empty columns": np.c_[labels, 0 * noise],
        "sparse with empty rows": sp.csr_array(np.eye(4)[labels] * (np.arange(len(labels)) % 5 > 0)[:, None]),
    }[kind]  # fmt: skip


KINDS = ("constant", "one column", "one column of zeros and ones", "wide", "dense", "mixed scale", "empty columns",
         "sparse with empty rows")  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_features_of_odd_shape(kind: str) -> None:
    graph = communities("numbers", 0.0, mixing=0.1, num_edges=2500)
    labels = np.asarray(graph.labels)
    model = HoscClustering(4, random_state=0).fit(table(kind, labels), graph=graph)
    assert np.isfinite(model.assignment_).all()
    assert np.isfinite(model.objective_)
    assert normalized_mutual_info_score(labels, model.labels_) > 0.7


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_values_that_are_no_numbers_are_refused(value: float) -> None:
    graph = communities()
    x = np.ones((500, 3))
    x[7, 1] = value
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        HoscClustering(4).fit(x, graph=graph)


def test_sparse_features_stay_sparse(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = communities(num_features=2000)

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a wide sparse table became dense")

    toarray = sp.csr_array.toarray
    monkeypatch.setattr(
        sp.csr_array, "toarray", lambda self, *a, **k: refuse() if self.shape[1] == 2000 else toarray(self, *a, **k)
    )
    assert agreement(graph, fit(graph)) > 0.8


def test_a_table_alone() -> None:
    rng = np.random.default_rng(0)
    labels = np.arange(300) % 4
    x = 8 * np.eye(4)[labels] @ rng.normal(size=(4, 6)) + rng.normal(size=(300, 6))
    model = HoscClustering(4, random_state=0).fit(x)
    assert model.start_ == "blend"
    assert adjusted_rand_score(labels, model.labels_) > 0.95
    assert adjusted_rand_score(labels, model.predict(x + 0.01)) > 0.95
