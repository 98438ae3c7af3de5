"""The assignment in the form that all losses use: flat rows, the graph of every row, and sums over each graph."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from hoscpool.objectives.operators.conversion import AdjacencyLike, as_adjacency
from hoscpool.objectives.operators.precision import widen, without_autocast
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
