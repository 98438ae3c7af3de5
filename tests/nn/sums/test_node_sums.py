"""The sums for all motifs at once are the losses one by one, with their gradients, in every storage."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

from hoscpool.nn import HoscPool
from hoscpool.nn.batch.motif_matrices import motif_matrix
from hoscpool.nn.batch.read_graphs import read_graphs
from hoscpool.nn.sums import node_sums as statistics
from hoscpool.nn.sums import small
from hoscpool.objectives import motif_cut_loss, orthogonality_loss
from hoscpool.objectives.cuts import VOLUMES, Volume
from nn.cases import random_case

MOTIFS = {"edge": 0.3, "triangle": 0.7, "wedge": 1.0}


def both(pool: HoscPool, x: Tensor, **graph: Tensor | None) -> tuple[Sequence[Tensor], Sequence[Tensor], Tensor]:
    """The losses of the layer, and those of the objectives on the same assignment."""
    options: dict[str, Tensor | None] = dict.fromkeys(("edge_index", "edge_weight", "batch", "adjacency", "mask"))
    read = read_graphs(x, **{**options, **graph}, in_channels=x.size(-1))
    s = pool.select(read).detach().requires_grad_()
    ours = list(pool.losses(read, s, None).values())
    flat, batch = read.by_graph(s)
    matrices = [motif_matrix(read, name, None, on_edges=True) for name in MOTIFS]
    theirs = [motif_cut_loss(matrix, flat, batch, volume=pool.volume) for matrix in matrices]
    return ours, [*theirs, orthogonality_loss(flat, batch)], s


@pytest.mark.parametrize("volume", VOLUMES)
@pytest.mark.parametrize("storage", ["edges", "dense", "masked"])
@pytest.mark.parametrize("path", ["small", "kernels", "torch"])
def test_losses_and_gradients_are_those_of_the_objectives(
    volume: Volume, storage: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if path != "small":
        monkeypatch.setattr(small, "SMALL", 0)
    if path == "torch":
        monkeypatch.setattr(statistics, "sum_nodes", lambda *_: None)
    pool = HoscPool(6, 4, MOTIFS, volume=volume).double()
    if storage == "edges":
        case = random_case()
        ours, theirs, s = both(pool, case.x, **case.arguments)
    else:
        generator = torch.Generator().manual_seed(0)
        half = torch.rand(3, 5, 5, generator=generator, dtype=torch.float64)
        mask = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0], [1, 1, 1, 1, 0]]).bool() if storage == "masked" else None
        x = torch.randn(3, 5, 6, generator=generator, dtype=torch.float64)
        ours, theirs, s = both(pool, x, adjacency=(half + half.mT).requires_grad_(), mask=mask)
    torch.testing.assert_close(torch.stack(list(ours)), torch.stack(list(theirs)))
    for own, other in zip(ours, theirs, strict=True):
        gradients = [torch.autograd.grad(loss, s, retain_graph=True)[0] for loss in (own, other)]
        torch.testing.assert_close(*gradients)
