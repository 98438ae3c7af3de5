"""The clustering baselines against PyG's dense operators, graph by graph: PyG's batch forms mix padding in."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor
from torch_geometric.nn import DMoNPooling, dense_diff_pool, dense_mincut_pool

from hoscpool.nn import make_pool
from nn.cases import Case, random_case


def make(name: str) -> Any:
    return make_pool(name, in_channels=6, num_clusters=3).double()


def tensors(case: Case, b: int) -> tuple[Tensor, Tensor]:
    return torch.from_numpy(case.features[b]), torch.from_numpy(case.matrices[b])


@pytest.mark.parametrize("weighted", [False, True])
def test_mincut(weighted: bool) -> None:
    case, pool = random_case(weighted=weighted), make("mincut")
    out = pool(case.x, **case.arguments)
    cuts, orthos = [], []
    for b in range(3):
        x, adjacency = tensors(case, b)
        logits = pool.mlp(x)
        x_pool, adjacency_pool, cut, ortho = dense_mincut_pool(x, adjacency, logits)
        torch.testing.assert_close(out.x[b], x_pool[0])
        torch.testing.assert_close(out.adjacency[b], adjacency_pool[0])
        cuts.append(cut)
        orthos.append(ortho)
    torch.testing.assert_close(out.losses["cut"], torch.stack(cuts).mean())
    torch.testing.assert_close(out.losses["orthogonality"], torch.stack(orthos).mean())
    torch.testing.assert_close(out.loss, out.losses["cut"] + out.losses["orthogonality"])


@pytest.mark.parametrize("weighted", [False, True])
def test_diffpool(weighted: bool) -> None:
    case, pool = random_case(weighted=weighted), make("diffpool")
    out = pool(case.x, **case.arguments)
    links, entropies = [], []
    for b in range(3):
        x, adjacency = tensors(case, b)
        logits = pool.gnn(x.unsqueeze(0), adjacency=adjacency.unsqueeze(0))[0]
        x_pool, adjacency_pool, link, entropy = dense_diff_pool(x, adjacency, logits)
        torch.testing.assert_close(out.x[b], x_pool[0])
        torch.testing.assert_close(out.adjacency[b], adjacency_pool[0])
        links.append(link)
        entropies.append(entropy)
    torch.testing.assert_close(out.losses["link"], torch.stack(links).mean())
    torch.testing.assert_close(out.losses["entropy"], torch.stack(entropies).mean())


@pytest.mark.parametrize("weighted", [False, True])
def test_dmon(weighted: bool) -> None:
    case, pool = random_case(weighted=weighted), make("dmon")
    theirs = DMoNPooling(6, 3).double()
    theirs.mlp.lins[0].load_state_dict(pool.mlp[0].state_dict())
    out = pool(case.x, **case.arguments)
    modularities, collapses = [], []
    for b in range(3):
        _, x_pool, adjacency_pool, modularity, _, collapse = theirs(*(part.unsqueeze(0) for part in tensors(case, b)))
        torch.testing.assert_close(out.x[b], x_pool[0])
        torch.testing.assert_close(out.adjacency[b], adjacency_pool[0])
        modularities.append(modularity)
        collapses.append(collapse)
    torch.testing.assert_close(out.losses["modularity"], torch.stack(modularities).mean())
    torch.testing.assert_close(out.losses["collapse"], torch.stack(collapses).mean())


def test_just_balance() -> None:
    case, pool = random_case(), make("just-balance")
    out = pool(case.x, **case.arguments)
    parts = torch.split(out.assignment, list(out.sizes))
    # the root of every entry of SᵀS, as in its author's code
    expected = [-(s.t() @ s).sqrt().trace() / (len(s) * 3) ** 0.5 for s in parts]
    torch.testing.assert_close(out.losses["balance"], torch.stack(expected).mean())
