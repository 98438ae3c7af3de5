"""Which solver a fit takes, and that it says why."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hoscpool.cluster import HoscClustering, solver_choice
from hoscpool.cluster.solver_choice import choose_solver
from hoscpool.datasets import planted_communities
from hoscpool.graph import Graph


@pytest.fixture(scope="module")
def plain() -> Graph:
    """A graph without features."""
    return planted_communities(400, 3_000, 4, random_state=100)


def chosen(graph: Graph, built: bool = False, **given: Any) -> tuple[str, str]:
    choice = choose_solver(HoscClustering(4, **given), graph, built)
    return choice.name, choice.reason


@pytest.fixture
def _everything_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_choice, "SMALL", 100)


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
