"""The network of the fair comparison of Errica et al. (2020), with pools between its layers."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor, nn

from hoscpool.classify.architecture import Settings
from hoscpool.classify.pooling_network import (
    Network,
    PoolingNetwork,
    Prediction,
    make_network_encoder,
    make_network_pool,
)
from hoscpool.nn import GraphBatch, PoolingOutput, pool_info, pooled_graphs
from hoscpool.support.seeding import seeded

NETWORKS: dict[str, type[Network]] = {"paper": PoolingNetwork}


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
    are their sum. A pool that leaves one supernode per graph (``gmt``) comes after all encoders and is read as well.

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
        self.perceptron = nn.Linear(in_channels, hidden)
        levels = [] if is_global else [make_network_pool(settings, k, random_state + i) for i, k in enumerate(clusters)]
        self.pools = nn.ModuleList(levels)
        widths = {sum(settings.layers[: i + 1]): pool.out_channels for i, pool in enumerate(levels)}
        self.encoders = nn.ModuleList(
            make_network_encoder(settings, widths.get(i, hidden), edge_channels, i) for i in range(sum(settings.layers))
        )
        self.global_pool = make_network_pool(settings, clusters[0], random_state) if is_global and clusters else None
        self.norms = nn.ModuleList(NodeNorm(hidden) for _ in self.encoders)
        self.dense = nn.ModuleList(nn.Linear(hidden, num_classes) for _ in range(1 + len(self.encoders) + is_global))

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
        losses = [out.loss for out in pools] or [graph.x.new_zeros(())]
        return Prediction(logits, pools, sum(losses[1:], start=losses[0]))


NETWORKS["deep"] = DeepNetwork


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
        return cls(in_channels, num_classes, clusters, settings, random_state, edge_channels)  # type: ignore[call-arg, arg-type]
