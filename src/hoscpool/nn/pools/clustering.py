"""Base classes of pools that form clusters: select, reduce, connect, and the losses."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import ceil

import torch
from torch import Tensor, nn

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.batch.motif_matrices import motif_matrix
from hoscpool.nn.batch.read_graphs import check_count, check_one_graph, check_share
from hoscpool.nn.pools.base import Motifs, Pool
from hoscpool.nn.pools.output import PoolingOutput
from hoscpool.nn.sums.node_sums import node_sums, normalize_symmetric, zero_diagonal
from hoscpool.nn.sums.plain_sums import CutSums, NodeSums
from hoscpool.objectives import Volume, is_autocast, is_half, widen, without_autocast


class ClusteringPool(Pool):
    """A pool that assigns every node to K clusters and returns dense coarsened graphs.

    Subclasses define how nodes are assigned (``select``) and which losses train it (``losses``, ``loss_weights``).
    Half precision, also under autocast, is summed in float32. Losses are float32, and all else has the type of ``x``.

    Args:
        in_channels: Width of the input features.
        num_clusters: K, the number of supernodes of every graph. A graph may have fewer nodes.
        remove_self_loops: Zero the diagonal of the coarsened adjacency.
        normalize: Normalise it symmetrically.

    Attributes:
        cut_along: The motifs whose matrices the losses use.
        volume: The volume of a cluster in the losses, see [`motif_cut_loss`][hoscpool.objectives.motif_cut_loss].
        on_edges: Whether only pairs of joined nodes count in the matrix of an open motif.
    """

    cut_along: tuple[str, ...] = ()
    volume: Volume = "soft"
    on_edges: bool = True

    def __init__(
        self, in_channels: int, num_clusters: int, *, remove_self_loops: bool = True, normalize: bool = True
    ) -> None:
        super().__init__(in_channels)
        self.num_clusters = check_count(num_clusters, "num_clusters")
        self.remove_self_loops = remove_self_loops
        self.normalize = normalize

    def pool(self, graph: GraphBatch, motifs: Motifs | None) -> PoolingOutput:
        """Select, reduce, connect, and compute the losses."""
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
        matrices = {name: motif_matrix(graph, name, motifs, on_edges=self.on_edges) for name in self.cut_along}
        sums = node_sums(graph, assignment, matrices, self.volume)
        self._report(graph, sums)
        losses = self.losses(graph, assignment, sums)
        now, constant = self.loss_weights(), self.objective_weights()
        loss = weighted_sum(losses, now) if losses else graph.x.new_zeros(())
        return PoolingOutput(
            x=self.reduce(graph, assignment, sums),
            adjacency=self.connect(graph, sums),
            mask=self.existing(graph, assignment),
            assignment=assignment,
            node_batch=graph.batch,
            sizes=graph.sizes,
            losses=losses,
            loss=loss,
            objective=loss if now == constant else weighted_sum(losses, constant),
        )

    def select(self, graph: GraphBatch) -> Tensor:
        """The assignment S, ``[N, K]``."""
        raise NotImplementedError

    def reduce(self, graph: GraphBatch, assignment: Tensor, sums: NodeSums) -> Tensor:  # noqa: ARG002
        """X_pool = SᵀX, ``[B, K, F]``."""
        return sums.x

    def connect(self, graph: GraphBatch, sums: NodeSums) -> Tensor:  # noqa: ARG002
        """A_pool = SᵀAS, cleaned as the options say, ``[B, K, K]``."""
        pooled = zero_diagonal(sums.adjacency) if self.remove_self_loops else sums.adjacency
        return normalize_symmetric(pooled) if self.normalize else pooled

    def existing(self, graph: GraphBatch, assignment: Tensor) -> Tensor | None:  # noqa: ARG002
        """Which supernodes exist, ``[B, K]``. ``None`` means all, as with a softmax."""
        return None

    @staticmethod
    def losses(graph: GraphBatch, assignment: Tensor, sums: CutSums) -> dict[str, Tensor]:  # noqa: ARG004
        """The losses by name, unweighted. It is static, so that it can also score assignments of other methods.

        Args:
            graph: The graphs.
            assignment: S, ``[N, K]``.
            sums: Its sums over the nodes, for the matrices of ``cut_along`` or others.
        """
        return {}

    def loss_weights(self) -> Mapping[str, float]:
        """The present weight of every loss. A loss that is not named has weight 1."""
        return {}

    def objective_weights(self) -> Mapping[str, float]:
        """The weight of every loss when epochs are compared. A loss that is not named has weight 1."""
        return self.loss_weights()

    def extra_repr(self) -> str:
        """The sizes."""
        return f"{self.in_channels}, num_clusters={self.num_clusters}"

    def _report(self, graph: GraphBatch, sums: CutSums) -> None:  # noqa: ARG002
        """Warn once about changes that the user may not expect."""
        if graph.edge_index is None:
            return
        if graph.structure.notes:
            self.say_once(f"edge_index: {'; '.join(graph.structure.notes)}; this layer warns once", key="notes")
        if graph.edge_weight is not None and graph.edge_weight.requires_grad:
            self.say_once("edge_weight: requires a gradient, but edge weights are constants in a clustering pool")


class HardPool(ClusteringPool):
    """A clustering pool that puts every node into one cluster. Empty clusters are masked out.

    Assignments are fixed. Gradients flow through the coarsened graph only if the input graph itself is learned.
    """

    def connect(self, graph: GraphBatch, sums: NodeSums) -> Tensor:
        """A_pool = SᵀAS, cleaned as the options say, ``[B, K, K]``."""
        pooled = super().connect(graph, sums)
        return pooled if graph.is_learned else pooled.detach()

    def existing(self, graph: GraphBatch, assignment: Tensor) -> Tensor:
        """The clusters that have nodes."""
        return graph.sum(assignment) > 0


class MlpPool(ClusteringPool):
    """A clustering pool whose assignment is softmax(MLP(x)).

    Args:
        in_channels: Width of the input features, or −1 for that of the first batch.
        num_clusters: K, the number of supernodes of every graph. A graph may have fewer nodes.
        ratio: Instead of ``num_clusters``: K is this share of the mean number of nodes in the first batch, rounded up.
            ``pool.num_clusters`` is 0 until then.
        hidden: Widths of the hidden layers of the MLP, with ReLU between them. None gives one linear layer.
        remove_self_loops: Zero the diagonal of the coarsened adjacency.
        normalize: Normalise it symmetrically.
    """

    lazy_width = True

    def __init__(
        self,
        in_channels: int,
        num_clusters: int | None = None,
        *,
        ratio: float | None = None,
        hidden: int | Sequence[int] = (),
        remove_self_loops: bool = True,
        normalize: bool = True,
    ) -> None:
        check_one_graph(num_clusters, ratio, "num_clusters, ratio")
        size = 1 if num_clusters is None else num_clusters
        super().__init__(in_channels, size, remove_self_loops=remove_self_loops, normalize=normalize)
        self.ratio = None if ratio is None else check_share(ratio)
        self.num_clusters = 0 if num_clusters is None else self.num_clusters
        self.mlp = make_mlp(in_channels, hidden, self.num_clusters)

    def select(self, graph: GraphBatch) -> Tensor:
        """S = softmax(MLP(X)), ``[N, K]``."""
        if not self.num_clusters:
            self._choose_size(graph)
        logits: Tensor = self.mlp(graph.x)
        return logits.softmax(dim=-1)

    def extra_repr(self) -> str:
        """The sizes."""
        return super().extra_repr() if self.num_clusters else f"{self.in_channels}, ratio={self.ratio}"

    def _choose_size(self, graph: GraphBatch) -> None:
        """K by the first batch, or by the parameters, if a saved state was loaded before."""
        last = self.mlp[-1]
        assert isinstance(last, nn.LazyLinear)
        assert self.ratio is not None
        if last.has_uninitialized_params():
            last.out_features = max(ceil(self.ratio * graph.x.size(0) / max(len(graph.sizes), 1)), 1)
        else:
            last.out_features = last.weight.size(0)
        self.num_clusters = last.out_features


def weighted_sum(losses: Mapping[str, Tensor], weights: Mapping[str, float]) -> Tensor:
    """Weighted sum of the losses. A loss that is not named has weight 1."""
    return torch.stack([weights.get(name, 1.0) * loss for name, loss in losses.items()]).sum()


def make_mlp(in_channels: int, hidden: int | Sequence[int], out_channels: int) -> nn.Sequential:
    """Linear layers with ReLU between them. ``in_channels`` −1 and ``out_channels`` 0 are not known yet."""
    widths = [hidden] if isinstance(hidden, int) else list(hidden)
    widths = [in_channels, *(check_count(width, "hidden") for width in widths), out_channels]
    layers: list[nn.Module] = []
    for width, following in pairwise(widths):
        known = width > 0 and following > 0
        layers += [nn.Linear(width, following) if known else _lazy_linear(following), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def _lazy_linear(out_channels: int) -> nn.LazyLinear:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # torch calls lazy layers new, and says so every time
        return nn.LazyLinear(out_channels)
