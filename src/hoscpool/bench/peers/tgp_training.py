"""Training an assignment with the layer of the same name in torch-geometric-pool, in its two modes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from hoscpool.bench.peers.assignment_training import (
    CLIP,
    HIDDEN,
    LEARNING_RATE,
    MU,
    Losses,
    Workload,
    dense_features,
    warmed,
)
from hoscpool.bench.peers.cut_losses import edge_index
from hoscpool.bench.peers.tgp import import_tgp

MATRICES = 5
"""Dense matrices ``[N, N]`` that its batched mode needs room for: A, A³, the degrees of both as diagonal matrices, and
what comes and goes (4.6 were measured)."""


@dataclass
class Input:
    """Dense features ``[N, F]``, all arcs ``[2, E]``, the mode, and the workload."""

    x: Tensor
    edges: Tensor
    batched: bool
    workload: Workload


def prepare(workload: Workload, *, batched: bool) -> Input:
    """Features and arcs as PyG takes them."""
    ready(workload)
    return Input(dense_features(workload.graph), edge_index(workload.graph), batched, workload)


def ready(workload: Workload) -> Workload:
    """The workload itself, with the library imported."""
    import_tgp("tgp.poolers")
    return warmed(workload)


prepare_batched, prepare_unbatched = partial(prepare, batched=True), partial(prepare, batched=False)


class Network(nn.Module):
    """ReLU(A X Θ₁ + X Θ₂ + b), the products with X first, then `HOSCPooling` with a perceptron as ours has it."""

    def __init__(self, in_channels: int, k: int, batched: bool) -> None:
        super().__init__()
        from torch_geometric.nn import SimpleConv

        self.neighbours, self.skip = nn.Linear(in_channels, HIDDEN, bias=False), nn.Linear(in_channels, HIDDEN)
        self.propagate = SimpleConv(aggr="sum")
        self.pool = import_tgp("tgp.poolers").HOSCPooling(
            [HIDDEN, HIDDEN], k, act="relu", mu=MU, hosc_ortho=True, batched=batched, cache_preprocessing=batched
        )

    def forward(self, x: Tensor, edges: Tensor) -> Tensor:
        """The sum of its losses."""
        h = torch.relu(self.propagate(self.neighbours(x), edges) + self.skip(x))
        return torch.stack(list(self.pool(x=h, adj=edges).loss.values())).sum()


def train(data: Input) -> Losses:
    """All epochs, from the same parameters in every call.

    Raises:
        MemoryError: The dense matrices do not fit.
    """
    if data.batched:
        check_room(data.workload.graph.num_nodes)
    torch.manual_seed(0)
    network = Network(data.x.shape[1], data.workload.num_clusters, data.batched)
    optimizer = torch.optim.Adam(network.parameters(), lr=LEARNING_RATE)
    losses = []
    for _ in range(data.workload.epochs):
        optimizer.zero_grad()
        loss = network(data.x, data.edges)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), CLIP)
        optimizer.step()
        losses.append(loss.item())
    return np.array(losses)


def fit(workload: Workload) -> Losses:
    """Its sparse mode from the graph on: arcs and features, then all epochs."""
    return train(prepare_unbatched(workload))


def check_room(num_nodes: int) -> None:
    """Check that the dense matrices of the batched mode fit, before the machine runs out of memory.

    Raises:
        MemoryError: They do not. The message says how much they take.
    """
    import psutil

    needed, room = MATRICES * 4 * num_nodes**2, int(psutil.virtual_memory().available)
    if needed > room:
        raise MemoryError(f"about {needed / 1e9:.1f} GB needed, {room / 1e9:.1f} GB free")


def finite(_workload: Any, losses: Losses) -> Losses:
    """Its losses. They are not comparable with ours, but must be finite.

    Raises:
        ValueError: One is not.
    """
    if not np.isfinite(losses).all():
        raise ValueError("a loss is not finite")
    return losses
