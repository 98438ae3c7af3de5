"""A matrix whose rows are spread over the ranks, and the exchange of the rows that a product needs from others."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
import torch
from torch import Tensor

from hoscpool.distributed.training.rank_sums import sum_for_nodes
from hoscpool.distributed.training.ranks import Ranks
from hoscpool.objectives import Adjacency, Csr, SparseAdjacency, multiply

Indices = npt.NDArray[np.int64]


class Halo:
    """The nodes of other ranks that this rank's matrices touch: one hop beyond its own nodes.

    Args:
        ranks: The processes.
        bounds: Rank r has the nodes from ``bounds[r]`` up to ``bounds[r + 1]``.
        wanted: The nodes of others that this rank needs, ascending.
    """

    def __init__(self, ranks: Ranks, bounds: Indices, wanted: Indices) -> None:
        self.ranks, self.begin, self.wanted = ranks, int(bounds[ranks.rank]), wanted
        self.taken = np.diff(np.searchsorted(wanted, bounds)).tolist()
        asked = ranks.exchange(torch.tensor(self.taken), [1] * ranks.size, [1] * ranks.size)
        self.given: list[int] = asked.tolist()
        self._rows = ranks.exchange(torch.from_numpy(wanted), self.taken, self.given) - self.begin
        self._last: tuple[Tensor, int, Tensor] | None = None

    def extend(self, rows: Tensor) -> Tensor:
        """A table ``[n, C]`` of the own nodes, followed by the rows of the halo, as their owners have them.

        Several matrices multiply one assignment, so the last table is kept.
        """
        last = self._last
        if last is None or last[0] is not rows or last[1] != rows._version:
            found = self.ranks.exchange(rows.detach().index_select(0, self._rows), self.given, self.taken)
            self._last = last = rows, rows._version, torch.cat([rows.detach(), found])
        return last[2]

    def forget(self) -> None:
        """Free the last table."""
        self._last = None


class HaloAdjacency(SparseAdjacency):
    """The rows of this rank of a symmetric matrix. Columns are the own nodes, then those of the halo.

    The matrix is symmetric as a whole, so the gradient of a product is a product again, with an exchange of its own:
    what a rank knows about ∂loss/∂(A·S) of its rows goes to the neighbours of its nodes.

    Args:
        matrix: The rows.
        degree: Their sums.
        squares: Their sums of squares.
        halo: The exchange.
    """

    def __init__(self, matrix: Csr, degree: Tensor, squares: Tensor, halo: Halo) -> None:
        super().__init__(matrix, degree, squares)
        self.halo = halo
        self._is_empty = not bool(halo.ranks.sum(degree.sum(dtype=torch.float64)))

    @property
    def is_empty(self) -> bool:
        """Whether the matrix has no entry on any rank."""
        return self._is_empty

    def multiply(self, dense: Tensor) -> Tensor:
        """A·S for the rows of this rank, without gradients to S."""
        return multiply(self.matrix, self.halo.extend(dense))

    def add_up(self, sums: Tensor) -> Tensor:
        """Sums over the rows of this rank, as sums over all rows."""
        return sum_for_nodes(sums, self.halo.ranks)

    def to(self, dtype: torch.dtype | None = None, device: torch.device | str | None = None) -> Adjacency:
        """The same rows, if nothing changes. They are made in the type and place where they are used."""
        if not self._is_already(dtype, device):
            raise ValueError(f"adjacency: its rows are spread over ranks as {self.dtype} on {self.device}; keep that")
        return self


def spread(rows: Mapping[str, sp.csr_array], bounds: Indices, ranks: Ranks) -> dict[str, HaloAdjacency]:
    """Matrices from the rows of every rank. All ranks call it together; the matrices share one halo.

    Args:
        rows: The rows of this rank, by name; columns are numbers of nodes in the order of ``bounds``.
        bounds: Rank r has the nodes from ``bounds[r]`` up to ``bounds[r + 1]``.
        ranks: The processes.
    """
    begin, end = int(bounds[ranks.rank]), int(bounds[ranks.rank + 1])
    touched = [np.unique(matrix.indices).astype(np.int64) for matrix in rows.values()]
    columns = np.unique(np.concatenate([np.empty(0, np.int64), *touched]))
    wanted = columns[(columns < begin) | (columns >= end)]
    halo = Halo(ranks, bounds, wanted)
    return {name: _own_rows(matrix, begin, end, wanted, halo) for name, matrix in rows.items()}


def _own_rows(matrix: sp.csr_array, begin: int, end: int, wanted: Indices, halo: Halo) -> HaloAdjacency:
    columns = matrix.indices.astype(np.int64)
    inside = (columns >= begin) & (columns < end)
    columns = np.where(inside, columns - begin, end - begin + np.searchsorted(wanted, columns))
    data = np.asarray(matrix.data, dtype=np.float64)
    local = sp.csr_array((data, columns, matrix.indptr), shape=(end - begin, end - begin + len(wanted)))
    degree, squares = local.sum(axis=1), (local**2).sum(axis=1) if local.nnz else np.zeros(end - begin)
    plain = not bool(halo.ranks.sum(torch.tensor(float((data != 1).any()))))
    values = None if plain else torch.tensor(data, dtype=torch.float32)
    stored = Csr(torch.tensor(matrix.indptr, dtype=torch.int64), torch.tensor(columns, dtype=torch.int32), values)
    return HaloAdjacency(stored, _float32(degree), _float32(squares), halo)


def _float32(values: npt.NDArray[np.float64]) -> Tensor:
    return torch.from_numpy(np.asarray(values, dtype=np.float64).reshape(-1)).to(torch.float32)
