"""`HoscClustering(solver="multilevel")`: a fit without a network that is a full member of the estimator."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
import torch
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score

from hoscpool import datasets
from hoscpool.cluster import HoscClustering, multilevel_fit, select_k
from hoscpool.cluster.engine import Engine
from hoscpool.cluster.inputs import motif_matrices
from hoscpool.cluster.objective import cut_weights
from hoscpool.graph import Graph, as_graph
from hoscpool.objectives import hosc_loss
from hoscpool.support.errors import GraphWarning


def multilevel(n_clusters: int | str = 3, **more: Any) -> HoscClustering:
    return HoscClustering(n_clusters, **{"solver": "multilevel", "random_state": 0, **more})


def hard_loss(matrices: dict[str, sp.csr_array], weights: dict[str, float], labels: Any, k: int, mu: float) -> float:
    """The paper's loss of a one-hot assignment, in float64."""
    s = torch.nn.functional.one_hot(torch.from_numpy(np.asarray(labels)), k).double()
    dense = {name: torch.from_numpy(matrix.toarray().astype(np.float64)) for name, matrix in matrices.items()}
    return float(hosc_loss(dense, s, weights, mu).total)


def test_the_attributes_of_a_fit(bare: Graph) -> None:
    model = multilevel(n_init=3).fit(bare)
    assert adjusted_rand_score(bare.labels, model.labels_) == 1
    assert model.labels_.dtype == np.int64
    assert model.assignment_.dtype == np.float32
    np.testing.assert_array_equal(model.assignment_.argmax(axis=1), model.labels_)
    np.testing.assert_allclose(model.assignment_.sum(axis=1), 1, rtol=1e-6)
    assert (model.n_clusters_, model.history_, model.interrupted_, model.start_) == (3, {}, False, "multilevel")
    assert (model.motifs_, model.feature_weight_) == ({"edge": 0.5, "triangle": 0.5}, 0.0)
    assert model.n_iter_ >= 1
    assert model.objective_ == model.runs_[model.kept_run_]["hard_objective"]
    keys = {"start", "hard_objective", "objective", "levels", "mu", "live_clusters", "seconds"}
    assert [set(run) for run in model.runs_] == [keys] * 3
    np.testing.assert_array_equal(model.coarse_.sizes, [8, 8, 8])
    assert [level.n_clusters for level in model.hierarchy([3, 2, 1])] == [3, 2, 1]


WEIGHTED = {"edge": 0.3, "triangle": 0.5, "wedge": 0.2}


@pytest.mark.parametrize("motifs", [None, WEIGHTED, {"clique4": 1.0}, {"M1": 0.5, "edge": 0.5}])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.filterwarnings("ignore::hoscpool.support.errors.GraphWarning")
def test_the_objective_is_that_of_the_labels(motifs: dict[str, float] | None, directed: bool) -> None:
    rng = np.random.default_rng(0)
    drawn = sp.random_array((60, 60), density=0.15, random_state=rng)
    matrix = sp.csr_array((rng.integers(1, 4, drawn.nnz), drawn.coords), shape=drawn.shape)
    graph = as_graph(sp.csr_array(matrix if directed else matrix + matrix.T), directed=directed)
    model = multilevel(4, motifs=motifs, mu=0.2).fit(graph)
    matrices = motif_matrices(graph, model.motifs_)
    run = model.runs_[0]
    assert model.objective_ == pytest.approx(hard_loss(matrices, model.motifs_, model.labels_, 4, 1.0), abs=1e-6)
    found = hard_loss(matrices, model.motifs_, model.labels_, 4, run["mu"])
    assert run["objective"] == pytest.approx(found, abs=1e-6)


def test_weights_of_edges_count(bare: Graph) -> None:
    """Ten edges between two cliques, made heavy, put both into one cluster."""
    links = bare.adjacency.toarray()
    links[:8, 8:16] = links[8:16, :8] = 30.0
    heavy = as_graph(sp.csr_array(links), directed=False)
    labels = multilevel(2).fit(heavy).labels_
    assert len(set(labels[:16])) == len(set(labels[16:])) == 1
    assert labels[0] != labels[16]


