"""The confidence of a cluster: calibrated on planted graphs, and the same for any order of nodes and clusters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
import pytest
from scipy.optimize import linear_sum_assignment

from hoscpool.cluster import HoscClustering
from hoscpool.cluster.certainty.confidence import NO_CLUSTER, match_clusters, measure_confidence
from hoscpool.cluster.certainty.link_evidence import Links
from hoscpool.datasets import attributed_communities, planted_communities, syn1
from hoscpool.graph import Graph, as_graph

Array = npt.NDArray[Any]


def links_of(graph: Graph) -> Links:
    return Links.of(graph, {"edge": graph.adjacency}, {"edge": 1.0})


def is_right(model: HoscClustering, classes: Array) -> Array:
    """Whether the cluster of every node stands for its class, one to one."""
    common = np.zeros((model.n_clusters_, int(classes.max()) + 1))
    np.add.at(common, (model.labels_, classes), 1)
    match = dict(zip(*linear_sum_assignment(common, maximize=True), strict=True))
    return np.array([match.get(label) == true for label, true in zip(model.labels_, classes, strict=True)])


def calibration(confidence: Array, right: Array) -> tuple[float, list[float]]:
    """The mean difference of confidence and frequency over bins of confidence, and the frequencies of the bins."""
    error, shares = 0.0, []
    for low, high in ((0, 0.5), (0.5, 0.8), (0.8, 0.95), (0.95, 1.01)):
        inside = (confidence >= low) & (confidence < high)
        if inside.sum() >= 20:
            shares.append(float(right[inside].mean()))
            error += inside.mean() * abs(float(confidence[inside].mean()) - shares[-1])
    return error, shares


def planted(mixing: float, closure: float) -> Graph:
    return planted_communities(2000, 20_000, 6, mixing=mixing, closure=closure, random_state=5)


def attributed(**options: Any) -> Graph:
    return attributed_communities(2000, 8000, 6, 300, **options)


CASES: dict[str, tuple[Callable[[], Graph], tuple[str, ...], float]] = {
    "easy": (lambda: planted(0.3, 0.8), ("network", "multilevel"), 0.02),
    "hard": (lambda: planted(0.5, 0.3), ("network", "multilevel"), 0.05),
    "weak words": (lambda: attributed(mixing=0.4, signal=0.5, random_state=5), ("network", "multilevel"), 0.04),
    "few links": (lambda: attributed(mixing=0.7, random_state=5), ("network",), 0.03),
    "numbers": (lambda: attributed(kind="numbers", mixing=0.6, signal=2.0, random_state=0), ("network",), 0.06),
    "only triangles tell": (lambda: syn1(random_state=0), ("network", "multilevel"), 0.03),
}
"""How to make a graph, the solvers that can find its communities, and the largest calibration error."""


@pytest.mark.slow
@pytest.mark.parametrize(("case", "solver"), [(name, solver) for name in CASES for solver in CASES[name][1]])
@pytest.mark.filterwarnings("ignore")
def test_nodes_of_confidence_p_are_right_about_p_of_the_time(case: str, solver: str) -> None:
    make, _, most = CASES[case]
    graph = make()
    assert graph.labels is not None
    calibrate = solver == "multilevel" and case == "only triangles tell"
    model = HoscClustering(int(graph.labels.max()) + 1, solver=solver, calibrate=calibrate, random_state=0).fit(graph)
    error, shares = calibration(model.confidence_, is_right(model, graph.labels))
    assert error < most
    assert shares == sorted(shares)


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["network", "multilevel"])
@pytest.mark.filterwarnings("ignore")
def test_where_there_are_no_communities_hardly_any_node_is_sure(solver: str) -> None:
    graph = as_graph(nx.gnm_random_graph(1500, 7500, seed=0))
    model = HoscClustering(5, solver=solver, random_state=0).fit(graph)
    assert (model.confidence_ > 0.9).mean() < 0.05
    assert model.between_.mean() > 0.6


def test_the_probability_of_a_block_model_by_hand() -> None:
    graph = as_graph(nx.barbell_graph(4, 0))
    labels = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    found = measure_confidence([labels], 2, links_of(graph), None)
    # a cluster has 12 link ends inside and 1 outside, and one more link is spread evenly
    inside, outside = (12 + 0.5) / 14, (1 + 0.5) / 14
    odds = (inside / outside) ** 3
    assert found.own[0] == pytest.approx(odds / (odds + 1), rel=1e-3)
    assert found.own[3] == pytest.approx((inside / outside) ** 2 / ((inside / outside) ** 2 + 1), rel=1e-3)
    assert found.second.tolist() == [1, 1, 1, 1, 0, 0, 0, 0]
    assert not found.between.any()


def test_a_node_between_two_communities_is_flagged() -> None:
    graph = nx.barbell_graph(6, 0)
    graph.add_edges_from([(12, node) for node in (0, 1, 2, 7, 8, 9)])
    labels = np.array([0] * 6 + [1] * 6 + [0])
    found = measure_confidence([labels], 2, links_of(as_graph(graph)), None)
    assert np.flatnonzero(found.between).tolist() == [12]
    assert 0.3 < found.own[12] < 0.7


def test_restarts_that_disagree_lower_the_confidence() -> None:
    graph = as_graph(nx.connected_caveman_graph(3, 8))
    labels = np.arange(24) // 8
    moved = np.where(np.arange(24) == 3, 2, (labels + 1) % 3)  # other numbers, and one node elsewhere
    alone = measure_confidence([labels], 3, links_of(graph), None)
    same = measure_confidence([labels, (labels + 1) % 3], 3, links_of(graph), None)
    other = measure_confidence([labels, (labels + np.arange(24)) % 3], 3, links_of(graph), None)
    np.testing.assert_allclose(same.own, alone.own, rtol=1e-6)
    assert measure_confidence([labels, moved], 3, links_of(graph), None).own[3] <= alone.own[3]
    assert other.own.mean() < alone.own.mean() - 0.2


def test_the_order_of_nodes_and_the_numbers_of_clusters_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = planted_communities(300, 1500, 4, random_state=1)
    assert graph.labels is not None
    found = measure_confidence([graph.labels], 4, links_of(graph), None)
    order = np.random.default_rng(0).permutation(300)
    turned = measure_confidence([3 - graph.labels[order]], 4, links_of(graph.subgraph(order)), None)
    np.testing.assert_allclose(turned.own, found.own[order], rtol=1e-5)
    np.testing.assert_array_equal(3 - turned.second, found.second[order])
    monkeypatch.setattr("hoscpool.cluster.certainty.confidence.ENTRIES", 100)  # node by node, nearly
    np.testing.assert_allclose(measure_confidence([graph.labels], 4, links_of(graph), None).own, found.own, rtol=1e-6)


def test_one_cluster_and_empty_clusters() -> None:
    graph = as_graph(nx.path_graph(5))
    one = measure_confidence([np.zeros(5, np.int64)], 1, links_of(graph), None)
    assert one.own.tolist() == [1.0] * 5
    assert one.second.tolist() == [NO_CLUSTER] * 5
    assert not one.between.any()
    empty = measure_confidence([np.array([0, 0, 0, 2, 2])], 3, links_of(graph), None)
    assert set(empty.second.tolist()) == {0, 2}
    assert np.isfinite(empty.own).all()


def test_of_a_node_without_links_nothing_is_known() -> None:
    graph = as_graph((np.array([[0, 1], [1, 2]]), 4), directed=False)
    found = measure_confidence([np.array([0, 0, 1, 1])], 2, links_of(graph), None)
    assert found.own[3] == pytest.approx(0.5)
    assert not found.between[3]
    bare = measure_confidence([np.array([0, 0, 0, 1])], 2, None, None)
    np.testing.assert_allclose(bare.own, [0.75, 0.75, 0.75, 0.25])


def test_match_takes_the_best_pairs_not_the_first() -> None:
    kept = np.array([0, 0, 0, 1, 1, 1, 1])
    assert match_clusters(kept, np.array([0, 0, 1, 0, 0, 0, 1]), 2).tolist() == [1, 0]
