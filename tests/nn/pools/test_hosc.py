"""HoscPool against plain NumPy, the authors' operator, and itself in other storages."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

import oracles
from hoscpool.motifs import list_motifs
from hoscpool.nn import HoscPool, PoolingOutput, set_progress
from hoscpool.support.errors import GraphWarning
from nn.cases import Case, Matrix, as_case, padded, random_case

DATA = Path(__file__).parent / "data" / "authors_operator.json"
GOLDEN: list[dict[str, Any]] = json.loads(DATA.read_text())["cases"]
UNDIRECTED, DIRECTED = list(oracles.UNDIRECTED), list(oracles.DIRECTED)


def cut(A: Matrix, S: Matrix) -> float:
    terms = [S[:, k] @ A @ S[:, k] / (A.sum(1) @ S[:, k]) if A.sum(1) @ S[:, k] else 0.0 for k in range(S.shape[1])]
    return float(-sum(terms) / S.shape[1])


def orthogonality(S: Matrix) -> float:
    n, k = S.shape
    return float((np.sqrt(k) - np.linalg.norm(S, axis=0).sum() / np.sqrt(n)) / (np.sqrt(k) - 1))


def normalised(A: Matrix) -> Matrix:
    A = A.copy()
    np.fill_diagonal(A, 0)
    d = A.sum(1)
    scale = np.array([1 / np.sqrt(v) if v > 0 else 0.0 for v in d])
    return np.asarray(scale[:, None] * A * scale)


def split(out: PoolingOutput) -> list[Matrix]:
    return [part.detach().numpy() for part in torch.split(out.assignment, list(out.sizes))]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("motif", ["triangle", "wedge", "path4", "clique4", "cycle4"])
def test_against_numpy(motif: str, weighted: bool) -> None:
    case = random_case(weighted=weighted)
    pool = HoscPool(6, 3, {"edge": 0.3, motif: 0.7}, mu=0.2, hidden=5).double()
    out = pool(case.x, **case.arguments)
    edge, higher, ortho = [], [], []
    for b, (A, X, S) in enumerate(zip(case.matrices, case.features, split(out), strict=True)):
        M = oracles.motif_adjacency(A, motif, induced=False, weights="product" if weighted else None) * (A > 0)
        edge.append(cut(A, S))
        higher.append(cut(M, S))
        ortho.append(orthogonality(S))
        np.testing.assert_allclose(out.x[b].detach(), S.T @ X, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(out.adjacency[b].detach(), normalised(S.T @ A @ S), rtol=1e-9, atol=1e-12)
    expected = {"edge": np.mean(edge), motif: np.mean(higher), "orthogonality": np.mean(ortho)}
    assert {name: value.item() for name, value in out.losses.items()} == pytest.approx(expected)
    total = 0.3 * np.mean(edge) + 0.7 * np.mean(higher) + 0.2 * np.mean(ortho)
    assert out.loss.item() == pytest.approx(total)
    assert out.objective.item() == pytest.approx(total)


class Given(nn.Module):
    """Stands for the perceptron: the first columns of x are the logits."""

    def __init__(self, k: int) -> None:
        super().__init__()
        self.k = k

    def forward(self, x: Tensor) -> Tensor:
        return x[..., : self.k]


@pytest.mark.parametrize("storage", ["sparse", "dense"])
@pytest.mark.parametrize("index", range(len(GOLDEN)))
def test_against_the_authors_operator(index: int, storage: str) -> None:
    golden = GOLDEN[index]
    k, expected = golden["k"], golden["expected"]
    matrices = [np.array(graph["adjacency"]) for graph in golden["graphs"]]
    features = [np.hstack([graph["logits"], graph["x"]]) for graph in golden["graphs"]]
    case = as_case(matrices, features, golden["weighted"])
    pool = HoscPool(case.x.size(1), k).double()
    pool.mlp = Given(k)  # type: ignore[assignment]
    x, adjacency, mask = padded(case)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphWarning)  # some of these graphs have no triangle
        sparse, dense = pool(case.x, **case.arguments), pool(x, adjacency=adjacency, mask=mask)
    out = sparse if storage == "sparse" else dense
    np.testing.assert_allclose(out.x[..., k:].numpy(), expected["x_pool"], atol=2e-6)
    np.testing.assert_allclose(out.adjacency.numpy(), expected["adj_pool_normalised"], atol=2e-6)
    assert out.losses["edge"].item() == pytest.approx(expected["hosc_alpha_0.0"], abs=2e-6)
    assert out.losses["triangle"].item() == pytest.approx(expected["hosc_alpha_1.0"], abs=2e-6)
    assert (0.5 * (out.losses["edge"] + out.losses["triangle"])).item() == pytest.approx(
        expected["hosc_alpha_0.5"], abs=2e-6
    )
    assert out.losses["orthogonality"].item() == pytest.approx(expected["ortho_eq8"], abs=2e-6)


@pytest.mark.parametrize("on_edges", [True, False])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("motif", UNDIRECTED)
def test_sparse_and_dense_agree_for_every_motif(motif: str, weighted: bool, on_edges: bool) -> None:
    case = random_case(weighted=weighted, density=0.8)
    pool = HoscPool(6, 3, {motif: 1.0}, on_edges=on_edges).double()
    x, adjacency, mask = padded(case)
    sparse, dense = pool(case.x, **case.arguments), pool(x, adjacency=adjacency, mask=mask)
    torch.testing.assert_close(sparse.losses[motif], dense.losses[motif])
    gradients = [torch.autograd.grad(out.loss, list(pool.parameters())) for out in (sparse, dense)]
    torch.testing.assert_close(gradients[0], gradients[1])


@pytest.mark.parametrize("motif", DIRECTED)
def test_directed_motifs_see_directions(motif: str) -> None:
    rng = np.random.default_rng(2)
    A = (rng.random((7, 7)) < 0.7).astype(float)
    np.fill_diagonal(A, 0)
    case = as_case([A], [rng.normal(size=(7, 6))], weighted=False)
    pool = HoscPool(6, 2, {motif: 1.0}).double()
    with pytest.warns(GraphWarning, match="edge_index: .*direct"):
        out = pool(case.x, case.edge_index)
    M = oracles.motif_adjacency(A, motif, induced=False) * ((A + A.T) > 0)
    assert out.losses[motif].item() == pytest.approx(cut(M, split(out)[0]))


def test_every_motif_of_the_catalogue_is_covered_here() -> None:
    assert set(UNDIRECTED + DIRECTED) == set(list_motifs())


@pytest.mark.parametrize("remove_self_loops", [True, False])
@pytest.mark.parametrize("normalize", [True, False])
def test_coarsening_can_be_switched(remove_self_loops: bool, normalize: bool) -> None:
    case = random_case()
    pool = HoscPool(6, 3, remove_self_loops=remove_self_loops, normalize=normalize).double()
    out = pool(case.x, **case.arguments)
    for A, S, found in zip(case.matrices, split(out), out.adjacency, strict=True):
        expected = S.T @ A @ S
        if remove_self_loops:
            np.fill_diagonal(expected, 0)
        if normalize:
            d = 1 / np.sqrt(expected.sum(1))
            expected = d[:, None] * expected * d
        np.testing.assert_allclose(found.detach(), expected, rtol=1e-9)


def test_hp1_and_hp2_are_the_parts() -> None:
    case = random_case()
    choices = [{"edge": 1.0}, {"triangle": 1.0}, {"edge": 0.5, "triangle": 0.5}]
    pools = [HoscPool(6, 3, motifs).double() for motifs in choices]
    for pool in pools[1:]:
        pool.load_state_dict(pools[0].state_dict())
    edge, triangle, both = (pool(case.x, **case.arguments).losses for pool in pools)
    assert set(edge) == {"edge", "orthogonality"}
    assert set(triangle) == {"triangle", "orthogonality"}
    assert torch.equal(edge["edge"], both["edge"])
    assert torch.equal(triangle["triangle"], both["triangle"])


def test_volume_is_passed_on() -> None:
    case = random_case()
    pool = HoscPool(6, 3, volume="diagonal").double()
    with torch.no_grad():
        for parameter in pool.parameters():
            parameter.zero_()
    out = pool(case.x, **case.arguments)
    assert out.losses["edge"].item() == pytest.approx(-1.0)  # the useless optimum of the printed form


def test_a_schedule_moves_the_loss_but_not_the_objective() -> None:
    case = random_case()
    model = nn.ModuleList([HoscPool(6, 3, {"edge": 0.4, "triangle": 0.6}, mu=0.1, schedule="adaptive").double()])
    values = []
    for progress in (0.0, 0.5, 1.0):
        set_progress(model, progress)
        values.append(model[0](case.x, **case.arguments))
    first, middle, last = values
    ortho = 0.1 * first.losses["orthogonality"]
    torch.testing.assert_close(first.loss, first.losses["triangle"] + ortho)
    torch.testing.assert_close(last.loss, last.losses["edge"] + ortho)
    for out in values:
        torch.testing.assert_close(out.objective, 0.4 * out.losses["edge"] + 0.6 * out.losses["triangle"] + ortho)
    assert first.loss.item() != middle.loss.item() != last.loss.item()
    with pytest.raises(ValueError, match="progress: expected a number from 0 to 1, got 2"):
        set_progress(model, 2)


def test_a_motif_without_instances_is_said_once_and_counts_0() -> None:
    path = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
    pool, x = HoscPool(4, 2), torch.randn(3, 4, requires_grad=True)
    with pytest.warns(GraphWarning, match="no graph of the batch has the motif triangle, so its cut is 0"):
        out = pool(x, path)
    assert out.losses["triangle"].item() == 0
    again = pool(x, path)  # no second warning: warnings are errors here
    torch.autograd.backward([again.loss])
    assert x.grad is not None
    assert bool(x.grad.isfinite().all())


def test_what_was_changed_in_the_edges_is_said_once() -> None:
    pool, x = HoscPool(4, 2), torch.randn(3, 4)
    clean = torch.tensor([[0, 0, 1, 1, 2, 2], [1, 2, 0, 2, 0, 1]])
    loops = torch.cat([clean, torch.tensor([[1], [1]])], dim=1)
    with pytest.warns(GraphWarning, match="edge_index: 1 self-loop was dropped; this layer warns once"):
        out = pool(x, loops)
    torch.testing.assert_close(pool(x, clean).adjacency, out.adjacency)
    torch.testing.assert_close(pool(x, loops.clone()).loss, out.loss)


def test_weights_that_want_a_gradient_are_constants_and_said() -> None:
    case = random_case(weighted=True)
    assert case.edge_weight is not None
    weight = case.edge_weight.clone().requires_grad_()
    with pytest.warns(GraphWarning, match="edge_weight: requires a gradient"):
        out = HoscPool(6, 3).double()(case.x, case.edge_index, weight, case.batch)
    torch.autograd.backward([out.loss + out.adjacency.sum()])
    assert weight.grad is None


def test_one_dense_graph_needs_no_batch_dimension() -> None:
    case, pool = random_case(sizes=(5,)), HoscPool(6, 2).double()
    x, adjacency, mask = padded(case)
    expected = pool(case.x, case.edge_index)
    for keywords in ({}, {"mask": mask[0]}):
        out = pool(x[0], adjacency=adjacency[0], **keywords)
        torch.testing.assert_close(out.x, expected.x)
        torch.testing.assert_close(out.loss, expected.loss)


def test_gradients_reach_a_dense_adjacency() -> None:
    case = random_case(sizes=(5,))
    x, adjacency, _ = padded(case)
    adjacency = (adjacency + torch.rand(5, 5, dtype=torch.float64) + 0.1).requires_grad_()  # off the bound at 0
    pool = HoscPool(6, 2, {"edge": 0.5, "triangle": 0.5}).double()

    def value(A: Tensor) -> Tensor:
        out = pool(x, adjacency=(A + A.mT) / 2)
        total: Tensor = out.loss + out.adjacency.pow(2).sum()
        return total

    assert torch.autograd.gradcheck(value, (adjacency,))


def test_gradcheck_through_the_whole_layer() -> None:
    case = random_case(sizes=(4, 5))
    pool = HoscPool(6, 2, hidden=3).double()

    def value(x: Tensor) -> Tensor:
        out = pool(x, **case.arguments)
        total: Tensor = out.loss + out.adjacency.pow(2).sum() + out.x.pow(3).sum()
        return total

    assert torch.autograd.gradcheck(value, (case.x.requires_grad_(),))


def test_a_graph_with_fewer_nodes_than_clusters() -> None:
    case = random_case(sizes=(3, 9))
    out = HoscPool(6, 5).double()(case.x, **case.arguments)
    assert out.x.shape == (2, 5, 6)
    assert bool(out.loss.isfinite())


@pytest.mark.parametrize("hidden", [(), 8, (8,), (8, 7, 5)])
def test_the_perceptron_has_any_depth(hidden: Any) -> None:
    pool = HoscPool(6, 3, hidden=hidden)
    widths = [module.out_features for module in pool.mlp if isinstance(module, nn.Linear)]
    assert widths == [*([hidden] if isinstance(hidden, int) else hidden), 3]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"motifs": {"triangel": 1.0}}, r"unknown motif 'triangel'. Did you mean 'triangle'\? Valid motifs: edge"),
        ({"motifs": {}}, "motifs: expected at least one motif"),
        ({"motifs": {"edge": -1.0}}, r"motifs\['edge'\]: expected a weight from 0 to 1e\+06, got -1"),
        ({"mu": float("nan")}, r"mu: expected a weight from 0 to 1e\+06, got nan"),
        ({"volume": "hard"}, "volume: expected one of 'soft', 'diagonal', got 'hard'"),
        ({"schedule": "linear"}, "schedule: expected one of constant, adaptive or a function, got 'linear'"),
        ({"hidden": 0}, "hidden: expected an integer of at least 1, got 0"),
        ({"num_clusters": 0}, "num_clusters: expected an integer of at least 1, got 0"),
        ({"num_clusters": 2.0}, "num_clusters: expected an integer of at least 1, got 2.0"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        HoscPool(**{"in_channels": 6, "num_clusters": 3, **options})


def test_motif_matrices_that_do_not_cover_the_layer() -> None:
    case = random_case()
    with pytest.raises(ValueError, match="motifs: expected the matrix of 'triangle', which this layer uses, got none"):
        HoscPool(6, 3).double()(case.x, **case.arguments, motifs={})


def test_repr() -> None:
    assert "6, num_clusters=3, motifs={'edge': 0.5, 'triangle': 0.5}, mu=0.1" in repr(HoscPool(6, 3))


def stale(case: Case, pool: HoscPool) -> Tensor:
    loss: Tensor = pool(case.x, **case.arguments).loss
    return loss


def test_edges_that_change_in_place_are_counted_again() -> None:
    case, pool = random_case(sizes=(9,), density=0.4), HoscPool(6, 3).double()
    before = stale(case, pool)
    assert torch.equal(stale(case, pool), before)
    order = torch.randperm(9, generator=torch.Generator().manual_seed(0))
    case.edge_index.copy_(order[case.edge_index])
    case.edge_index.copy_(case.edge_index[:, (case.edge_index[0] * 9 + case.edge_index[1]).argsort()])
    fresh = pool(case.x, case.edge_index.clone()).loss
    assert not torch.allclose(before, fresh)
    assert torch.equal(stale(case, pool), fresh)
