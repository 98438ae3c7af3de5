"""Values of Eq. (4)–(8) worked out by hand on graphs small enough to check on paper."""

from __future__ import annotations

import math

import networkx as nx
import pytest
import torch

import hoscpool as hp
from hoscpool.objectives import motif_cut_loss, orthogonality_loss

# Two triangles 0-1-2 and 3-4-5 joined by the edge 2-3: seven edges, degrees 2, 2, 3, 3, 2, 2.
BOWTIE = nx.Graph([(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5), (2, 3)])
HALVES = torch.eye(2, dtype=torch.float64)[[0, 0, 0, 1, 1, 1]]


def test_edge_cut_by_hand() -> None:
    # each half: assoc = 2 · 3 edges = 6, vol = 2 + 2 + 3 = 7
    assert motif_cut_loss(hp.as_graph(BOWTIE), HALVES).item() == pytest.approx(-6 / 7)


def test_no_triangle_is_cut() -> None:
    # the edge 2-3 is in no triangle: G_M has two components, and −1 is reached exactly
    assert motif_cut_loss(hp.motif_adjacency(BOWTIE, "triangle"), HALVES).item() == -1


def test_one_triangle_cut_by_hand() -> None:
    # nodes 0, 1 | 2, 3, 4, 5: A_M is 1 within a triangle; assoc = 2 and 6, vol = 4 and 2 + 6 = 8
    s = torch.eye(2, dtype=torch.float64)[[0, 0, 1, 1, 1, 1]]
    assert motif_cut_loss(hp.motif_adjacency(BOWTIE, "triangle"), s).item() == pytest.approx(-(2 / 4 + 6 / 8) / 2)


def test_soft_assignment_by_hand() -> None:
    # an edge with S = (¾, ¼) and (¼, ¾): assoc_k = 2 · ¾ · ¼ = ⅜; soft volume ¾ + ¼ = 1; diagonal 9/16 + 1/16 = ⅝
    edge, s = hp.as_graph(nx.path_graph(2)), torch.tensor([[0.75, 0.25], [0.25, 0.75]], dtype=torch.float64)
    assert motif_cut_loss(edge, s).item() == pytest.approx(-3 / 8)
    assert motif_cut_loss(edge, s, volume="diagonal").item() == pytest.approx(-(3 / 8) / (5 / 8))


def test_0_when_neighbours_share_no_cluster() -> None:
    # a bipartite graph coloured by its sides: ⟨S_i, S_j⟩ = 0 on every edge
    graph = nx.complete_bipartite_graph(2, 3)
    s = torch.eye(2, dtype=torch.float64)[[0, 0, 1, 1, 1]]
    assert motif_cut_loss(hp.as_graph(graph), s).item() == 0


def test_0_when_the_members_of_a_triangle_share_no_cluster() -> None:
    s = torch.eye(3, dtype=torch.float64)[[0, 1, 2, 0, 1, 2]]
    assert motif_cut_loss(hp.motif_adjacency(BOWTIE, "triangle"), s).item() == 0


@pytest.mark.parametrize("clusters", [1, 2, 3, 7])
@pytest.mark.parametrize("motif", ["edge", "triangle"])
def test_uniform_assignment(motif: str, clusters: int) -> None:
    uniform = torch.full((6, clusters), 1 / clusters, dtype=torch.float64)
    matrix = hp.motif_adjacency(BOWTIE, motif)
    assert motif_cut_loss(matrix, uniform).item() == pytest.approx(-1 / clusters)
    assert motif_cut_loss(matrix, uniform, volume="diagonal").item() == pytest.approx(-1)


def test_both_volumes_agree_on_hard_assignments() -> None:
    for nodes in range(2**6):
        s = torch.eye(2, dtype=torch.float64)[[nodes >> i & 1 for i in range(6)]]
        graph = hp.as_graph(BOWTIE)
        assert motif_cut_loss(graph, s) == motif_cut_loss(graph, s, volume="diagonal")


def test_the_loss_is_normalised_cut() -> None:
    # Eq. (1) against Eq. (4): Σ_k cut/vol = K + K · L_mc
    s = torch.eye(2, dtype=torch.float64)[[0, 0, 1, 1, 1, 1]]  # cut = 2, vol = 4 and 10
    assert 2 + 2 * motif_cut_loss(hp.as_graph(BOWTIE), s).item() == pytest.approx(2 / 4 + 2 / 10)


@pytest.mark.parametrize("clusters", [2, 3, 7])
def test_orthogonality_bounds(clusters: int) -> None:
    balanced = torch.eye(clusters, dtype=torch.float64).repeat(3, 1)
    uniform = torch.full((5, clusters), 1 / clusters, dtype=torch.float64)
    collapsed = torch.eye(clusters, dtype=torch.float64)[[0] * 5]
    assert orthogonality_loss(balanced).item() == pytest.approx(0, abs=1e-15)
    assert orthogonality_loss(uniform).item() == pytest.approx(1)
    assert orthogonality_loss(collapsed).item() == pytest.approx(1)


def test_orthogonality_by_hand() -> None:
    # hard clusters of 3 and 1 nodes: norms √3 and 1, N = 4
    s = torch.eye(2, dtype=torch.float64)[[0, 0, 0, 1]]
    expected = (math.sqrt(2) - (math.sqrt(3) + 1) / 2) / (math.sqrt(2) - 1)
    assert orthogonality_loss(s).item() == pytest.approx(expected)


def test_the_loss_curve_of_the_paper_starts_at_one_seventh() -> None:
    # an untrained softmax on a seven-class graph is close to uniform: −0.1430 in the paper's figure
    generator = torch.Generator().manual_seed(0)
    s = torch.softmax(0.05 * torch.randn(34, 7, generator=generator, dtype=torch.float64), dim=1)
    assert motif_cut_loss(hp.datasets.load("karate"), s).item() == pytest.approx(-0.1430, abs=2e-3)
