"""HoscPool: pooling that keeps motifs inside clusters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn

from hoscpool.motifs import motif_name
from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.pools.clustering import MlpPool
from hoscpool.nn.pools.registry import register_pool
from hoscpool.nn.sums.plain_sums import CutSums
from hoscpool.objectives import (
    VOLUMES,
    Schedule,
    Volume,
    check_weight,
    check_weights,
    cut_of,
    motif_weights,
    orthogonality_of,
)

EDGE_AND_TRIANGLE: Mapping[str, float] = {"edge": 0.5, "triangle": 0.5}


@register_pool("hosc", "motif cuts of edges and triangles, or any motifs", title="HoscPool")
@register_pool("hp-1", "HoscPool on edges only", title="HP-1", preset={"motifs": {"edge": 1.0}})
@register_pool("hp-2", "HoscPool on triangles only", title="HP-2", preset={"motifs": {"triangle": 1.0}})
class HoscPool(MlpPool):
    """Higher-order spectral clustering as a pooling layer.

    S = softmax(MLP(X)) minimises L = Σ_j α_j L_mc^j + μ L_o over the motifs j (Eqs. 6–8). It coarsens the graph to
    X_pool = SᵀX and A_pool = SᵀAS, without the diagonal and normalised to D^(−1/2) A_pool D^(−1/2).

    Add ``out.loss`` to the loss of the task. ``out.losses`` holds the cut of every motif by its name, and
    ``"orthogonality"``. If no graph of the batch contains a motif, its cut is 0, and the layer warns once. On weighted
    graphs an instance counts with the product of its edge weights. No cut depends on the scale of the weights.
    Coarsened graphs have no directions, so only the first pool of a model can use directed motifs.

    Args:
        in_channels: Width of the input features, or −1 for that of the first batch.
        num_clusters: K, the number of supernodes of every graph. A graph may have fewer nodes.
        motifs: Weight α of every motif, by name. ``{"edge": 1}`` is HP-1, ``{"triangle": 1}`` is HP-2.
        mu: Weight μ of the orthogonality loss.
        ratio: Instead of ``num_clusters``: K is this share of the mean number of nodes in the first batch, rounded up.
            ``pool.num_clusters`` is 0 until then.
        hidden: Widths of the hidden layers of the MLP, with ReLU between them. None gives one linear layer.
        volume: ``"soft"`` or ``"diagonal"``, see [`motif_cut_loss`][hoscpool.objectives.motif_cut_loss].
        remove_self_loops: Zero the diagonal of the coarsened adjacency.
        normalize: Normalise it symmetrically.
        schedule: ``"constant"``, ``"adaptive"``, or a function of the training progress, see
            [`motif_weights`][hoscpool.objectives.motif_weights]. It reads ``pool.progress``, from 0 to 1.
            [`set_progress`][hoscpool.nn.set_progress] sets it on all layers of a model.
        on_edges: For open motifs (wedge, path4, …) count only pairs of joined nodes. The full matrix can be a hundred
            times larger.

    Examples:
        >>> import torch
        >>> path = torch.tensor([[0, 1, 1, 2, 2, 0], [1, 0, 2, 1, 0, 2]])
        >>> out = HoscPool(in_channels=4, num_clusters=2)(torch.randn(3, 4), path)
        >>> out.x.shape, out.adjacency.shape, sorted(out.losses)
        (torch.Size([1, 2, 4]), torch.Size([1, 2, 2]), ['edge', 'orthogonality', 'triangle'])
    """

    takes_counts = True

    def __init__(
        self,
        in_channels: int,
        num_clusters: int | None = None,
        motifs: Mapping[str, float] = EDGE_AND_TRIANGLE,
        mu: float = 0.1,
        *,
        ratio: float | None = None,
        hidden: int | Sequence[int] = (),
        volume: Volume = "soft",
        remove_self_loops: bool = True,
        normalize: bool = True,
        schedule: Schedule = "constant",
        on_edges: bool = True,
    ) -> None:
        super().__init__(
            in_channels,
            num_clusters,
            ratio=ratio,
            hidden=hidden,
            remove_self_loops=remove_self_loops,
            normalize=normalize,
        )
        self.motifs = check_weights({motif_name(name): weight for name, weight in motifs.items()})
        self.cut_along = tuple(self.motifs)
        self.mu = check_weight("mu", mu)
        self.volume = volume
        self.schedule = schedule
        self.on_edges = on_edges
        self.progress = 0.0
        self._check_options()

    @staticmethod
    def losses(graph: GraphBatch, assignment: Tensor, sums: CutSums) -> dict[str, Tensor]:  # noqa: ARG004
        """L_mc of every matrix, and L_o."""
        cuts = graph.mean(cut_of(sums.association, sums.volume, sums.total))  # [M]
        apart = graph.mean(orthogonality_of(sums.squares, graph.num_nodes))
        return {**dict(zip(sums.names, cuts.unbind(), strict=True)), "orthogonality": apart}

    def loss_weights(self) -> dict[str, float]:
        """α_j at the present training progress, and μ."""
        return {**motif_weights(self.motifs, self.schedule, self.progress), "orthogonality": self.mu}

    def objective_weights(self) -> dict[str, float]:
        """α_j as given, and μ."""
        return {**self.motifs, "orthogonality": self.mu}

    def extra_repr(self) -> str:
        """The sizes and the weights of the losses."""
        return f"{super().extra_repr()}, motifs={self.motifs}, mu={self.mu}"

    def _report(self, graph: GraphBatch, sums: CutSums) -> None:
        super()._report(graph, sums)
        if graph.matrices is not None or torch.compiler.is_compiling():
            return
        for name, present in zip(sums.names, sums.total.any(dim=1).tolist(), strict=True):
            if not present:
                self.say_once(
                    f"motifs: no graph of the batch has the motif {name}, so its cut is 0; this layer warns once"
                )

    def _check_options(self) -> None:
        if self.volume not in VOLUMES:
            raise ValueError(f"volume: expected one of {', '.join(map(repr, VOLUMES))}, got {self.volume!r}")
        self.loss_weights()


def set_progress(model: nn.Module, progress: float) -> None:
    """Set the training progress, from 0 to 1, on every `HoscPool` of a model. Schedules read it.

    Raises:
        ValueError: ``progress`` is not between 0 and 1.
    """
    if not 0 <= progress <= 1:
        raise ValueError(f"progress: expected a number from 0 to 1, got {progress!r}; for example epoch / (epochs - 1)")
    for module in model.modules():
        if isinstance(module, HoscPool):
            module.progress = float(progress)
