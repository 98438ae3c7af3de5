"""The estimator: every way to call it, what it returns, and what it refuses."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
import torch
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.metrics import adjusted_rand_score

from hoscpool.cluster import HoscClustering, hosc_clustering
from hoscpool.cluster.inputs import resolve_graph
from hoscpool.cluster.objective import clustering_methods
from hoscpool.cluster.run import Run
from hoscpool.graph import Graph, as_graph
from hoscpool.support.errors import GraphWarning


def _numpy_state() -> Any:
    state: Any = np.random.get_state()  # noqa: NPY002
    return state[1].copy()


QUICK: dict[str, Any] = {"n_clusters": 3, "max_epochs": 30, "random_state": 0, "n_init": 1}


@pytest.mark.parametrize("preset", ["robust", "paper"])
def test_cliques_are_found(cliques: Graph, preset: str) -> None:
    model = HoscClustering(3, preset=preset, random_state=0, learning_rate=1e-2, max_epochs=60, n_init=4).fit(cliques)
    assert adjusted_rand_score(cliques.labels, model.labels_) == 1
    assert model.assignment_.shape == (24, 3)
    np.testing.assert_allclose(model.assignment_.sum(axis=1), 1, rtol=1e-5)
    assert model.n_features_in_ == 5
    assert len(model.history_["loss"]) == model.n_iter_


def test_all_ways_to_say_the_same_graph(cliques: Graph, tmp_path: Path) -> None:
    file = tmp_path / "graph.csv"
    file.write_text("\n".join(f"{a},{b}" for a, b in nx.connected_caveman_graph(3, 8).edges))
    x, reference = cliques.features, HoscClustering(**QUICK).fit(cliques)
    for arguments in [{"x": x, "graph": cliques.adjacency}, {"x": sp.csr_array(x), "graph": cliques}]:
        assert adjusted_rand_score(HoscClustering(**QUICK).fit(**arguments).labels_, reference.labels_) == 1
    for graph in (nx.connected_caveman_graph(3, 8), file):
        model = HoscClustering(**QUICK).fit(graph)
        assert adjusted_rand_score(model.labels_, cliques.labels) == 1
        assert not hasattr(model, "n_features_in_")
    assert len(HoscClustering(**QUICK).fit(None, graph=cliques.adjacency).labels_) == 24


def test_the_same_seed_gives_the_same_bits_and_leaves_global_generators_alone(cliques: Graph) -> None:
    before, numpy_before = torch.random.get_rng_state(), _numpy_state()
    one, two = (HoscClustering(**QUICK).fit(cliques) for _ in range(2))
    np.testing.assert_array_equal(one.assignment_, two.assignment_)
    assert one.history_ == two.history_
    assert torch.equal(torch.random.get_rng_state(), before)
    np.testing.assert_array_equal(_numpy_state(), numpy_before)


@pytest.mark.parametrize("method", clustering_methods())
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_every_method_fits(cliques: Graph, method: str) -> None:
    model = HoscClustering(**QUICK, method=method, preset="paper").fit(cliques)
    assert np.isfinite(model.assignment_).all()
    assert np.isfinite(model.objective_)


def test_runs_go_through_the_starts_in_turn(cliques: Graph) -> None:
    model = HoscClustering(**{**QUICK, "n_init": 2}, starts=("spectral", "smooth-1"), consensus=False).fit(cliques)
    assert [run["start"] for run in model.runs_] == ["spectral", "smooth-1"] * 2
    assert model.objective_ == min(run["hard_objective"] for run in model.runs_)
    assert model.n_equal_runs_ == 1


@pytest.mark.parametrize("preset", ["robust", "paper"])
def test_two_layers(cliques: Graph, preset: str) -> None:
    model = HoscClustering(**QUICK, preset=preset, levels=(6,)).fit(cliques)
    assert [level.shape for level in model.level_assignments_] == [(24, 6), (24, 3)]


@pytest.mark.parametrize("options", [{"preset": "paper"}, {"starts": "smooth-2"}])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_prediction_on_this_and_another_graph(cliques: Graph, options: dict[str, Any]) -> None:
    model = HoscClustering(**{**QUICK, "max_epochs": 60, "learning_rate": 1e-2}, **options).fit(cliques)
    np.testing.assert_array_equal(model.predict(cliques), model.labels_)
    np.testing.assert_array_equal(model.predict_proba(cliques.features, graph=cliques), model.assignment_)
    order = np.random.default_rng(0).permutation(24)
    permuted = model.predict_proba(cliques.subgraph(order))  # another graph to the model: goes through the network
    np.testing.assert_allclose(permuted, model.assignment_[order], atol=1e-3)


def test_spectral_coordinates_do_not_carry_over(bare: Graph) -> None:
    model = HoscClustering(**QUICK).fit(bare)
    np.testing.assert_array_equal(model.predict(bare), model.labels_)
    with pytest.raises(ValueError, match="mean nothing on another graph"):
        model.predict(nx.path_graph(5))


def test_features_alone_get_a_neighbour_graph() -> None:
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(m, 1, size=(30, 4)) for m in (0, 20)])
    with pytest.warns(GraphWarning, match="2 connected components"):
        model = HoscClustering(2, max_epochs=20, random_state=0).fit(x)
    assert adjusted_rand_score(np.arange(60) // 30, model.labels_) == 1
    assert adjusted_rand_score(np.arange(60) // 30, model.predict(x + 0.1)) == 1


def test_automatic_number_of_clusters(bare: Graph) -> None:
    model = HoscClustering("auto", k_range=(2, 4), random_state=0, max_epochs=10).fit(bare)
    assert model.n_clusters_ == model.selection_.n_clusters == 3


@pytest.mark.filterwarnings("ignore:features do not follow the edges")
def test_nothing_is_left_of_an_earlier_fit(bare: Graph) -> None:
    pandas = pytest.importorskip("pandas")
    model = HoscClustering("auto", k_range=(2, 3), random_state=0, max_epochs=2, n_init=1)
    model.fit(pandas.DataFrame(np.eye(24), columns=[f"f{i}" for i in range(24)]), graph=bare)
    assert hasattr(model, "feature_names_in_")
    assert hasattr(model, "selection_")
    model.set_params(n_clusters=3).fit(bare)
    assert [name for name in ("feature_names_in_", "n_features_in_", "selection_") if hasattr(model, name)] == []


@pytest.mark.parametrize("options", [{"method": "hp-2"}, {"max_epochs": 0}, {"method": "mincut", "max_epochs": 0}])
@pytest.mark.filterwarnings("ignore::hoscpool.support.errors.GraphWarning")
def test_without_an_epoch_the_objective_is_that_of_the_start(options: dict[str, Any]) -> None:
    model = HoscClustering(2, random_state=0, **options).fit(nx.balanced_tree(2, 3))  # no triangle
    assert [run["epochs"] for run in model.runs_] == [0] * len(model.runs_)
    assert np.isfinite([run["objective"] for run in model.runs_]).all()
    sizes = np.bincount(model.labels_)
    if options.get("method") == "hp-2":
        balance = (np.sqrt(2) - np.sqrt(sizes / 15).sum()) / (np.sqrt(2) - 1)  # the cut of no triangle is 0
        assert model.objective_ == pytest.approx(balance, abs=1e-6)


def test_scikit_learns_contract() -> None:
    model = HoscClustering(5, mu=1.0, starts=("raw",))
    assert clone(model).get_params() == model.get_params()
    with pytest.raises(NotFittedError):
        model.predict(nx.path_graph(3))


def test_ctrl_c_returns_the_best_so_far(cliques: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    step = Run._epoch

    def interrupt(run: Run) -> None:
        if run.progress.epoch == 5:
            raise KeyboardInterrupt
        step(run)

    monkeypatch.setattr(Run, "_epoch", interrupt)
    with pytest.warns(ConvergenceWarning, match="interrupted at run 1 of 1, epoch 5"):
        model = HoscClustering(**QUICK).fit(cliques)
    assert len(model.history_["loss"]) == 5
    assert len(model.labels_) == 24


def test_the_bar_says_loss_and_live_clusters(cliques: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    HoscClustering(**QUICK).fit(cliques)
    assert capsys.readouterr() == ("", "")
    HoscClustering(**{**QUICK, "verbose": 2}).fit(cliques)
    shown = capsys.readouterr().err
    assert "loss" in shown
    assert "of 3 clusters in use" in shown


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_clusters": 25}, "at most 24"),
        ({"n_clusters": 0}, "n_clusters: expected a whole number ≥ 1 or 'auto', got 0"),
        ({"n_clusters": "many"}, "'auto'"),
        ({"preset": "papre"}, "Did you mean 'paper'"),
        ({"method": "hosk"}, "unknown method"),
        ({"motifs": {"triangel": 1}}, "Did you mean 'triangle'"),
        ({"starts": "nowhere"}, "unknown start"),
        ({"levels": (2,)}, "levels: expected decreasing"),
        ({"random_state": "x"}, "random_state"),
        ({"mu": -1}, "mu"),
    ],
)
def test_bad_parameters(cliques: Graph, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        HoscClustering(**{"n_clusters": 3, **parameters}).fit(cliques)


def test_one_node_and_one_cluster() -> None:
    one = as_graph(sp.csr_array((1, 1)))
    with pytest.raises(ValueError, match="at most 1"):
        HoscClustering(2).fit(one)
    with pytest.warns(GraphWarning, match="no triangle"):
        assert HoscClustering(1, max_epochs=2).fit(one).labels_.tolist() == [0]
    assert set(HoscClustering(1, max_epochs=2).fit(nx.complete_graph(4)).labels_) == {0}


def test_no_edges() -> None:
    empty = as_graph(sp.csr_array((6, 6)))
    with pytest.raises(ValueError, match="expected edges or features, got neither"):
        HoscClustering(2).fit(empty)
    x = np.array([[0.0, 0], [0.1, 0], [0, 0.1], [9, 9], [9.1, 9], [9, 9.1]])
    with pytest.warns(GraphWarning) as caught:
        model = HoscClustering(2, random_state=0).fit(x, graph=empty)
    assert "no edges" in str(caught[0].message)
    assert adjusted_rand_score(model.labels_, [0, 0, 0, 1, 1, 1]) == 1


@pytest.mark.parametrize("preset", ["robust", "paper"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_constant_features_do_no_harm(bare: Graph, preset: str) -> None:
    model = HoscClustering(**{**QUICK, "n_clusters": 2}, preset=preset).fit(np.ones((24, 3)), graph=bare)
    assert np.isfinite(model.assignment_).all()


def test_few_motifs_are_said() -> None:
    ring = nx.cycle_graph(40)
    with pytest.warns(GraphWarning, match="no triangle"):
        HoscClustering(2, max_epochs=5, random_state=0).fit(ring)
    ring.add_edge(0, 2)
    with pytest.warns(GraphWarning, match="only 7.5% of the nodes are in a triangle"):
        HoscClustering(2, max_epochs=5, random_state=0).fit(ring)


def test_directed_graphs_are_said(bare: Graph) -> None:
    arcs = nx.DiGraph()
    arcs.add_nodes_from(range(24))
    arcs.add_edges_from(nx.connected_caveman_graph(3, 8).edges)
    with pytest.warns(GraphWarning, match="directions are ignored"):
        model = HoscClustering(**QUICK).fit(arcs)
    assert adjusted_rand_score(model.labels_, bare.labels) == 1


@pytest.mark.parametrize("n_jobs", [2, 5, -1])
def test_the_number_of_runs_at_a_time_changes_nothing(cliques: Graph, n_jobs: int) -> None:
    settings: dict[str, Any] = {**QUICK, "n_init": 2, "solver": "network"}
    one, several = (HoscClustering(**settings, n_jobs=jobs).fit(cliques) for jobs in (1, n_jobs))
    np.testing.assert_array_equal(several.assignment_, one.assignment_)
    assert several.runs_ == one.runs_
    assert several.kept_run_ == one.kept_run_


def test_ctrl_c_ends_all_runs_that_are_under_way(cliques: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    train, begun = Run.train, list[Run]()

    def interrupted(self: Run, after_epoch: Any) -> None:
        begun.append(self)
        if len(begun) == 2:
            raise KeyboardInterrupt
        train(self, after_epoch)

    monkeypatch.setattr(Run, "train", interrupted)
    settings: dict[str, Any] = {**QUICK, "n_init": 4, "max_epochs": 2_000, "patience": 2_000, "solver": "network"}
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        model = HoscClustering(**settings, n_jobs=2).fit(cliques)
    assert model.interrupted_
    assert all(run["epochs"] < 2_000 for run in model.runs_)


def test_a_wrong_number_of_jobs_is_refused(cliques: Graph) -> None:
    with pytest.raises(ValueError, match="n_jobs: expected a whole number"):
        HoscClustering(**QUICK, n_jobs=0).fit(cliques)


def test_runs_in_several_threads_leave_no_warning_filter_behind(cliques: Graph) -> None:
    before = list(warnings.filters)
    for seed in range(3):
        HoscClustering(**{**QUICK, "random_state": seed, "n_init": 3, "max_epochs": 2}, n_jobs=4).fit(cliques)
    assert list(warnings.filters) == before


def test_predict_uses_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several threads that wait for each other are slow beside other programs."""
    seen = list[int]()

    def resolve(*given: Any, **named: Any) -> Any:
        seen.append(torch.get_num_threads())
        return resolve_graph(*given, **named)

    x = np.random.default_rng(0).normal(size=(40, 3))
    model, before = HoscClustering(3, n_neighbors=20, random_state=0).fit(x), torch.get_num_threads()
    monkeypatch.setattr(hosc_clustering, "resolve_graph", resolve)
    torch.set_num_threads(2)
    model.predict(x[:35])
    assert (seen, torch.get_num_threads()) == ([1], 2)
    torch.set_num_threads(before)
