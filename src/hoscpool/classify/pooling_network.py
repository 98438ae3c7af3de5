"""The network of Section 5.2: GNN – pool – GNN – pool – GNN – global pool – dense ×2."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from hoscpool.classify.architecture import Settings
from hoscpool.nn import (
    Encoder,
    GraphBatch,
    HoscPool,
    Pool,
    PoolingOutput,
    RandomPool,
    make_encoder,
    make_pool,
    pool_info,
    pooled_graphs,
)
from hoscpool.support.errors import GraphWarning


@dataclass(frozen=True)
class Prediction:
    """The output of the network for a batch.

    Attributes:
        logits: ``[B, C]``.
        pools: The output of every pool, in order.
        loss: The sum of the pools' losses.
    """

    logits: Tensor
    pools: list[PoolingOutput]
    loss: Tensor


class Network(nn.Module):
    """What all networks share.

    Args:
        settings: The settings of the classifier.

    Attributes:
        encoders: The message-passing layers in order.
        pools: The pools between them.
        dense: What makes logits of the read-outs.
    """

    encoders: nn.ModuleList
    pools: nn.ModuleList
    dense: nn.Sequential | nn.ModuleList

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings

    def forward(self, graph: GraphBatch) -> Prediction:
        """Logits of a batch, and the outputs of its pools."""
        raise NotImplementedError

    def read(self, graph: GraphBatch) -> Tensor:
        """The global pool: mean or sum over the nodes of every graph, ``[B, H]``."""
        total = graph.sum(graph.weigh(graph.x))
        if self.settings.readout == "sum":
            return total
        return total / graph.num_nodes.clamp(min=1).unsqueeze(1)


class PoolingNetwork(Network):
    """The paper's graph classifier, with any pool of the registry.

    A pool that leaves one supernode per graph (``gmt``) replaces the global pool, after all encoders.

    Args:
        in_channels: Width of the node features.
        num_classes: C.
        clusters: K of every pool.
        settings: The settings of the classifier.
        random_state: Seed of random pools.
        edge_channels: Width of the features of edges; 0 for none.
    """

    def __init__(
        self,
        in_channels: int,
        num_classes: int,
        clusters: Sequence[int],
        settings: Settings,
        random_state: int = 0,
        edge_channels: int = 0,
    ) -> None:
        super().__init__(settings)
        hidden, is_global = settings.hidden, pool_info(settings.pooling).is_global
        self.pools = nn.ModuleList(
            () if is_global else [make_network_pool(settings, k, random_state + i) for i, k in enumerate(clusters)]
        )
        widths = [in_channels, *(pool.out_channels if isinstance(pool, Pool) else hidden for pool in self.pools)]
        widths += [hidden] * (len(clusters) + 1 - len(widths))
        self.encoders = nn.ModuleList(
            make_network_encoder(settings, width, edge_channels, i) for i, width in enumerate(widths)
        )
        self.global_pool = make_network_pool(settings, clusters[0], random_state) if is_global and clusters else None
        read = hidden * (len(self.encoders) if settings.skip_readout else 1)
        self.dense = nn.Sequential(nn.Linear(read, hidden), nn.ReLU(), nn.Linear(hidden, num_classes))

    def forward(self, graph: GraphBatch) -> Prediction:
        """Logits of a batch, and the outputs of its pools."""
        pools: list[PoolingOutput] = []
        read: list[Tensor] = []
        for i, encoder in enumerate(self.encoders):
            graph = graph.with_features(encoder.encode(graph.x, graph.messages).relu())  # type: ignore[operator]
            last = i == len(self.encoders) - 1
            if self.settings.skip_readout and not last:
                read.append(self.read(graph))
            if i < len(self.pools):
                out: PoolingOutput = self.pools[i].pool(graph, None)  # type: ignore[operator]
                pools.append(out)
                graph = pooled_graphs(out)
        if self.global_pool is not None:
            pools.append(self.global_pool.pool(graph, None))
            read.append(pools[-1].x.squeeze(1))
        else:
            read.append(self.read(graph))
        losses = [out.loss for out in pools] or [graph.x.new_zeros(())]
        logits = self.dense(torch.cat(read, dim=1) if len(read) > 1 else read[0])
        return Prediction(logits, pools, sum(losses[1:], start=losses[0]))


def make_network_encoder(settings: Settings, width: int, edge_channels: int, number: int) -> Encoder:
    """An encoder of a network, which uses features of edges if its graphs still have them."""
    options = {"edge_channels": edge_channels} if edge_channels and number < settings.layers_with_edges else {}
    return make_encoder(settings.encoder, width, settings.hidden, **options)


def make_network_pool(settings: Settings, num_clusters: int, random_state: int) -> Pool:
    """A pool of a network, with the settings that concern it."""
    info = pool_info(settings.pooling)
    options: dict[str, Any] = {}
    if issubclass(info.cls, HoscPool):
        options |= {"mu": settings.mu, "schedule": settings.schedule}
        options |= {"motifs": settings.motifs} if settings.motifs else {}
    if issubclass(info.cls, RandomPool):
        options["random_state"] = random_state
    if not settings.remove_self_loops:  # otherwise each pool does as its paper says
        options["remove_self_loops"] = False
    return make_pool(
        settings.pooling, in_channels=settings.hidden, num_clusters=num_clusters, ratio=float(settings.ratio), **options
    )


@contextmanager
def quiet_pools() -> Iterator[None]:
    """Run pools without their warnings. The estimator warns once about all graphs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphWarning)
        yield
