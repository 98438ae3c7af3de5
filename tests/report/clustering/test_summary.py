"""What is said about a clustering."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import networkx as nx
import numpy as np
import pytest

import hoscpool as hp
from hoscpool.cli import main
from hoscpool.cluster.certainty.confidence import Confidence
from hoscpool.cluster.choosing.hierarchy import Coarse
from hoscpool.report.clustering.cluster_files import clustering_summary
from hoscpool.report.clustering.summary import Clustering, describe_clusters, score, why_kept, why_solver


@pytest.mark.parametrize(
    ("runs", "kept", "equals", "words"),
    [
        ([("a", -0.5)], 0, 1, "The objective of the labels (start 'a') is -0.5000."),
        (
            [("a", -0.5), ("b", -0.9)],
            1,
            1,
            "We kept run 2 (start 'b'). The objective of its labels, -0.9000, is the lowest.",
        ),
        (
            [("a", -0.5), ("b", -0.51)],
            0,
            1,
            "within chance of the lowest, -0.5100, which comes from a less trusted start",
        ),
        (
            [("a", -0.9), ("b", -0.8), ("b", -0.1)],
            0,
            2,
            "2 of 3 runs scored equally well, within chance. We kept run 1 (start 'a'), which agrees best",
        ),
    ],
)
def test_why_a_run_was_kept(runs: list[tuple[str, float]], kept: int, equals: int, words: str) -> None:
    lines = [{"start": name, "hard_objective": value} for name, value in runs]
    start, objective = runs[kept]
    model = SimpleNamespace(
        runs_=lines, start_=start, objective_=objective, kept_run_=kept, n_equal_runs_=equals, agreement_=None
    )
    model.solver_ = "network"
    assert words in why_kept(model)


@pytest.mark.parametrize(
    ("mus", "consensus", "words"),
    [
        ([0.1], None, "The objective of the labels is -0.5000."),
        ([0.3], None, "With a smaller μ than 0.3 a cluster was tiny, so μ was raised from 0.1."),
        (
            [0.1, 0.1],
            None,
            "Of 2 runs we kept run 2, which agrees best with the others. The objective of its labels is",
        ),
        ([0.1, 0.1], False, "Of 2 runs we kept run 2, which has the lowest objective with weight μ."),
    ],
)
def test_why_a_search_was_kept(mus: list[float], consensus: bool | None, words: str) -> None:
    runs, kept = [{"mu": mu} for mu in mus], len(mus) - 1
    model = SimpleNamespace(
        agreement_=None, runs_=runs, solver_="multilevel", objective_=-0.5, kept_run_=kept, mu=0.1, consensus=consensus
    )
    assert words in why_kept(model)


def test_the_solver_is_named_with_its_reason() -> None:
    model = SimpleNamespace(solver_="network", solver_reason_="the graph is small")
    assert why_solver(model) == "Solver: network, because the graph is small."


def certain(labels: Any, k: int) -> Confidence:
    """Every node belongs to its cluster with probability 0.8."""
    own = np.full(len(labels), 0.8, np.float32)
    return Confidence(own, (labels + 1) % k, np.zeros(len(labels), np.bool_))


def fitted(graph: hp.Graph, labels: list[int], k: int) -> Any:
    """A model that found these labels, with the attributes of a fitted one."""
    model = hp.HoscClustering(k, random_state=0)
    model.labels_, model.n_clusters_ = np.array(labels), k
    model.assignment_ = np.eye(k, dtype=np.float32)[labels] * 0.75 + 0.25 / k
    model.graph_, model._known_certainty = graph, certain(model.labels_, k)
    model.motifs_, model.runs_ = {"edge": 0.5, "triangle": 0.5}, [{"start": "x", "hard_objective": -1.0}]
    model.start_, model.objective_, model.history_ = "x", -1.0, {}
    model.solver_, model.solver_reason_ = "network", "it was asked for"
    model.kept_run_, model.n_equal_runs_, model.feature_weight_, model.agreement_ = 0, 1, 0.0, None
    s = np.eye(k)[labels]
    links = s.T @ graph.undirected().adjacency.toarray() @ s
    model.coarse_ = Coarse({"edge": links}, s.sum(axis=0))
    return model


def test_an_empty_cluster_has_no_numbers() -> None:
    graph = hp.as_graph(nx.barbell_graph(4, 0))
    model = fitted(graph, [0, 0, 0, 0, 2, 2, 2, 2], 3)
    first, empty, last = describe_clusters(graph, model)
    assert (empty.nodes, empty.confidence, empty.conductance) == (0, None, None)
    assert empty.motif_conductance == {"triangle": None}
    for cluster in (first, last):
        assert (cluster.nodes, cluster.inside, cluster.cut) == (4, 6.0, 1.0)
        assert cluster.conductance == pytest.approx(1 / 13)
        assert cluster.confidence == pytest.approx(0.8)
        assert cluster.motif_conductance == {"triangle": 0.0}
    result = Clustering(graph, model, score(graph, model.labels_, model.motifs_), [first, empty, last], 1.0)
    assert json.loads(json.dumps(clustering_summary(result), allow_nan=False))["clusters"][1]["conductance"] is None


def test_scores_without_and_with_classes() -> None:
    graph = hp.as_graph(nx.barbell_graph(4, 0))
    labels = [0, 0, 0, 0, 1, 1, 1, 1]
    plain = score(graph, labels, ["edge", "triangle"])
    assert [name for name, _ in plain.lines()] == ["conductance", "triangle conductance", "modularity"]
    known = score(hp.as_graph(graph, labels=[1, 1, 1, 1, 0, 0, 0, 1]), labels, [])
    assert dict(known.lines())["matched accuracy"] == "0.8750"
    assert known.motif_conductance == {}


def test_what_the_fit_has_said_is_not_said_again() -> None:
    graph = hp.as_graph(nx.DiGraph([(0, 1), (1, 2), (2, 0), (2, 3)]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        score(graph, [0, 0, 0, 1], ["triangle", "M1"])


def test_the_scores_of_a_weighted_graph_are_those_of_what_was_optimised() -> None:
    graph = hp.as_graph(nx.les_miserables_graph())
    model = hp.HoscClustering(6, random_state=0, starts="spectral", n_init=1, max_epochs=5).fit(graph)
    clusters = describe_clusters(graph, model)
    shown = np.array([cluster.motif_conductance["triangle"] for cluster in clusters], dtype=float)
    triangles = model.coarse_.matrices["triangle"]  # of the fit: every triangle counts with the product of its weights
    np.testing.assert_allclose(shown, 1 - np.diag(triangles) / triangles.sum(axis=1))
    found = score(graph, model.labels_, model.motifs_).motif_conductance["triangle"]
    assert found == pytest.approx(shown.mean())
    assert found != pytest.approx(hp.metrics.motif_conductance(graph, model.labels_, weights=None))


@pytest.mark.filterwarnings("default::sklearn.exceptions.ConvergenceWarning")
def test_restarts_that_disagree_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, graph, k in (
        ("noise", nx.random_regular_graph(6, 600, seed=1), 3),
        ("clear", nx.ring_of_cliques(3, 6), 3),
    ):
        path = tmp_path / f"{name}.txt"
        nx.write_edgelist(graph, path, data=False)
        assert main(["cluster", str(path), "-k", str(k), "--n-init", "3", "-v", "--solver", "multilevel"]) == 0
        shown = capsys.readouterr()
        assert "Restarts agree with it by" in " ".join(shown.out.split())
        assert ("another seed may give other clusters" in shown.err) == (name == "noise")