def test_directions_are_seen_by_directed_motifs_only() -> None:
    arcs = nx.DiGraph([(a + s, b + s) for s in (0, 3, 6) for a, b in ((0, 1), (1, 2), (2, 0))] + [(0, 3), (4, 7)])
    with pytest.warns(GraphWarning, match="directed"):
        model = multilevel(3, motifs={"M1": 1.0}).fit(arcs)
    assert adjusted_rand_score(np.arange(9) // 3, model.labels_) == 1


def test_isolated_nodes_belong_to_their_own_cluster() -> None:
    graph = nx.disjoint_union(nx.connected_caveman_graph(2, 6), nx.empty_graph(3))
    with pytest.warns(GraphWarning, match="components"):
        model = multilevel(2).fit(graph)
    assert set(model.labels_) == {0, 1}
    np.testing.assert_array_equal(model.assignment_[12:], np.eye(2, dtype=np.float32)[model.labels_[12:]])


def test_similar_features_are_one_more_cut(cliques: Graph) -> None:
    model = multilevel().fit(cliques)
    assert model.feature_weight_ == 0.2
    assert set(model.coarse_.matrices) == {"edge", "triangle", "features"}
    weights = cut_weights(model.motifs_, 0.2)
    small = {name: sp.csr_array(matrix) for name, matrix in model.coarse_.matrices.items()}
    balanced = hard_loss(small, weights, np.arange(3), 3, 0.0)  # the clusters have one size: L_o is 0
    assert model.objective_ == pytest.approx(balanced, abs=1e-6)
    assert multilevel(feature_weight=0.0).fit(cliques).feature_weight_ == 0
    network = HoscClustering(3, max_epochs=1, n_init=1, starts="smooth-2", random_state=0).fit(cliques)
    np.testing.assert_array_equal(
        network.coarse_.matrices["features"].sum(), model.coarse_.matrices["features"].sum()
    )  # the same graph of similar features


def test_the_label_leads_where_most_weight_goes_elsewhere() -> None:
    """As many clusters as nodes: all weight of a node goes to others."""
    model = multilevel(6).fit(nx.complete_graph(6))
    assert sorted(model.labels_) == list(range(6))
    np.testing.assert_array_equal(model.predict(nx.complete_graph(6)), model.labels_)


def test_the_same_seed_gives_the_same_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = datasets.planted_communities(600, 4000, 6, mixing=0.4, random_state=1)
    labels = multilevel(6).fit(graph).labels_
    np.testing.assert_array_equal(multilevel(6).fit(graph).labels_, labels)
    monkeypatch.setattr(multilevel_fit, "WORTH_THREADS", 1)  # threads from the first node on
    np.testing.assert_array_equal(multilevel(6).fit(graph).labels_, labels)


@pytest.mark.parametrize("features", [False, True])
def test_a_saved_model_is_the_same(cliques: Graph, bare: Graph, tmp_path: Path, features: bool) -> None:
    graph = cliques if features else bare
    model = multilevel(motifs={"edge": 0.3, "triangle": 0.7}).fit(graph)
    model.save(tmp_path)
    loaded = HoscClustering.load(tmp_path)
    assert loaded.get_params() == model.get_params()
    assert (loaded.objective_, loaded.runs_, loaded.history_) == (model.objective_, model.runs_, {})
    np.testing.assert_array_equal(loaded.labels_, model.labels_)
    np.testing.assert_array_equal(loaded.predict_proba(graph), model.assignment_)
    np.testing.assert_array_equal(loaded.hierarchy([2])[0].labels, model.hierarchy([2])[0].labels)
    if features:
        part = graph.subgraph(np.arange(16))
        np.testing.assert_array_equal(loaded.predict_proba(part), model.predict_proba(part))


def test_features_place_the_nodes_of_another_graph(cliques: Graph) -> None:
    model = multilevel().fit(cliques)
    order = np.random.default_rng(3).permutation(24)
    other = replace(cliques.subgraph(order), features=np.asarray(cliques.features)[order] + 0.1)
    np.testing.assert_array_equal(model.predict(other), model.labels_[order])
    found = model.predict_proba(other)
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=1e-5)
    assert found.min() >= 0


