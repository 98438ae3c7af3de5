"""PyG's dense operators as independent peers."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch_geometric.nn import DMoNPooling, dense_diff_pool, dense_mincut_pool

from hoscpool import objectives as o


class Padded:
    """Three graphs of different sizes as PyG wants them."""

    def __init__(self, draw: Any) -> None:
        sizes = (7, 4, 5)
        self.x = torch.from_numpy(draw.rng.normal(size=(3, 7, 2)))
        self.logits = torch.from_numpy(draw.rng.normal(size=(3, 7, 3)))
        self.mask = torch.arange(7) < torch.tensor(sizes)[:, None]
        self.A = torch.stack([torch.from_numpy(draw.adjacency(7)) for _ in sizes])
        self.A = self.A * (self.mask[:, :, None] & self.mask[:, None, :])
        self.adjacency = o.as_adjacency(self.A, mask=self.mask)
        self.s = torch.softmax(self.logits, -1)


@pytest.fixture
def padded(draw: Any) -> Padded:
    return Padded(draw)


def test_mincut(padded: Padded) -> None:
    *_, cut, orthogonality = dense_mincut_pool(padded.x, padded.A, padded.logits, padded.mask)
    torch.testing.assert_close(o.mincut_loss(padded.adjacency, padded.s), cut)
    torch.testing.assert_close(o.mincut_orthogonality_loss(padded.s, mask=padded.mask), orthogonality)


def test_diffpool_on_one_graph(padded: Padded) -> None:
    *_, link, entropy = dense_diff_pool(padded.x[0], padded.A[0], padded.logits[0])
    torch.testing.assert_close(o.link_prediction_loss(padded.A[0], padded.s[0]), link)
    torch.testing.assert_close(o.entropy_loss(padded.s[0]), entropy)


def test_dmon(padded: Padded) -> None:
    pool = DMoNPooling(2, 3).double()
    s, _, _, spectral, orthogonality, _ = pool(padded.x, padded.A, padded.mask)
    adjacency = o.as_adjacency(padded.A, mask=padded.mask)
    torch.testing.assert_close(o.modularity_loss(adjacency, s), spectral)
    torch.testing.assert_close(o.mincut_orthogonality_loss(s, mask=padded.mask), orthogonality)


def test_dmon_collapse_graph_by_graph(padded: Padded) -> None:
    """On a batch PyG divides every graph's norm by every graph's size (a broadcast of [B] by [B, 1]): not compared."""
    pool = DMoNPooling(2, 3).double()
    sizes = padded.mask.sum(1).tolist()
    clusters = [pool(padded.x[b, :n], padded.A[b, :n, :n]) for b, n in enumerate(sizes)]
    s = torch.nn.utils.rnn.pad_sequence([parts[0][0] for parts in clusters], batch_first=True)
    torch.testing.assert_close(o.collapse_loss(s, mask=padded.mask), torch.stack([c[-1] for c in clusters]).mean())
