"""The matrices and the input of a run, handed out to the ranks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from hoscpool.cluster import SparseTable
from hoscpool.distributed.training.halo import HaloAdjacency, spread
from hoscpool.distributed.training.node_ranges import NodeRanges
from hoscpool.distributed.training.ranks import Ranks
from hoscpool.objectives import Csr


@dataclass(frozen=True)
class Placement:
    """What this rank has of some matrices.

    Attributes:
        num_nodes: Number of nodes on all ranks.
        matrices: The rows of the own nodes, by name.
        ranges: Who has which nodes; only on the leader.
    """

    num_nodes: int
    matrices: Mapping[str, HaloAdjacency]
    ranges: NodeRanges | None


def place(ranks: Ranks, matrices: Mapping[str, sp.csr_array], ranges: NodeRanges) -> Placement:
    """Hand out the rows of the leader's matrices. The followers call `receive` at the same time."""
    ranks.share((list(matrices), ranges.bounds))
    rows = {name: _deal_rows(ranks, ranges.rows_of(matrix)) for name, matrix in matrices.items()}
    return Placement(len(ranges.order), spread(rows, ranges.bounds, ranks), ranges)


def receive(ranks: Ranks) -> Placement:
    """The follower's side of `place`."""
    names, bounds = ranks.share()
    width = int(bounds[-1])
    rows = {name: _deal_rows(ranks, None, width) for name in names}
    return Placement(width, spread(rows, bounds, ranks), None)


def deal_input(ranks: Ranks, ranges: NodeRanges | None, x: Tensor | SparseTable | None = None) -> Tensor | SparseTable:
    """The rows of a run's input for the own nodes; the leader has the whole table."""
    width = ranks.share(x.shape[1] if isinstance(x, SparseTable) else None)
    if width is not None:
        whole = as_scipy(x.matrix, width) if isinstance(x, SparseTable) else None
        return SparseTable(_deal_rows(ranks, None if ranges is None else ranges.deal(whole), width))
    return torch.from_numpy(ranks.deal(None if ranges is None else ranges.deal(x.numpy())))  # type: ignore[union-attr]


def as_scipy(matrix: Csr, num_columns: int) -> sp.csr_array:
    """The same matrix for SciPy, with float32 entries."""
    ones = np.ones(len(matrix.indices), dtype=np.float32)
    parts = ones if matrix.values is None else matrix.values.numpy(), matrix.indices.numpy(), matrix.indptr.numpy()
    return sp.csr_array(parts, shape=(matrix.num_rows, num_columns))


def _deal_rows(ranks: Ranks, parts: list[Any] | None, width: int = 0) -> sp.csr_array:
    """Sparse rows for every rank, as three arrays."""
    if parts is not None:
        width = parts[0].shape[1]
    arrays = [
        ranks.deal(None if parts is None else [getattr(part, name) for part in parts])
        for name in ("data", "indices", "indptr")
    ]
    return sp.csr_array(tuple(arrays), shape=(len(arrays[2]) - 1, width))