def test_without_features_new_nodes_follow_their_neighbours(bare: Graph, tmp_path: Path) -> None:
    model = multilevel().fit(bare)
    grown = np.zeros((26, 26))
    grown[:24, :24] = bare.adjacency.toarray()
    grown[24, [8, 9]] = grown[[8, 9], 24] = grown[24, 25] = grown[25, 24] = 1
    other = as_graph(sp.csr_array(grown))
    found = model.predict_proba(other)
    np.testing.assert_array_equal(found[:24], model.assignment_)
    np.testing.assert_array_equal(found.argmax(axis=1)[24:], model.labels_[[8, 8]])
    model.save(tmp_path)
    np.testing.assert_array_equal(HoscClustering.load(tmp_path).predict_proba(other), found)


def test_a_table_alone(cliques: Graph) -> None:
    table = np.asarray(cliques.features)
    with pytest.warns(GraphWarning, match="components"):
        model = multilevel(n_neighbors=4).fit(table)
    assert adjusted_rand_score(cliques.labels, model.labels_) > 0.8
    assert model.predict(table + 0.01).shape == (24,)


def test_k_is_chosen_by_the_same_curves(bare: Graph) -> None:
    model = multilevel("auto", k_range=(2, 6)).fit(bare)
    assert (model.n_clusters_, model.selection_.k) == (3, (2, 3, 4, 5, 6))
    others = select_k(bare, k_range=range(2, 7), max_epochs=20)
    assert model.selection_.motif_conductance[1] == pytest.approx(others.motif_conductance[1], abs=1e-6)
    with pytest.raises(ValueError, match="k_range: expected a number"):
        multilevel("auto", k_range=(30, 40)).fit(bare)


ERRORS: list[tuple[dict[str, Any], str]] = [
    ({"solver": "annealing"}, "unknown solver 'annealing'"),
    ({"method": "dmon"}, "method: expected 'hosc', 'hp-1' or 'hp-2' with solver='multilevel', got 'dmon'"),
    ({"method": "magic"}, "unknown method 'magic'"),
    ({"preset": "paper"}, "'multilevel' trains no network, so it has no preset; leave this out"),
    ({"hidden": 8, "max_epochs": 3}, "so it has no max_epochs, hidden; leave"),
    ({"levels": (6,)}, "so it has no levels"),
    ({"schedule": "adaptive"}, "so it has no schedule"),
    ({"volume": "diagonal"}, "so it has no volume"),
    ({"mu": -1.0}, "mu: expected a weight from 0"),
    ({"n_init": 0}, "n_init: expected a whole number ≥ 1"),
    ({"feature_weight": 1.0}, "feature_weight: expected a share"),
    ({"n_clusters": 25}, "n_clusters: expected at most 24"),
]


@pytest.mark.parametrize(("given", "words"), ERRORS)
def test_what_is_wrong_is_said(bare: Graph, given: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words.replace("(", r"\(")):
        HoscClustering(**{"n_clusters": 3, "solver": "multilevel", **given}).fit(bare)


@pytest.mark.parametrize(("method", "motifs"), [("hp-1", {"edge": 1.0}), ("hp-2", {"triangle": 1.0})])
def test_the_other_methods_of_the_family(bare: Graph, method: str, motifs: dict[str, float]) -> None:
    model = multilevel(method=method).fit(bare)
    assert model.motifs_ == motifs
    assert adjusted_rand_score(bare.labels, model.labels_) == 1


