"""Choosing K: the curve, and the right K where there is one."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest

from hoscpool.cluster import HoscClustering
from hoscpool.cluster.choosing.choose_k import STARTS, best_k, select_k
from hoscpool.cluster.run import Run
from hoscpool.graph import as_graph


@pytest.mark.parametrize("k", [3, 5])
def test_planted_communities_are_counted(k: int) -> None:
    graph = nx.planted_partition_graph(k, 20, 0.6, 0.02, seed=0)
    found = select_k(as_graph(nx.Graph(graph.edges)), k_range=range(2, 8), max_epochs=30)
    assert found.n_clusters == k
    assert found.k == (2, 3, 4, 5, 6, 7)
    assert all(len(curve) == 6 for curve in (found.motif_conductance, found.modularity, found.stability, found.score))
    assert max(found.score) == found.score[found.k.index(k)]


def test_the_curve_is_what_it_says() -> None:
    graph = nx.disjoint_union(nx.complete_graph(5), nx.complete_graph(5))
    found = select_k(graph, np.eye(2)[np.arange(10) // 5], [2], max_epochs=20)
    assert found.motif_conductance == pytest.approx([0.0])
    assert found.modularity == pytest.approx([0.5])
    assert found.stability == pytest.approx([1.0])


@pytest.mark.parametrize("call", [1, 3])
def test_ctrl_c_is_not_swallowed(monkeypatch: pytest.MonkeyPatch, call: int) -> None:
    fitted, step = [], Run._epoch

    def interrupt(run: Run) -> None:
        fitted.append(run)
        if len(fitted) == call:
            raise KeyboardInterrupt
        step(run)

    monkeypatch.setattr(Run, "_epoch", interrupt)
    graph = nx.complete_graph(6)
    with pytest.raises(KeyboardInterrupt):
        select_k(graph, k_range=[2, 3], max_epochs=2)
    fitted.clear()
    with pytest.raises(KeyboardInterrupt):
        HoscClustering("auto", k_range=(2, 3), max_epochs=2).fit(graph)
    assert len(fitted) == call


@pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.ConvergenceWarning", "ignore::hoscpool.support.errors.GraphWarning"
)
def test_every_k_is_judged_with_the_estimators_own_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = as_graph(nx.planted_partition_graph(3, 8, 0.8, 0.1, seed=0), features=np.eye(3)[np.arange(24) // 8])
    seen: list[tuple[Any, ...]] = []

    def note(run: Run, *_: Any) -> None:
        o, s = run.objective, run.settings
        seen.append((o.method, o.mu, o.volume, dict(o.motifs), o.feature_weight, s.starts, s.hidden, s.max_epochs,
                     s.message_passing, run.network.sizes))  # fmt: skip

    monkeypatch.setattr(Run, "train", note)
    own: dict[str, Any] = {"mu": 0.7, "volume": "diagonal", "motifs": {"edge": 1.0}, "feature_weight": 0.4, "hidden": 5}
    model = HoscClustering("auto", k_range=(2, 9), levels=(4,), random_state=0, **own, starts="smooth-3").fit(graph)
    expected = ("hosc", 0.7, "diagonal", {"edge": 1.0}, 0.4, ("smooth-3",), 5, 100, False)
    assert seen[:4] == [(*expected, (4, k)) for k in (2, 2, 3, 3)]  # as many as levels allow
    assert model.selection_.k == (2, 3)
    seen.clear()
    HoscClustering("auto", k_range=(2, 2), random_state=0, preset="paper", method="dmon", max_epochs=0).fit(graph)
    assert seen[0] == ("dmon", 0.1, "soft", {"edge": 1.0}, 0.0, STARTS, 64, 0, False, (2,))  # not the paper's one run
    seen.clear()
    HoscClustering("auto", k_range=(2, 2), random_state=0).fit(graph)
    assert not seen  # features say enough
    bare = as_graph(graph.adjacency)
    HoscClustering("auto", k_range=(2, 2), random_state=0).fit(bare)
    assert [one[5] for one in seen[:2]] == [STARTS] * 2  # from edges, from triangles
    assert seen[2][5] in [("spectral",), ("motif-spectral",)]  # the one that was kept


def test_an_empty_range() -> None:
    with pytest.raises(ValueError, match="k_range"):
        select_k(nx.complete_graph(4), k_range=[])


@pytest.mark.parametrize("k", [3, 20])
def test_a_graph_with_many_communities_has_many_clusters(k: int) -> None:
    graph = nx.planted_partition_graph(k, 15, 0.6, 0.01, seed=1)
    model = HoscClustering("auto", random_state=0).fit(as_graph(nx.Graph(graph.edges)))
    assert (model.n_clusters_, model.solver_) == (k, "network")
    assert model.selection_.k[-1] >= max(12, k)


def test_the_score_is_modularity_times_stability() -> None:
    rows = [(0.1, 0.2, 1.0), (0.5, 0.4, 0.9), (0.6, 0.5, 0.1)]
    found = best_k((2, 3, 4), rows)
    assert found.score == pytest.approx((0.2, 0.36, 0.05))
    assert found.n_clusters == 3
    assert best_k((2, 3), [(0.0, 0.0, 0.3), (0.0, 0.0, 0.8)]).n_clusters == 3, "without links stability decides"
