"""The textbook HoscPool classifier, as its authors wrote it: dense, with padded graphs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch_geometric.nn import DenseGraphConv
from torch_geometric.utils import to_dense_adj, to_dense_batch

EPS = 1e-15


@dataclass
class Pooled:
    """Coarsened graphs and the losses: cut of the edges, cut of the triangles, orthogonality."""

    x: Tensor
    adjacency: Tensor
    losses: Tensor


def dense_hosc_pool(x: Tensor, adjacency: Tensor, logits: Tensor, mask: Tensor | None) -> Pooled:
    """Eqs. 6–8 on padded matrices: diagonals as matrices, traces of products, as in PyG's ``dense_mincut_pool``."""
    s = torch.softmax(logits, dim=-1)
    if mask is not None:
        x, s = x * mask.unsqueeze(-1), s * mask.unsqueeze(-1)
    k = s.size(-1)
    pooled = s.transpose(1, 2) @ adjacency @ s
    triangles = (adjacency @ adjacency) * adjacency
    cuts = [_cut(adjacency, pooled, s), _cut(triangles, s.transpose(1, 2) @ triangles @ s, s)]
    size = x.new_full((len(x),), x.size(1)) if mask is None else mask.sum(dim=1).to(x.dtype)
    norms = torch.linalg.vector_norm(s, dim=1).sum(dim=-1)
    shortfall = (k**0.5 - norms / size.sqrt()) / (k**0.5 - 1) if k > 1 else 0 * norms
    pooled = pooled * (1 - torch.eye(k))
    scale = (pooled.sum(dim=-1) + EPS).sqrt().unsqueeze(-1)
    pooled = pooled / scale / scale.transpose(1, 2)
    return Pooled(s.transpose(1, 2) @ x, pooled, torch.stack([*cuts, shortfall.mean()]))


def _cut(matrix: Tensor, pooled: Tensor, s: Tensor) -> Tensor:
    inside = torch.einsum("ijj->ij", pooled)
    degree = torch.diag_embed(matrix.sum(dim=-1))
    touched = (s.transpose(1, 2) @ degree @ s).sum(dim=-1)
    return -(inside / (touched + EPS)).sum(dim=-1).mean() / s.size(-1)


class DenseClassifier(nn.Module):
    """GNN – pool – GNN – pool – GNN – mean – dense ×2 on padded graphs.

    Args:
        in_channels: Width of the node features.
        num_classes: Number of classes.
        clusters: K of both pools.
        hidden: Width of all layers.
        mu: Weight of the orthogonality.
    """

    def __init__(self, in_channels: int, num_classes: int, clusters: Sequence[int], hidden: int, mu: float) -> None:
        super().__init__()
        self.mu = mu
        self.encoders = nn.ModuleList(DenseGraphConv(width, hidden) for width in (in_channels, hidden, hidden))
        self.assign = nn.ModuleList(nn.Linear(hidden, k) for k in clusters)
        self.dense = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, num_classes))

    def forward(self, data: Any) -> tuple[Tensor, Tensor]:
        """Logits ``[B, C]``, and the sum of the losses of both pools."""
        x, mask = to_dense_batch(data.x, data.batch)
        adjacency = to_dense_adj(data.edge_index, data.batch, max_num_nodes=x.size(1))
        losses = x.new_zeros(3)
        for encoder, assign in zip(self.encoders, self.assign, strict=False):
            x = encoder(x, adjacency, mask).relu()
            pooled = dense_hosc_pool(x, adjacency, assign(x), mask)
            x, adjacency, mask, losses = pooled.x, pooled.adjacency, None, losses + pooled.losses
        x = self.encoders[-1](x, adjacency).relu().mean(dim=1)
        return self.dense(x), losses @ losses.new_tensor([0.5, 0.5, self.mu])
