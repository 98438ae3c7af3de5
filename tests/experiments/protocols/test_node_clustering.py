"""One real cell of the clustering experiments, and what is kept of it."""

from __future__ import annotations

import inspect
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest

from hoscpool import as_graph
from hoscpool.cluster import HoscClustering, MotifSpectralClustering
from hoscpool.cluster.views.embedding import spectral_embedding
from hoscpool.experiments.protocols import four_node, two_layer
from hoscpool.experiments.protocols import node_clustering as clustering
from hoscpool.experiments.protocols.node_clustering import (
    clustering_scores,
    compact_curve,
    fit_and_score,
    keeps_curve,
    load_clustering_graph,
    make_model,
)
from hoscpool.experiments.running.cell import Cell
from hoscpool.metrics import nmi
from hoscpool.support.errors import GraphWarning


def _cell(experiment: str, dataset: str, method: str, seed: int = 0) -> Cell:
    return Cell(experiment, dataset, method, seed, {})


def test_a_spectral_cell_is_the_estimator_run_by_hand() -> None:
    found = clustering.run(_cell("clustering", "karate", "msc", 3))
    graph = load_clustering_graph("karate")
    with pytest.warns(GraphWarning, match="in no triangle"):
        labels = MotifSpectralClustering(2, "triangle", random_state=3).fit(graph).labels_
    assert found["metrics"]["nmi"] == pytest.approx(nmi(graph.labels, labels), abs=1e-6)
    assert found["metrics"]["n_clusters"] == 2
    assert found["seconds"]["wall"] > 0
    assert "curve" not in found


def test_methods_are_the_papers() -> None:
    assert make_model("hp-2", 3, 5).get_params()["method"] == "hp-2"
    assert make_model("robust", 3, 5).preset == "robust"
    for method in ("diffpool", "mincut", "hp-1", "hosc", "dmon"):
        model = make_model(method, 3, 5)
        assert (model.preset, model.method, model.n_clusters, model.random_state) == ("paper", method, 3, 5)
    assert make_model("sc", 3, 5).motif == "edge"
    assert make_model("msc-plain", 3, 5).regularize == 0
    base, others = make_model("hosc", 3, 5).get_params(), ("hosc-mu-0", "hosc-mu-1", "hosc-constant")
    changes = [dict(make_model(name, 3, 5).get_params().items() - base.items()) for name in others]
    assert changes == [{"mu": 0.0}, {"mu": 1.0}, {"schedule": "constant"}]


def test_settings_are_those_of_the_papers_section_5_1() -> None:
    found = clustering.settings("cora", "hosc")
    stated = {
        "hidden": 32,
        "learning_rate": 1e-3,
        "max_epochs": 500,
        "clip": 2.0,
        "patience": 200,
        "decay_patience": 25,
    }
    assert {name: found[name] for name in stated} == stated
    assert found["schedule"] == "adaptive"
    assert found["mu"] == 0.1


def test_a_default_that_settings_do_not_name_asks_for_another_protocol() -> None:
    """Graphs without features are seen through `spectral_embedding`: raise `PROTOCOL` when its default changes."""
    default = inspect.signature(spectral_embedding).parameters["regularize"].default
    assert (clustering.PROTOCOL, default) == (1, 0.25)


def test_a_fit_leaves_scores_curve_and_what_it_saw() -> None:
    graph = as_graph(nx.ring_of_cliques(3, 5))
    labels = np.repeat(np.arange(3), 5)
    model = HoscClustering(3, preset="paper", max_epochs=5, random_state=0)
    found = fit_and_score(model, replace(graph, labels=labels), keeps_curve=True)
    assert found["info"] == {"start": "spectral"}
    assert found["metrics"]["epochs"] == 5
    assert found["metrics"]["hard_objective"] == pytest.approx(model.objective_, abs=1e-6)
    assert found["curve"]["epoch"] == [1, 2, 3, 4, 5]
    assert found["curve"]["loss"] == pytest.approx(model.history_["loss"], abs=1e-5)


def test_curves_keep_the_beginning_and_every_tenth_epoch() -> None:
    curve = compact_curve({"loss": [float(number) for number in range(1, 131)]})
    assert curve["epoch"] == [*range(1, 101), 110, 120, 130]
    assert curve["loss"] == [float(epoch) for epoch in curve["epoch"]]
    assert compact_curve({}) == {"epoch": []}


def test_only_first_seeds_of_two_methods_keep_their_curve() -> None:
    assert keeps_curve(_cell("clustering", "cora", "hosc"))
    assert not keeps_curve(_cell("clustering", "cora", "hosc", 1))
    assert not keeps_curve(_cell("clustering", "cora", "hp-2"))


def test_scores_by_hand() -> None:
    barbell = replace(as_graph(nx.barbell_graph(3, 0)), labels=np.array([0, 0, 0, 1, 1, 1]))
    scores = clustering_scores(barbell, [1, 1, 1, 0, 0, 0], 3)
    assert (scores["nmi"], scores["ari"], scores["accuracy"], scores["homogeneity"]) == (1, 1, 1, 1)
    assert scores["conductance"] == scores["conductance_share"] == round(1 / 7, 6)
    assert scores["motif_conductance_share"] == 0
    assert scores["modularity"] == round(6 / 7 - 0.5, 6)
    assert (scores["n_clusters"], scores["live_clusters"], scores["largest_share"]) == (3, 2, 0.5)


def test_two_layers_pool_to_4_k_first() -> None:
    found = two_layer.settings("email-eu", "hosc")
    assert (found["levels"], found["max_epochs"], found["patience"]) == ([168], 1000, 500)


def test_four_node_motifs_have_equal_weights() -> None:
    assert four_node.settings("karate", "edge+triangle+clique4")["motifs"] == pytest.approx(
        {"edge": 1 / 3, "triangle": 1 / 3, "clique4": 1 / 3}
    )
    with pytest.raises(ValueError, match=r"method: expected one of edge\+triangle"):
        four_node.settings("karate", "hosc")


def test_other_experiments_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(two_layer, "EPOCHS", 3)
    found = two_layer.run(_cell("two-layer", "karate", "mincut"))
    assert found["metrics"]["epochs"] == 3
    make = make_model
    monkeypatch.setattr(four_node, "make_model", lambda *args, **more: make(*args, **more, max_epochs=3))
    found = four_node.run(_cell("four-node", "karate", "edge+clique4"))
    assert 0 <= found["metrics"]["clique4_conductance"] <= 1
    assert 0 <= found["metrics"]["cycle4_conductance"] <= 1


@pytest.mark.data
def test_largest_component_of_polblogs() -> None:
    assert load_clustering_graph("polblogs-lcc").num_nodes == 1_222
    assert load_clustering_graph("polblogs").num_nodes == 1_490


def test_kmeans_sees_the_features_alone() -> None:
    from hoscpool.datasets import load
    from hoscpool.experiments.protocols.node_clustering import make_model, run
    from hoscpool.experiments.running.cell import Cell

    found = run(Cell("clustering", "karate-label", "kmeans", 0, {}))
    assert found["metrics"]["nmi"] == 1  # the first feature is the class and little noise
    with pytest.raises(ValueError, match="expected features, got none"):
        make_model("kmeans", 2, 0).fit(load("karate"))
