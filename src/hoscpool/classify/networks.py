"""The networks of the classifier: that of the paper, and that of the fair comparison of Errica et al. (2020)."""

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
from hoscpool.support.seeding import seeded


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

    @classmethod
    def of(cls, logits: Tensor, pools: list[PoolingOutput]) -> Prediction:
        """The prediction with the sum of the losses."""
        losses = [out.loss for out in pools] or [logits.new_zeros(())]
        return cls(logits, pools, sum(losses[1:], start=losses[0]))


class Network(nn.Module):
    """What all networks share: encoders with pools between them.

    A pool that leaves one supernode per graph (``gmt``) comes after all encoders.

    Args:
        in_channels: Width of the node features.
        num_classes: C.
        clusters: K of every pool.
        settings: The settings of the classifier.
        random_state: Seed of random pools.
        edge_channels: Width of the features of edges; 0 for none.

    Attributes:
        levels: Number of levels: one more than pools between encoders.
        encoders: The message-passing layers in order.
        pools: The pools between them.
        global_pool: The pool after them, or ``None``.
        dense: What makes logits of the read-outs.
    """

    dense: nn.Sequential | nn.ModuleList

    def __init__(
        self,
        in_channels: int,
        num_classes: int,
        clusters: Sequence[int],
        settings: Settings,
        random_state: int = 0,
        edge_channels: int = 0,
    ) -> None:
        super().__init__()
        self.settings, self.levels = settings, len(clusters) + 1
        is_global, layers = pool_info(settings.pooling).is_global, self.layers()
        width = self.begin(in_channels)
        levels = [] if is_global else [make_network_pool(settings, k, random_state + i) for i, k in enumerate(clusters)]
        self.pools = nn.ModuleList(levels)
        widths = {0: width} | {sum(layers[: i + 1]): pool.out_channels for i, pool in enumerate(levels)}
        self.encoders = nn.ModuleList(
            make_network_encoder(settings, widths.get(i, settings.hidden), edge_channels, i) for i in range(sum(layers))
        )
        self.global_pool = make_network_pool(settings, clusters[0], random_state) if is_global and clusters else None
        self.end(num_classes)

    def layers(self) -> Sequence[int]:
        """Number of encoders on every level."""
        raise NotImplementedError

    def begin(self, in_channels: int) -> int:
        """Build what comes before the encoders. Returns the width of their input."""
        raise NotImplementedError

    def end(self, num_classes: int) -> None:
        """Build what comes after the encoders and pools."""
        raise NotImplementedError

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
    """The graph classifier of Section 5.2 of the paper: GNN – pool – GNN – pool – GNN – global pool – dense ×2.

    A pool that leaves one supernode per graph replaces the global pool.
    """

    def layers(self) -> Sequence[int]:
        """One encoder on every level."""
        return (1,) * self.levels

    def begin(self, in_channels: int) -> int:
        """Nothing comes before the first encoder."""
        return in_channels

    def end(self, num_classes: int) -> None:
        """Two dense layers."""
        hidden = self.settings.hidden
        read = hidden * (len(self.encoders) if self.settings.skip_readout else 1)
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
        return Prediction.of(self.dense(torch.cat(read, dim=1) if len(read) > 1 else read[0]), pools)


class NodeNorm(nn.BatchNorm1d):
    """Batch normalisation over the nodes of a batch. A row that stands for several nodes counts as often."""

    def normalise(self, graph: GraphBatch) -> Tensor:
        """The normalised features, ``[N, H]``."""
        x, counts = graph.x, graph.counts
        if not self.training or len(x) < 2:  # one row has no variance
            return nn.functional.batch_norm(
                x, self.running_mean, self.running_var, self.weight, self.bias, eps=self.eps
            )
        if counts is None:
            return self(x)  # type: ignore[no-any-return]
        total, weights = counts.sum(), counts.unsqueeze(1)
        mean = (weights * x).sum(dim=0) / total
        variance = (weights * (x - mean).square()).sum(dim=0) / total
        self._remember(mean.detach(), variance.detach() * total / (total - 1).clamp(min=1))
        return (x - mean) * (variance + self.eps).rsqrt() * self.weight + self.bias

    def _remember(self, mean: Tensor, variance: Tensor) -> None:
        """Update the running values, as torch does."""
        assert self.running_mean is not None
        assert self.running_var is not None
        assert self.num_batches_tracked is not None
        assert self.momentum is not None
        self.running_mean.lerp_(mean, self.momentum)
        self.running_var.lerp_(variance, self.momentum)
        self.num_batches_tracked.add_(1)


class DeepNetwork(Network):
    """Perceptron – (encoder – normalisation – ReLU)× – pool – …, whose logits are the sum over the layers' read-outs.

    The perceptron is linear with ReLU, without normalisation: that would make a constant feature zero, and degrees with
    it.

    The encoders are spread over the levels between pools, more on finer graphs: four encoders and two pools make 2, 1
    and 1. Every layer, the perceptron included, is read by the global pool and a linear map of its own, and the logits
    are their sum. A pool that leaves one supernode per graph is read as well.
    """

    def layers(self) -> Sequence[int]:
        """As many encoders as the settings say."""
        return self.settings.layers

    def begin(self, in_channels: int) -> int:
        """The perceptron."""
        self.perceptron = nn.Linear(in_channels, self.settings.hidden)
        return self.settings.hidden

    def end(self, num_classes: int) -> None:
        """The normalisation after every encoder, and a linear map for every layer."""
        hidden, read = self.settings.hidden, 1 + len(self.encoders) + (self.global_pool is not None)
        self.norms = nn.ModuleList(NodeNorm(hidden) for _ in self.encoders)
        self.dense = nn.ModuleList(nn.Linear(hidden, num_classes) for _ in range(read))

    def forward(self, graph: GraphBatch) -> Prediction:
        """Logits of a batch, and the outputs of its pools."""
        graph = graph.with_features(self.perceptron(graph.x).relu())
        logits: Tensor = self.dense[0](self.read(graph))
        pools: list[PoolingOutput] = []
        ends = [sum(self.settings.layers[: level + 1]) for level in range(len(self.pools))]
        for i, (encoder, norm) in enumerate(zip(self.encoders, self.norms, strict=True), start=1):
            assert isinstance(norm, NodeNorm)
            found = graph.with_features(encoder.encode(graph.x, graph.messages))  # type: ignore[operator]
            graph = found.with_features(norm.normalise(found).relu())
            logits = logits + self.dense[i](self.read(graph))
            if i in ends:
                pools.append(self.pools[ends.index(i)].pool(graph, None))  # type: ignore[operator]
                graph = pooled_graphs(pools[-1])
        if self.global_pool is not None:
            pools.append(self.global_pool.pool(graph, None))
            logits = logits + self.dense[-1](pools[-1].x.squeeze(1))
        return Prediction.of(logits, pools)


NETWORKS: dict[str, type[Network]] = {"paper": PoolingNetwork, "deep": DeepNetwork}


def make_network(
    in_channels: int,
    num_classes: int,
    clusters: Sequence[int],
    settings: Settings,
    random_state: int,
    edge_channels: int = 0,
) -> Network:
    """A network with parameters from a seed. Torch's global generator does not change."""
    with seeded(random_state):
        cls = NETWORKS[settings.architecture]
        return cls(in_channels, num_classes, clusters, settings, random_state, edge_channels)


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
