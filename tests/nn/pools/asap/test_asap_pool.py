"""ASAP's compiled loops against PyG's own ``ASAPooling.forward``."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from torch import Tensor
from torch_geometric.nn import ASAPooling

from hoscpool.nn import ASAPool
from hoscpool.objectives.operators.product import quiet_sparse
from nn.cases import Case, as_case, degenerate_case, random_case

WIDTH = 6
TYPES = [torch.float32, torch.float64]


def tied(dtype: torch.dtype) -> Case:
    """Features in which most maxima are shared, many of them at 0, as behind a rectifier."""
    case = random_case(sizes=(9, 14, 6), weighted=True, density=0.15, dtype=dtype)
    case.x = (case.x - 0.5).round().relu()
    return case


def edgeless(dtype: torch.dtype) -> Case:
    rng = np.random.default_rng(2)
    sizes = (4, 1, 3)
    return as_case([np.zeros((n, n)) for n in sizes], [rng.normal(size=(n, WIDTH)) for n in sizes], False, dtype)


def directed(dtype: torch.dtype) -> Case:
    """One-way and repeated edges, a self-loop with a weight of its own, weights of 0, nodes that nothing arrives at."""
    case = random_case(sizes=(8, 11), weighted=True, dtype=dtype)
    few = case.edge_index[:, ::3]
    case.edge_index = torch.cat([few, few[:, :5], torch.tensor([[2, 9], [2, 9]])], dim=1)
    case.edge_weight = torch.linspace(0.1, 2, case.edge_index.size(1), dtype=dtype)
    case.edge_weight[::4] = 0
    return case


def crowded(dtype: torch.dtype) -> Case:
    """Graphs in which nearly all nodes are joined, which are multiplied as dense, between some that are not."""
    rng, cases = np.random.default_rng(3), []
    for size, density in ((12, 0.05), (25, 0.9), (30, 0.08), (9, 1.0)):
        joined = np.triu(rng.random((size, size)) < density, 1) * rng.uniform(0.1, 2, (size, size))
        cases.append(joined + joined.T)
    case = as_case(cases, [rng.normal(size=(len(a), WIDTH)) for a in cases], True, dtype)
    assert case.edge_weight is not None
    case.edge_weight[::3] = 0
    return case


CASES: dict[str, Any] = {
    "plain": lambda dtype: random_case(dtype=dtype),
    "weighted": lambda dtype: random_case(seed=1, sizes=(20, 1, 33), weighted=True, density=0.15, dtype=dtype),
    "degenerate": lambda dtype: degenerate_case(dtype=dtype),
    "one node": lambda dtype: random_case(sizes=(1,), dtype=dtype),
    "ties": tied,
    "no edges": edgeless,
    "directed": directed,
    "crowded": crowded,
}


def make(dtype: torch.dtype, ratio: float | int = 0.5, **options: Any) -> ASAPool:
    torch.manual_seed(0)
    return ASAPool(WIDTH, ratio, **options).to(dtype)


def run_pyg(pool: ASAPool, case: Case) -> tuple[Tensor, ...]:
    weight = torch.ones(case.edge_index.size(1), dtype=case.x.dtype) if case.edge_weight is None else case.edge_weight
    with quiet_sparse():
        return pool.operator(case.x, case.edge_index, weight, case.batch)  # type: ignore[no-any-return]


def gradients(x: Tensor, pooled: Tensor, pool: ASAPool) -> list[Tensor]:
    weights = torch.linspace(-1, 2, pooled.numel(), dtype=pooled.dtype).view_as(pooled)
    wanted = [x, *(p for name, p in pool.named_parameters() if name != "operator.select.weight")]
    return list(torch.autograd.grad((weights * pooled).sum(), wanted))


def as_matrix(edge_index: Tensor, weight: Tensor, size: int) -> tuple[Tensor, Tensor]:
    """Which edges there are, and their weights."""
    place = (edge_index[0] * size + edge_index[1]).numpy()
    assert len(np.unique(place)) == len(place)
    matrix = sp.coo_array((weight.detach().numpy(), edge_index.numpy()), shape=(size, size)).toarray()
    return torch.from_numpy(np.sort(place)), torch.from_numpy(matrix)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("ratio", [0.5, 1.0, 3])
@pytest.mark.parametrize("name", CASES)
def test_values_and_gradients_are_those_of_pyg(name: str, ratio: float, dtype: torch.dtype) -> None:
    case, pool = CASES[name](dtype), make(dtype, ratio)
    case.x.requires_grad_()
    out = pool(case.x, **case.arguments)
    pooled, edge_index, weight, batch, _ = run_pyg(pool, case)
    torch.testing.assert_close(out.x, pooled)
    assert torch.equal(out.batch, batch)
    size = len(pooled)
    close: dict[str, Any] = {"rtol": 2e-4, "atol": 2e-5} if dtype == torch.float32 else {}
    for ours, theirs in zip(
        as_matrix(out.edge_index, out.edge_weight, size), as_matrix(edge_index, weight, size), strict=True
    ):
        torch.testing.assert_close(ours, theirs)
    assert not out.edge_weight.requires_grad
    for found, expected in zip(gradients(case.x, out.x, pool), gradients(case.x, pooled, pool), strict=True):
        torch.testing.assert_close(found, expected, **close)


@pytest.mark.parametrize("name", CASES)
def test_members_are_the_kept_ego_networks(name: str) -> None:
    case, pool = CASES[name](torch.float64), make(torch.float64)
    out, kept = pool(case.x, **case.arguments), run_pyg(pool, case)[-1]
    expected = torch.zeros(len(case.x), len(case.x), dtype=torch.float64)
    expected[tuple(case.edge_index)] = 1
    expected.fill_diagonal_(1)
    assert torch.equal(out.assignment.to_dense(), expected[:, kept])
    assert torch.equal(out.assignment.indices(), expected[:, kept].nonzero().T)


def test_the_parameters_are_those_of_pyg() -> None:
    torch.manual_seed(0)
    expected = ASAPooling(WIDTH).state_dict()
    found = make(torch.float32).operator.state_dict()
    assert list(found) == list(expected)
    assert all(torch.equal(found[name], expected[name]) for name in expected)


def test_dropout_is_that_of_pyg() -> None:
    case, pool = random_case(), make(torch.float64, dropout=0.5)
    torch.manual_seed(1)
    out = pool(case.x, **case.arguments)
    torch.manual_seed(1)
    torch.testing.assert_close(out.x, run_pyg(pool, case)[0])
    calm = copy.deepcopy(pool).eval()
    torch.testing.assert_close(calm(case.x, **case.arguments).x, run_pyg(calm, case)[0])


def test_autocast_does_not_reach_the_loops() -> None:
    case, pool = random_case(dtype=torch.float32), make(torch.float32)
    expected = pool(case.x, **case.arguments)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.equal(pool(case.x, **case.arguments).x, expected.x)
