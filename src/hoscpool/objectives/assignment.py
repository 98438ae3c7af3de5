"""The assignment in the form that all losses use, and the two sums of every cut: association and volume."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from hoscpool.objectives.operators.conversion import AdjacencyLike, as_adjacency
from hoscpool.objectives.operators.product import widen, without_autocast
from hoscpool.objectives.operators.storage import Adjacency


@dataclass(frozen=True, eq=False)
class Assignment:
    """Soft cluster memberships S of the nodes of B graphs.

    Attributes:
        s: Memberships, ``[N, K]``. Zero for padding. Never half precision, which cannot count beyond 256 or 2,048.
        batch: Graph of every node, int64 ``[N]`` in any order. ``None`` for one graph.
        num_graphs: Number of graphs B.
        mask: Which nodes are real, bool ``[N]``. ``None`` if all are.
    """

    s: Tensor
    batch: Tensor | None
    num_graphs: int
    mask: Tensor | None = None

    @property
    def num_clusters(self) -> int:
        """Number of clusters K."""
        return self.s.shape[1]

    @property
    def num_nodes(self) -> Tensor:
        """Number of real nodes of every graph, ``[B]``."""
        ones = (
            torch.ones(len(self.s), dtype=torch.int64, device=self.s.device) if self.mask is None else self.mask.long()
        )
        return self.sum(ones).to(self.s.dtype)

    def sum(self, values: Tensor) -> Tensor:
        """Σ over the nodes of every graph: ``[N, …]`` → ``[B, …]``."""
        if self.batch is None:
            return values.sum(0, keepdim=True)
        return values.new_zeros(self.num_graphs, *values.shape[1:]).index_add(0, self.batch, values)

    def mean(self, per_graph: Tensor) -> Tensor:
        """Mean over the graphs, ``[B]`` → scalar. 0 without graphs."""
        return per_graph.sum() / max(self.num_graphs, 1)

    def gram(self) -> Tensor:
        """SᵀS of every graph, ``[B, K, K]``."""
        with without_autocast(self.s.device):
            if self.batch is None:
                return (self.s.T @ self.s)[None]
            padded = self._padded()  # [B, n_max, K]
            return padded.transpose(1, 2) @ padded

    def _padded(self) -> Tensor:
        """The rows of every graph side by side, ``[B, n_max, K]``, zeros below."""
        assert self.batch is not None
        order = torch.argsort(self.batch, stable=True)
        graph = self.batch[order]
        sizes = torch.bincount(graph, minlength=self.num_graphs)
        place = torch.arange(len(graph), device=graph.device) - (sizes.cumsum(0) - sizes)[graph]
        longest = int(sizes.max()) if self.num_graphs else 0
        rows = self.s.new_zeros(self.num_graphs * longest, self.num_clusters)
        rows = rows.index_copy(0, graph * longest + place, self.s[order])
        return rows.view(self.num_graphs, longest, self.num_clusters)


def as_assignment(assignment: Tensor, batch: Tensor | None = None, mask: Tensor | None = None) -> Assignment:
    """The assignment in its flat form, checked.

    Args:
        assignment: ``[N, K]``, or ``[B, n, K]`` for B graphs side by side. Half precision is converted to
            float32, and so are all its losses.
        batch: Graph of every row of a flat assignment, int64 ``[N]``, in any order.
        mask: Which rows are real, bool ``[N]`` or ``[B, n]``.

    Raises:
        ValueError: A shape or a type does not fit, or there is no cluster.
    """
    s = widen(_check_assignment(assignment))
    if s.ndim == 3:
        if batch is not None:
            raise ValueError("batch: leave the batch out; an assignment [B, N, K] already says the graph of every row")
        graphs, size, k = s.shape
        batch = torch.arange(graphs, device=s.device).repeat_interleave(size) if graphs != 1 else None
        s = s.reshape(-1, k)
    else:
        batch = None if batch is None else _check_batch(batch, s)
        graphs = 1 if batch is None or not len(batch) else int(batch.max()) + 1
    if mask is not None:
        mask = _check_mask(mask, s)
        s = torch.where(mask[:, None], s, torch.zeros_like(s))
    return Assignment(s, batch, graphs, mask)


def align(adjacency: AdjacencyLike, assignment: Tensor, batch: Tensor | None) -> tuple[Adjacency, Assignment]:
    """Adjacency and assignment over the same flat rows, of one type, on one device.

    Raises:
        ValueError: They do not match, or one of them is not valid.
    """
    s = widen(_check_assignment(assignment))
    matrix = as_adjacency(adjacency, dtype=s.dtype, device=s.device)
    if batch is None and s.ndim == 2:
        batch = matrix.batch
    flat = as_assignment(s, batch, matrix.mask)
    if len(flat.s) != matrix.num_nodes:
        raise ValueError(
            f"assignment: expected {matrix.num_nodes:,} rows, one for every node of the adjacency, got {len(flat.s):,}"
        )
    return matrix, flat


def _check_assignment(assignment: Tensor) -> Tensor:
    if not isinstance(assignment, Tensor) or not assignment.is_floating_point():
        got = assignment.dtype if isinstance(assignment, Tensor) else type(assignment).__name__
        raise ValueError(f"assignment: expected a floating-point tensor of memberships, got {got}")
    if assignment.ndim not in (2, 3):
        raise ValueError(f"assignment: expected shape [N, K] or [B, N, K], got {list(assignment.shape)}")
    if assignment.shape[-1] < 1:
        raise ValueError(f"assignment: expected at least one cluster, got shape {list(assignment.shape)}")
    return assignment


def _check_batch(batch: Tensor, s: Tensor) -> Tensor:
    if batch.dtype != torch.int64 or batch.shape != s.shape[:1]:
        got = f"{batch.dtype} of shape {list(batch.shape)}"
        raise ValueError(f"batch: expected int64 of shape [{len(s)}], one graph number for every node, got {got}")
    if len(batch) and int(batch.min()) < 0:
        raise ValueError(f"batch: expected graph numbers from 0, got {int(batch.min())}")
    return batch


def _check_mask(mask: Tensor, s: Tensor) -> Tensor:
    if mask.dtype != torch.bool or mask.numel() != len(s):
        got = f"{mask.dtype} of shape {list(mask.shape)}"
        raise ValueError(f"mask: expected bool, one value for each of the {len(s):,} rows, got {got}")
    return mask.reshape(-1)


Volume = Literal["soft", "diagonal"]
VOLUMES: tuple[Volume, ...] = ("soft", "diagonal")


def association(adjacency: AdjacencyLike, assignment: Tensor, batch: Tensor | None = None) -> Tensor:
    """assoc_k = Σ_ij A_ij S_ik S_jk of every graph, ``[B, K]``. Arguments as in `motif_cut_loss`.

    Examples:
        >>> association(torch.tensor([[0.0, 1.0], [1.0, 0.0]]), torch.tensor([[1.0, 0.0], [0.5, 0.5]]))
        tensor([[1., 0.]])
    """
    return association_of(*align(adjacency, assignment, batch))


def volume(adjacency: AdjacencyLike, assignment: Tensor, batch: Tensor | None = None, kind: Volume = "soft") -> Tensor:
    """vol_k of every graph, ``[B, K]``: Σ_i d_i S_ik (``"soft"``) or Σ_i d_i S_ik² (``"diagonal"``).

    Examples:
        >>> volume(torch.tensor([[0.0, 1.0], [1.0, 0.0]]), torch.tensor([[1.0, 0.0], [0.5, 0.5]]))
        tensor([[1.5000, 0.5000]])
    """
    return volume_of(*align(adjacency, assignment, batch), kind)


def association_of(adjacency: Adjacency, assignment: Assignment) -> Tensor:
    """The association of aligned arguments, ``[B, K]``.

    A is symmetric, so ∂assoc_k/∂S_ik = 2·(A·S)_ik. The backward pass reuses the product of the forward pass. Gradients
    can be taken once, or any number of times if a dense adjacency requires gradients itself.
    """
    s = assignment.s
    if adjacency.requires_grad:
        return assignment.sum(s * adjacency.dot(s))  # [B, K]
    with torch.no_grad():
        product = adjacency.multiply(s)  # A·S [N, K]
        value = assignment.sum(s * product)  # [B, K]
    return with_slope(assignment, value, product, factor=2.0)


def volume_of(adjacency: Adjacency, assignment: Assignment, kind: Volume = "soft") -> Tensor:
    """The volume of aligned arguments, ``[B, K]``.

    Raises:
        ValueError: The kind is unknown.
    """
    if kind not in VOLUMES:
        raise ValueError(f"volume: expected one of {', '.join(map(repr, VOLUMES))}, got {kind!r}")
    s = assignment.s if kind == "soft" else assignment.s.square()
    if assignment.batch is None:
        with without_autocast(s.device):
            return weighted_sum(adjacency.degree, s)[None]  # [1, K]
    return assignment.sum(adjacency.degree[:, None] * s)  # [B, K]


LONG, BLOCK = 1 << 16, 1 << 12
"""Sums over more than `LONG` rows are taken in blocks of `BLOCK`."""


def weighted_sum(weights: Tensor, rows: Tensor) -> Tensor:
    """Σ_i w_i x_i, ``[N]`` and ``[N, K]`` → ``[K]``.

    One long sum in float32 loses small terms beside a hub: with a degree of 10⁶ a volume was wrong by 0.3 %.
    """
    if len(weights) <= LONG:
        return weights @ rows
    whole = len(weights) // BLOCK * BLOCK
    blocks = weights[:whole].view(-1, 1, BLOCK) @ rows[:whole].reshape(-1, BLOCK, rows.shape[1])  # [N / B, 1, K]
    return blocks.sum((0, 1)) + weights[whole:] @ rows[whole:]


def ratio(part: Tensor, whole: Tensor, scale: Tensor) -> Tensor:
    """The part over the whole, or 0 with gradient 0 where the whole is negligible compared with ``scale``.

    The whole is at most the scale. It is negligible below ε² times the scale (ε: the rounding error of the type), or
    below the smallest normal number. The gradient of such a ratio would overflow.
    """
    limits = torch.finfo(whole.dtype)
    nothing = whole <= limits.eps**2 * scale + limits.tiny
    return part / whole.masked_fill(nothing, torch.inf)


def root(x: Tensor) -> Tensor:
    """√x with gradient 0 at 0."""
    nothing = x <= 0
    return x.masked_fill(nothing, torch.inf).sqrt().masked_fill(nothing, 0)


def with_slope(assignment: Assignment, value: Tensor, slope: Tensor, factor: float = 1.0) -> Tensor:
    """A value ``[B, K]`` with a known derivative: ∂value_bk/∂S_ik = factor · slope_ik for the nodes i of graph b."""
    s, batch = assignment.s, assignment.batch
    result: Tensor = _WithSlope.apply(s, value, slope, batch, factor)  # type: ignore[no-untyped-call]
    return result


class _WithSlope(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, _s: Tensor, value: Tensor, slope: Tensor, batch: Tensor | None, factor: float) -> Tensor:
        ctx.save_for_backward(slope, batch)
        ctx.factor = factor
        return value

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None, None, None]:
        slope, batch = ctx.saved_tensors
        gradient = ctx.factor * gradient  # [B, K]
        return slope * (gradient if batch is None else gradient[batch]), None, None, None, None  # [N, K]