def test_mu_is_raised_while_there_are_crumbs() -> None:
    """Two large cliques, and a pair of nodes on a string: the lowest cut of all cuts the pair off."""
    graph = nx.disjoint_union(nx.complete_graph(60), nx.complete_graph(60))
    graph.add_edges_from((a, b) for a in range(60) for b in range(60, 120) if (a + b) % 3 == 0)
    graph.add_edges_from([(0, 120), (120, 121)])
    free = multilevel(2, motifs={"edge": 1.0}, mu=0.0).fit(graph)
    assert free.runs_[0]["mu"] > 0
    assert min(free.coarse_.sizes) > 2
    assert multilevel(2, mu=2.0).fit(graph).runs_[0]["mu"] == 2


def test_an_interrupted_fit_returns_the_best_so_far(bare: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    true = Engine.minimise

    def interrupted(*args: Any, **options: Any) -> Any:
        return replace(true(*args, **options), is_interrupted=True)

    monkeypatch.setattr(Engine, "minimise", interrupted)
    with pytest.warns(ConvergenceWarning, match="the best clustering so far is returned"):
        model = multilevel().fit(bare)
    assert model.interrupted_
    assert adjusted_rand_score(bare.labels, model.labels_) == 1


def test_ctrl_c_at_a_higher_mu_keeps_the_clusters_of_the_lower(bare: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    true, asked = Engine.minimise, list[float]()

    def second_fails(engine: Engine, k: int, mu: float, **options: Any) -> Any:
        asked.append(mu)
        if len(asked) > 1:
            raise KeyboardInterrupt
        return true(engine, k, mu, **options)

    monkeypatch.setattr(Engine, "minimise", second_fails)
    monkeypatch.setattr("hoscpool.cluster.engine.multilevel.CRUMB", 10.0)  # everything is a crumb
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        model = multilevel().fit(bare)
    assert (asked, model.runs_[0]["mu"]) == ([0.1, 0.3], 0.1)


def test_calibration_gives_noise_no_weight() -> None:
    """Syn1: its edges are noise, and its triangles are not."""
    graph = datasets.load("syn1")
    model = multilevel(3, calibrate=True, feature_weight=0.0).fit(graph)
    assert model.motifs_["edge"] < 0.1
    assert sum(model.motifs_.values()) == pytest.approx(1)
    assert adjusted_rand_score(graph.labels, model.labels_) == 1


def test_progress_is_shown(bare: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    multilevel(verbose=2).fit(bare)
    assert "24 nodes, 3 clusters" in capsys.readouterr().err
    multilevel().fit(bare)
    assert not capsys.readouterr().err


def test_parameters_are_scikit_learns(bare: Graph) -> None:
    model = multilevel(5)
    assert clone(model).get_params() == model.get_params()
    assert HoscClustering().get_params()["solver"] == "auto"
    np.testing.assert_array_equal(model.fit_predict(bare), model.labels_)


@pytest.mark.parametrize("n_clusters", [1, 24])
def test_one_cluster_and_as_many_as_nodes(bare: Graph, n_clusters: int) -> None:
    model = multilevel(n_clusters).fit(bare)
    assert len(set(model.labels_)) == n_clusters
    np.testing.assert_array_equal(model.assignment_.argmax(axis=1), model.labels_)


def test_communities_nest_and_fill_the_clusters(tmp_path: Path) -> None:
    graph = datasets.planted_communities(6000, 60_000, 12, mixing=0.2, random_state=1)
    model = multilevel(12).fit(Graph(graph.indptr, graph.indices))
    layers = [*model.communities_, model.labels_]
    assert len(layers) == model.n_iter_ > 1
    for finer, coarser in pairwise(layers):
        counts = [len(np.unique(level)) for level in (finer, coarser)]
        assert finer.max() + 1 == counts[0] > counts[1]
        assert len({*zip(finer.tolist(), coarser.tolist(), strict=True)}) == counts[0]
    model.save(tmp_path)
    for ours, theirs in zip(model.communities_, HoscClustering.load(tmp_path).communities_, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert multilevel(3).fit(nx.karate_club_graph()).communities_ == []
