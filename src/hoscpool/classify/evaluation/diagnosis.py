"""The diagnosis of pools: clusters of one graph at every level, and statistics over many graphs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from hoscpool.nn import PoolingOutput


@dataclass(frozen=True, eq=False)
class PoolingLevel:
    """The result of one pool on one graph.

    Attributes:
        labels: Supernode of every node of the **input** graph, int64 ``[n]``; −1 for a node that was dropped.
        assignment: S of this pool, from its own input nodes to its supernodes, float32 ``[m, K]``.
        adjacency: Adjacency of the coarsened graph, float32 ``[K, K]``.
        sizes: Number of input nodes in every supernode, int64 ``[K]``.
    """

    labels: npt.NDArray[np.int64]
    assignment: npt.NDArray[np.float32]
    adjacency: npt.NDArray[np.float32]
    sizes: npt.NDArray[np.int64]

    @property
    def num_supernodes(self) -> int:
        """K."""
        return len(self.sizes)


def pooling_levels(outputs: Sequence[PoolingOutput]) -> list[PoolingLevel]:
    """The levels of a batch that holds one graph, finest first."""
    levels: list[PoolingLevel] = []
    for out in outputs:
        own = out.labels().numpy().astype(np.int64)
        before = levels[-1].labels if levels else np.arange(len(own))
        existing = _existing(outputs[len(levels) - 1]) if levels else np.arange(len(own))
        row = np.full(int(before.max(initial=-1)) + 1, -1)  # the input row of every supernode, −1 for none
        row[existing[existing < len(row)]] = np.arange(len(existing))[existing < len(row)]
        labels = np.where(before >= 0, np.append(own, -1)[row[before]], -1)
        adjacency = _adjacency(out).detach().numpy()
        sizes = np.bincount(labels[labels >= 0], minlength=len(adjacency))
        assignment = out.assignment.detach().to_dense().numpy()
        levels.append(PoolingLevel(labels, assignment, adjacency, sizes))
    return levels


def _existing(out: PoolingOutput) -> npt.NDArray[np.int64]:
    """The supernodes that a pool passes to the next layer."""
    if out.mask is not None:
        return np.flatnonzero(out.mask[0].numpy())
    return np.arange(out.x.size(-2))


def _adjacency(out: PoolingOutput) -> Tensor:
    if out.adjacency is not None:
        return out.adjacency[0]
    assert out.edge_index is not None
    size = out.x.size(0)
    weight = torch.ones(out.edge_index.size(1)) if out.edge_weight is None else out.edge_weight
    return torch.zeros(size, size).index_put(tuple(out.edge_index), weight, accumulate=True)


COLLAPSED = 0.25
"""A pool has collapsed if a smaller share of its clusters is in use."""
UNDECIDED = 0.95
"""An assignment with a higher entropy is undecided."""


@dataclass(frozen=True)
class PoolDiagnosis:
    """One pool over a set of graphs. All numbers except `entropy` and `kept` are means over the graphs.

    Attributes:
        level: 1 for the first pool. The nodes of a later pool are the supernodes of the pool before.
        clusters: Number of supernodes.
        live: Number of clusters in use: supernodes that are the first choice of at least one node.
        live_share: ``live`` divided by the largest possible number, the smaller of clusters and nodes.
        distinct: Number of distinct rows of S to three decimals: how many kinds of nodes the pool can see. ``None`` for
            a pool without a soft assignment.
        entropy: Mean entropy of the rows of S, divided by log K: 0 is certain, 1 is uniform. ``None`` for a pool
            without a soft assignment.
        balance: Entropy of the cluster sizes, divided by its largest possible value: 1 is even, 0 is one cluster.
        largest: Share of the nodes in the largest cluster.
        kept: Share of the nodes that the pool keeps.
    """

    level: int
    clusters: float
    live: float
    live_share: float
    distinct: float | None
    entropy: float | None
    balance: float
    largest: float
    kept: float

    @property
    def verdict(self) -> str:
        """In a word: ``"single"`` (one supernode per graph), ``"collapsed"`` (few clusters are in use), ``"undecided"``
        (the assignment is nearly uniform) or ``"in use"``.
        """  # noqa: D205
        if self.clusters <= 1:
            return "single"
        if self.live_share < COLLAPSED:
            return "collapsed"
        if self.entropy is not None and self.entropy > UNDECIDED:
            return "undecided"
        return "in use"

    def as_dict(self) -> dict[str, Any]:
        """All numbers by name."""
        return asdict(self)


def diagnose_pools(batches: Iterable[list[PoolingOutput]]) -> list[PoolDiagnosis]:
    """The diagnosis of every pool over several batches; empty for a network without pools."""
    tables = [[_measure(out) for out in outputs] for outputs in batches]
    return [_summarise(level, list(parts)) for level, parts in enumerate(zip(*tables, strict=True), start=1)]


@dataclass(frozen=True)
class _Measured:
    """One batch: numbers per graph ``[B, 5]``, and sums over its graphs (distinct) and nodes (entropy, kept, all)."""

    per_graph: Tensor
    distinct: int | None
    entropy: float | None
    kept: float
    nodes: int


def _measure(out: PoolingOutput) -> _Measured:
    size = torch.tensor(out.sizes, dtype=torch.float64)
    offered, place = _places(out)
    in_some = place >= 0
    widest = max(place.tolist(), default=0) + 1  # empty clusters keep their number
    counts = torch.zeros(len(size) * widest, dtype=torch.float64)
    counts.index_add_(0, out.node_batch[in_some] * widest + place[in_some], counts.new_ones(int(in_some.sum())))
    counts = counts.view(len(size), widest)
    live, possible = (counts > 0).sum(dim=1).double(), torch.minimum(offered, size).clamp(min=1)
    share = counts / counts.sum(dim=1, keepdim=True).clamp(min=1)
    spread = -torch.special.xlogy(share, share).sum(dim=1)
    balance = torch.where(possible > 1, spread / possible.log().clamp(min=1e-12), 1.0)
    largest = counts.amax(dim=1) / size.clamp(min=1)
    table = torch.stack([offered, live, live / possible, balance, largest], dim=1)
    return _Measured(table, _distinct(out), _entropy(out), float(in_some.sum()), len(place))


def _places(out: PoolingOutput) -> tuple[Tensor, Tensor]:
    """The number of supernodes of every graph, and the supernode of every node within its graph (−1 if dropped)."""
    labels = out.labels()
    if out.adjacency is not None:
        offered = torch.full((out.num_graphs,), out.adjacency.size(1))
        return (offered if out.mask is None else out.mask.sum(dim=1)).double(), labels
    assert out.batch is not None
    offered = torch.bincount(out.batch, minlength=out.num_graphs)
    first = (offered.cumsum(0) - offered)[out.node_batch]
    return offered.double(), torch.where(labels >= 0, labels - first, labels)


def _is_soft(out: PoolingOutput) -> bool:
    return out.adjacency is not None and out.assignment.size(1) > 1


def _distinct(out: PoolingOutput) -> int | None:
    """Number of distinct rows of S within each graph, summed over the graphs."""
    if not _is_soft(out):
        return None
    rows = (out.assignment.detach() * 1000).round()
    return len(torch.cat([out.node_batch.unsqueeze(1).to(rows.dtype), rows], dim=1).unique(dim=0))  # type: ignore[no-untyped-call]


def _entropy(out: PoolingOutput) -> float | None:
    """Entropy of the rows of S divided by log K, summed over the nodes."""
    if not _is_soft(out):
        return None
    s = out.assignment.detach().double()
    return float(-torch.special.xlogy(s, s).sum() / math.log(s.size(1)))


def _summarise(level: int, parts: list[_Measured]) -> PoolDiagnosis:
    clusters, live, live_share, balance, largest = torch.cat([part.per_graph for part in parts]).mean(dim=0).tolist()
    nodes = max(sum(part.nodes for part in parts), 1)
    soft = [part.entropy for part in parts if part.entropy is not None]
    entropy = sum(soft) / nodes if soft else None
    kinds = [part.distinct for part in parts if part.distinct is not None]
    distinct = sum(kinds) / max(sum(len(part.per_graph) for part in parts), 1) if kinds else None
    kept = sum(part.kept for part in parts) / nodes
    return PoolDiagnosis(level, clusters, live, live_share, distinct, entropy, balance, largest, kept)
