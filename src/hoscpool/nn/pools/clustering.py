"""The skeleton of pools that form clusters: select, reduce, connect, and the losses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

import torch
from torch import Tensor, nn

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.batch.layer_checks import check_count
from hoscpool.nn.pools.base import Motifs, Pool
from hoscpool.nn.pools.output import PoolingOutput
from hoscpool.nn.sums.coarsen import coarsen_adjacency, coarsen_features
from hoscpool.objectives.operators.precision import is_autocast, is_half, widen, without_autocast


class ClusteringPool(Pool):
    """A pool that assigns every node to K clusters and returns dense coarsened graphs.

    Subclasses say how nodes are assigned (``select``) and what makes an assignment good (``losses``, ``loss_weights``).
    Half precision, also under autocast, is summed up in float32: the losses come out so, all else in the type of ``x``.

    Args:
        in_channels: Width of the input features.
        num_clusters: K, the number of supernodes of every graph. A graph with fewer nodes is fine.
        remove_self_loops: Zero the diagonal of the coarsened adjacency.
        normalize: Normalise it symmetrically.
    """

    def __init__(
        self, in_channels: int, num_clusters: int, *, remove_self_loops: bool = True, normalize: bool = True
    ) -> None:
        super().__init__(in_channels)
        self.num_clusters = check_count(num_clusters, "num_clusters")
        self.remove_self_loops = remove_self_loops
        self.normalize = normalize

    def pool(self, graph: GraphBatch, motifs: Motifs | None) -> PoolingOutput:
        """Select, reduce, connect, and the losses."""
        self._report_changes(graph)
        assignment = self.select(graph)  # [N, K]
        if not (is_half(graph.x) or is_autocast(graph.x.device)):
            return self._coarsen(graph, assignment, motifs)
        with without_autocast(graph.x.device):
            out = self._coarsen(graph.widened(), widen(assignment), motifs)
        assert out.adjacency is not None
        parts = (out.x, out.adjacency, out.assignment)
        out.x, out.adjacency, out.assignment = (part.to(graph.x.dtype) for part in parts)
        return out

    def _coarsen(self, graph: GraphBatch, assignment: Tensor, motifs: Motifs | None) -> PoolingOutput:
        losses = self.losses(graph, assignment, motifs)
        now, constant = self.loss_weights(), self.objective_weights()
        loss = _weighted_sum(losses, now, graph.x)
        return PoolingOutput(
            x=self.reduce(graph, assignment),
            adjacency=self.connect(graph, assignment),
            mask=self.existing(graph, assignment),
            assignment=assignment,
            node_batch=graph.batch,
            sizes=graph.sizes,
            losses=losses,
            loss=loss,
            objective=loss if now == constant else _weighted_sum(losses, constant, graph.x),
        )

    def select(self, graph: GraphBatch) -> Tensor:
        """The assignment S, ``[N, K]``."""
        raise NotImplementedError

    def reduce(self, graph: GraphBatch, assignment: Tensor) -> Tensor:
        """X_pool = SᵀX, ``[B, K, F]``."""
        return coarsen_features(graph, assignment)

    def connect(self, graph: GraphBatch, assignment: Tensor) -> Tensor:
        """A_pool = SᵀAS, cleaned as the options say, ``[B, K, K]``."""
        return coarsen_adjacency(graph, assignment, remove_self_loops=self.remove_self_loops, normalize=self.normalize)

    def existing(self, graph: GraphBatch, assignment: Tensor) -> Tensor | None:  # noqa: ARG002
        """Which supernodes exist, ``[B, K]``; ``None``: all, as under a softmax."""
        return None

    def losses(self, graph: GraphBatch, assignment: Tensor, motifs: Motifs | None) -> dict[str, Tensor]:  # noqa: ARG002
        """The losses by name, unweighted."""
        return {}

    def loss_weights(self) -> Mapping[str, float]:
        """The weight of every loss, now."""
        return {}

    def objective_weights(self) -> Mapping[str, float]:
        """The weight of every loss when epochs are compared."""
        return self.loss_weights()

    def extra_repr(self) -> str:
        """The sizes."""
        return f"{self.in_channels}, num_clusters={self.num_clusters}"

    def _report_changes(self, graph: GraphBatch) -> None:
        if graph.edge_index is None:
            return
        if graph.structure.notes:
            self.say_once(f"edge_index: {'; '.join(graph.structure.notes)}; said once by this layer", key="notes")
        if graph.edge_weight is not None and graph.edge_weight.requires_grad:
            self.say_once("edge_weight: requires a gradient, but a clustering pool takes edge weights as constants")


class HardPool(ClusteringPool):
    """A clustering pool that puts every node into one cluster; a cluster that nobody joined is masked out.

    The clusters are not learned, so the coarsened graph of one that is not learned is not either: it has no gradient.
    """

    def connect(self, graph: GraphBatch, assignment: Tensor) -> Tensor:
        """A_pool = SᵀAS, cleaned as the options say, ``[B, K, K]``."""
        pooled = super().connect(graph, assignment)
        return pooled if graph.is_learned else pooled.detach()

    def existing(self, graph: GraphBatch, assignment: Tensor) -> Tensor:
        """The clusters that have nodes."""
        return graph.sum(assignment) > 0


class MlpPool(ClusteringPool):
    """A clustering pool whose assignment is softmax(MLP(x)).

    Args:
        in_channels: Width of the input features.
        num_clusters: K, the number of supernodes of every graph. A graph with fewer nodes is fine.
        hidden: Widths of the perceptron's hidden layers, with ReLU between; none gives one linear layer.
        remove_self_loops: Zero the diagonal of the coarsened adjacency.
        normalize: Normalise it symmetrically.
    """

    def __init__(
        self,
        in_channels: int,
        num_clusters: int,
        *,
        hidden: int | Sequence[int] = (),
        remove_self_loops: bool = True,
        normalize: bool = True,
    ) -> None:
        super().__init__(in_channels, num_clusters, remove_self_loops=remove_self_loops, normalize=normalize)
        self.mlp = make_mlp(in_channels, hidden, num_clusters)

    def select(self, graph: GraphBatch) -> Tensor:
        """S = softmax(MLP(X)), ``[N, K]``."""
        logits: Tensor = self.mlp(graph.x)
        return logits.softmax(dim=-1)


class Losses(dict[str, Tensor]):
    """Losses by name that are the entries of one vector, which is weighted in one step.

    Args:
        names: A name for every entry.
        vector: ``[T]``.
    """

    def __init__(self, names: Sequence[str], vector: Tensor) -> None:
        super().__init__(zip(names, vector.unbind(), strict=True))
        self.vector = vector


def _weighted_sum(losses: Mapping[str, Tensor], weights: Mapping[str, float], like: Tensor) -> Tensor:
    if not losses:
        return like.new_zeros(())
    vector = losses.vector if isinstance(losses, Losses) else torch.stack(list(losses.values()))
    build = _constant.__wrapped__ if torch.compiler.is_compiling() else _constant
    return vector @ build(tuple(weights[name] for name in losses), like.dtype, like.device)


@lru_cache(maxsize=64)
def _constant(weights: tuple[float, ...], dtype: torch.dtype, device: torch.device) -> Tensor:
    with torch.inference_mode(False):  # a tensor of inference mode could not take part in training later
        return torch.tensor(weights, dtype=dtype, device=device)


def make_mlp(in_channels: int, hidden: int | Sequence[int], out_channels: int) -> nn.Sequential:
    """Linear layers with ReLU between them."""
    widths = [hidden] if isinstance(hidden, int) else list(hidden)
    widths = [in_channels, *(check_count(width, "hidden") for width in widths), out_channels]
    layers: list[nn.Module] = []
    for width, following in pairwise(widths):
        layers += [nn.Linear(width, following), nn.ReLU()]
    return nn.Sequential(*layers[:-1])
