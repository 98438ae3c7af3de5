from __future__ import annotations

import math
from typing import Any

import networkx as nx
import numpy as np
import pytest
import torch

from hoscpool.graph import as_graph
from hoscpool.metrics import conductance, modularity, motif_conductance
from hoscpool.objectives import motif_cut_loss
from hoscpool.support.errors import GraphWarning
from metrics.direct import combine, edge_cuts, motif_cuts, random_graph, weighted_graph, weighted_motif_cuts

AVERAGES = ["mean", "sum", "volume"]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("average", AVERAGES)
def test_conductance_is_the_direct_sum(seed: int, average: str) -> None:
    labels = np.random.default_rng(seed).integers(3, size=8).tolist()
    for A in (random_graph(seed), random_graph(seed, density=0.15), weighted_graph(seed)):
        assert conductance(A, labels, average=average) == pytest.approx(combine(edge_cuts(A, labels), average))


@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("motif", ["triangle", "wedge", "clique4"])
def test_motif_conductance_is_the_direct_sum(motif: str, average: str) -> None:
    labels = [0, 1, 0, 1, 2, 0, 1, 2]
    A = random_graph(4)
    expected = combine(motif_cuts(A, labels, motif, induced=False), average)
    assert motif_conductance(A, labels, motif, average=average) == pytest.approx(expected)


@pytest.mark.parametrize("reduce", ["product", "mean"])
@pytest.mark.parametrize(
    "motif", ["edge", "triangle", "wedge", "star4", "path4", "cycle4", "clique4", "M1", "M5", "M8", "M13"]
)
def test_instances_of_a_weighted_graph_are_weighed(motif: str, reduce: str) -> None:
    labels = [0, 1, 0, 1, 2, 0, 1, 2]
    A, is_directed = weighted_graph(4), motif.startswith("M")
    if is_directed:
        A = random_graph(4, directed=True) * np.random.default_rng(0).uniform(0.5, 5, size=(8, 8))
    graph = as_graph(A, directed=is_directed)
    for average in AVERAGES:
        expected = combine(weighted_motif_cuts(A, labels, motif, reduce), average)
        assert motif_conductance(graph, labels, motif, weights=reduce, average=average) == pytest.approx(expected)
        unweighted = combine(motif_cuts(A, labels, motif, induced=False), average)
        assert motif_conductance(graph, labels, motif, weights=None, average=average) == pytest.approx(unweighted)


def test_the_product_is_the_default_as_in_a_fit() -> None:
    A, labels = weighted_graph(3), [0, 1, 0, 1, 2, 0, 1, 2]
    assert motif_conductance(A, labels) == motif_conductance(A, labels, weights="product")
    assert motif_conductance(A, labels) != pytest.approx(motif_conductance(A, labels, weights=None))
    S = torch.nn.functional.one_hot(torch.tensor(labels)).double()
    A_M = torch.from_numpy((A @ A) * A)
    assert motif_conductance(A, labels) == pytest.approx(1 + motif_cut_loss(A_M, S).item())


def test_clusters_one_by_one() -> None:
    path = nx.path_graph(5)
    each = conductance(nx.disjoint_union(path, nx.empty_graph(1)), [3, 3, 0, 0, 0, 9], average=None)
    assert each.tolist()[:2] == pytest.approx([1 / 5, 1 / 3])
    assert math.isnan(each[2])


def test_the_mean_is_the_hard_loss() -> None:
    A, labels = random_graph(1), np.array([0, 1, 1, 0, 2, 2, 0, 1])
    S = torch.nn.functional.one_hot(torch.from_numpy(labels)).double()
    assert conductance(A, labels) == pytest.approx(1 + motif_cut_loss(torch.from_numpy(A), S).item())


def test_the_volume_average_completes_modularity() -> None:
    """Q = 1 − Σ cut/Σ vol − Σ (vol_k/2m)²: the relation between the columns of the paper's Table 7."""
    A, labels = random_graph(2), np.array([0, 1, 1, 0, 2, 2, 0, 1])
    share = np.bincount(labels, weights=A.sum(axis=1)) / A.sum()
    assert modularity(A, labels) == pytest.approx(1 - conductance(A, labels, average="volume") - (share**2).sum())


def test_motif_conductance_of_edges_is_conductance() -> None:
    A, labels = random_graph(5), [0, 1, 0, 1, 2, 0, 1, 2]
    assert motif_conductance(A, labels, "edge") == pytest.approx(conductance(A, labels))
    assert motif_conductance(3 * A, labels, "edge") == pytest.approx(conductance(A, labels))
    W = weighted_graph(5)
    assert motif_conductance(W, labels, "edge") == pytest.approx(conductance(W, labels))


@pytest.mark.parametrize(
    ("graph", "labels"),
    [
        (np.zeros((3, 3)), [0, 1, 1]),
        (np.zeros((0, 0)), []),
        (random_graph(0, 5), [0, 0, 0, 0, 0]),
        (nx.complete_graph(5), [4, 4, 4, 4, 4]),
    ],
)
@pytest.mark.parametrize("average", AVERAGES)
def test_nothing_is_cut_without_edges_or_with_one_cluster(graph: Any, labels: list[int], average: str) -> None:
    values = [conductance(graph, labels, average=average)]
    values += [motif_conductance(graph, labels, motif, average=average) for motif in ("edge", "triangle", "path4")]
    assert values == [0, 0, 0, 0]


def test_a_cluster_in_no_motif_does_not_count() -> None:
    lollipop = nx.lollipop_graph(3, 3)  # a triangle 0, 1, 2 and a tail 3, 4, 5
    assert motif_conductance(lollipop, [0, 0, 1, 2, 2, 2]) == pytest.approx((1 / 2 + 1) / 2)
    assert motif_conductance(lollipop, [0, 0, 1, 2, 2, 2], average="sum") == pytest.approx(1 / 2 + 1)
    assert motif_conductance(nx.path_graph(4), [0, 0, 1, 1]) == 0


def test_directions_are_dropped_with_a_warning() -> None:
    A, labels = random_graph(3, directed=True), [0, 0, 0, 0, 1, 1, 1, 1]
    arcs, both = as_graph(A, directed=True), np.maximum(A, A.T)
    with pytest.warns(GraphWarning, match="conductance ignores edge directions"):
        assert conductance(arcs, labels) == conductance(both, labels)
    with pytest.warns(GraphWarning, match="triangle is an undirected motif"):
        assert motif_conductance(arcs, labels) == motif_conductance(both, labels)
    with pytest.warns(GraphWarning, match="wedge ignores edge directions"):
        assert motif_conductance(arcs, labels, "wedge") == motif_conductance(both, labels, "wedge")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"average": "max"}, "average: expected one of 'mean', 'sum', 'volume', None, got 'max'"),
        ({"average": ["mean"]}, "average: expected one of"),
        ({"motif": "square"}, "unknown motif 'square'"),
        ({"labels": [0, 1]}, "labels: expected 8 labels"),
        ({"labels": [0.5] * 8}, "labels: expected whole numbers"),
    ],
)
def test_wrong_arguments_are_refused(options: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"labels": [0] * 8, **options}
    with pytest.raises(ValueError, match=message):
        motif_conductance(random_graph(0), **given)
    if "motif" not in options:
        with pytest.raises(ValueError, match=message):
            conductance(random_graph(0), **given)
