"""Presets, and parameters in their place."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

from hoscpool.cluster import HoscClustering, presets
from hoscpool.cluster.presets import PRESETS, choose_solver, explained_by_clusters, resolve_settings
from hoscpool.datasets import planted_communities
from hoscpool.graph import Graph, as_graph


def test_the_papers_preset_is_the_papers() -> None:
    paper = PRESETS["paper"]
    assert (paper.hidden, paper.max_epochs, paper.learning_rate) == (32, 500, 1e-3)
    assert (paper.clip, paper.patience, paper.decay_patience) == (2.0, 200, 25)
    assert (paper.message_passing, paper.starts, paper.warm_epochs, paper.n_init) == (True, ("raw",), 0, 1)
    assert paper.feature_weight is None


def test_none_is_the_presets_value_and_others_are_not_looked_at() -> None:
    settings = resolve_settings("paper", {"hidden": None, "max_epochs": 3, "starts": "spectral", "mu": 5})
    assert (settings.hidden, settings.max_epochs, settings.starts) == (32, 3, ("spectral",))


def test_numpys_numbers_are_numbers() -> None:
    given = {"max_epochs": np.int64(5), "learning_rate": np.float32(0.5), "consensus": np.bool_(True)}
    settings = resolve_settings("paper", given)
    assert (settings.max_epochs, settings.learning_rate, settings.consensus) == (5, 0.5, True)
    assert type(settings.max_epochs) is int


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"hidden": 0}, "hidden: expected a whole number ≥ 1, got 0"),
        ({"max_epochs": -1}, "max_epochs"),
        ({"n_init": 1.5}, "n_init"),
        ({"patience": True}, "patience"),
        ({"patience": np.bool_(True)}, "patience"),
        ({"feature_weight": 1.0}, "feature_weight: expected a share from 0 to below 1, got 1.0"),
        ({"feature_weight": -0.1}, "feature_weight"),
        ({"learning_rate": 0}, "learning_rate: expected a number above 0"),
    ],
)
def test_bad_values(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        resolve_settings("robust", given)


def test_unknown_preset() -> None:
    with pytest.raises(ValueError, match=r"unknown preset .* Did you mean .paper."):
        resolve_settings("papre", {})


@pytest.fixture(scope="module")
def plain() -> Graph:
    """A graph without features."""
    return planted_communities(400, 3_000, 4, random_state=100)


def chosen(graph: Graph, built: bool = False, **given: Any) -> tuple[str, str]:
    choice = choose_solver(HoscClustering(4, **given), graph, built)
    return choice.name, choice.reason


@pytest.fixture
def _everything_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presets, "SMALL", 100)


def test_a_small_graph_takes_the_network(plain: Graph) -> None:
    name, reason = chosen(plain)
    assert name == "network"
    assert f"{plain.num_edges:,} edges" in reason


@pytest.mark.usefixtures("_everything_is_large")
def test_a_large_graph_takes_the_search(plain: Graph) -> None:
    name, reason = chosen(plain)
    assert name == "multilevel"
    assert "has no features" in reason


@pytest.mark.usefixtures("_everything_is_large")
def test_features_count_where_they_follow_edges() -> None:
    graph = planted_communities(600, 5_000, 4, num_features=16, random_state=100)
    assert chosen(graph) == ("network", "joined nodes have similar features")
    shuffled = np.random.default_rng(0).permutation(np.asarray(graph.features))
    name, reason = chosen(replace(graph, features=shuffled))
    assert (name, "do not follow its edges" in reason) == ("multilevel", True)
    assert chosen(replace(graph, features=np.ones((600, 2), np.float32)))[0] == "multilevel"
    assert chosen(graph, built=True)[0] == "network"


@pytest.mark.usefixtures("_everything_is_large")
def test_weak_features_are_left_out_beside_strong_structure(tmp_path: Path) -> None:
    """Noise with a trace of the class: features follow the edges, but say far less than these."""
    graph = planted_communities(900, 9_000, 5, mixing=0.1, random_state=3)
    rng = np.random.default_rng(0)
    weak = np.eye(5)[np.asarray(graph.labels)] + rng.normal(0, 2.5, (900, 5))
    graph = replace(graph, features=weak.astype(np.float32))
    name, reason = chosen(graph)
    assert (name, "far more than its features, which are left out" in reason) == ("multilevel", True)
    assert chosen(graph, feature_weight=0.2)[0] == "network", "who gives features a weight wants them"
    model = HoscClustering(5, random_state=0).fit(graph)
    bare = HoscClustering(5, random_state=0, solver="multilevel").fit(replace(graph, features=None))
    np.testing.assert_array_equal(model.labels_, bare.labels_)
    assert (model.feature_weight_, model.network_) == (0.0, None)
    grown = graph.subgraph(np.arange(800))
    np.testing.assert_array_equal(model.predict(grown), bare.predict(replace(grown, features=None)))
    model.save(tmp_path)
    np.testing.assert_array_equal(HoscClustering.load(tmp_path).predict(grown), model.predict(grown))


@pytest.mark.parametrize("weighted", [False, True])
def test_what_clusters_explain_is_the_modularity_of_held_back_edges(weighted: bool) -> None:
    graph = planted_communities(300, 3_000, 3, mixing=0.2, random_state=3)
    edges = nx.from_scipy_sparse_array(graph.adjacency)
    if weighted:
        rng = np.random.default_rng(1)
        for _, _, data in edges.edges(data=True):
            data["weight"] = float(rng.uniform(0.5, 2))
    found = explained_by_clusters(as_graph(edges), 3)
    full = nx.community.modularity(edges, [set(np.flatnonzero(graph.labels == c).tolist()) for c in range(3)])
    assert found == pytest.approx(full / (1 - 1 / 3), abs=0.06)  # the clusters are nearly equal and nearly found
    noise = as_graph(nx.gnm_random_graph(300, 3_000, seed=1))
    assert abs(explained_by_clusters(noise, 3)) < 0.1, "in the sample it would be above .2"
    assert explained_by_clusters(as_graph(nx.path_graph(2)), 1) == 0
    assert explained_by_clusters(as_graph(nx.empty_graph(3)), 2) == 0


@pytest.mark.usefixtures("_everything_is_large")
@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"preset": "paper"}, "preset"),
        ({"max_epochs": 3, "hidden": 8}, "max_epochs, hidden"),
        ({"starts": "spectral"}, "starts"),
        ({"volume": "diagonal"}, "volume"),
        ({"levels": (6,)}, "levels"),
        ({"method": "dmon"}, "method='dmon'"),
    ],
)
def test_parameters_of_a_network_take_the_network(plain: Graph, given: dict[str, Any], words: str) -> None:
    assert chosen(plain, **given) == ("network", f"only a network has {words}")


@pytest.mark.parametrize("solver", ["network", "multilevel"])
def test_what_is_asked_for_is_taken(plain: Graph, solver: str) -> None:
    assert chosen(plain, solver=solver) == (solver, "it was asked for")


def test_calibration_takes_the_search(plain: Graph) -> None:
    assert chosen(plain, calibrate=True)[0] == "multilevel"
    with pytest.raises(ValueError, match="calibrate: only the multilevel solver"):
        chosen(plain, calibrate=True, solver="network")


def test_unknown_names_are_refused(plain: Graph) -> None:
    with pytest.raises(ValueError, match="unknown solver 'annealing'"):
        chosen(plain, solver="annealing")
    with pytest.raises(ValueError, match="unknown method 'magic'"):
        chosen(plain, method="magic")


@pytest.mark.usefixtures("_everything_is_large")
def test_the_fit_says_what_it_took_and_keeps_it(plain: Graph, tmp_path: Path) -> None:
    model = HoscClustering(4, random_state=0).fit(plain)
    assert (model.solver, model.solver_) == ("auto", "multilevel")
    assert "has no features" in model.solver_reason_
    model.save(tmp_path)
    loaded = HoscClustering.load(tmp_path)
    assert (loaded.solver_, loaded.solver_reason_) == (model.solver_, model.solver_reason_)
    same = HoscClustering(4, random_state=0, solver="multilevel").fit(plain)
    np.testing.assert_array_equal(same.labels_, model.labels_)
