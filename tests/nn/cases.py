"""Small graphs and batches that the tests of layers share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

Matrix = npt.NDArray[np.float64]


@dataclass(eq=False)
class Case:
    """A batch in the form of PyG, and the same graphs one by one as NumPy matrices."""

    x: Tensor
    edge_index: Tensor
    edge_weight: Tensor | None
    batch: Tensor
    matrices: list[Matrix]
    features: list[Matrix]

    @property
    def arguments(self) -> dict[str, Tensor | None]:
        return {"edge_index": self.edge_index, "edge_weight": self.edge_weight, "batch": self.batch}

    @property
    def sizes(self) -> list[int]:
        return [len(matrix) for matrix in self.matrices]


def random_matrix(rng: np.random.Generator, size: int, density: float, weighted: bool = False) -> Matrix:
    """A random symmetric matrix; its first three nodes form a triangle, so that no motif term is empty by chance."""
    A: Matrix = np.triu(rng.random((size, size)) < density, 1).astype(float)
    A[:3, :3] = np.triu(np.ones((3, 3)), 1)[:size, :size]
    if weighted:
        A *= rng.uniform(0.2, 2.0, (size, size))
    both: Matrix = A + A.T
    return both


def as_case(matrices: list[Matrix], features: list[Matrix], weighted: bool, dtype: torch.dtype = torch.float64) -> Case:
    rows, cols, weights, start = [], [], [], 0
    for A in matrices:
        row, col = np.nonzero(A)
        rows.append(row + start)
        cols.append(col + start)
        weights.append(A[row, col])
        start += len(A)
    edge_index = torch.from_numpy(np.stack([np.concatenate(rows), np.concatenate(cols)]).astype(np.int64))
    edge_weight = torch.from_numpy(np.concatenate(weights)).to(dtype) if weighted else None
    batch = torch.repeat_interleave(torch.arange(len(matrices)), torch.tensor([len(A) for A in matrices]))
    x = torch.from_numpy(np.concatenate(features)).to(dtype)
    return Case(x, edge_index, edge_weight, batch, matrices, features)


def random_case(
    seed: int = 0,
    sizes: tuple[int, ...] = (7, 12, 5),
    width: int = 6,
    weighted: bool = False,
    density: float = 0.6,
    dtype: torch.dtype = torch.float64,
) -> Case:
    rng = np.random.default_rng(seed)
    matrices = [random_matrix(rng, size, density, weighted) for size in sizes]
    return as_case(matrices, [rng.normal(size=(size, width)) for size in sizes], weighted, dtype)


def degenerate_case(width: int = 6, dtype: torch.dtype = torch.float64) -> Case:
    """A triangle, a single node, nodes without edges, an isolated node beside an edge, and a path without triangles."""
    rng = np.random.default_rng(5)
    triangle = np.ones((3, 3)) - np.eye(3)
    beside = np.zeros((3, 3))
    beside[0, 1] = beside[1, 0] = 1
    path = np.diag(np.ones(5), 1) + np.diag(np.ones(5), -1)
    matrices = [triangle, np.zeros((1, 1)), np.zeros((4, 4)), beside, path]
    return as_case(matrices, [rng.normal(size=(len(A), width)) for A in matrices], weighted=False, dtype=dtype)


def padded(case: Case) -> tuple[Tensor, Tensor, Tensor]:
    """The same batch as dense tensors: x ``[B, n, F]``, adjacency ``[B, n, n]``, mask ``[B, n]``."""
    most, dtype = max(case.sizes), case.x.dtype
    x = torch.zeros(len(case.matrices), most, case.x.size(1), dtype=dtype)
    adjacency = torch.zeros(len(case.matrices), most, most, dtype=dtype)
    mask = torch.zeros(len(case.matrices), most, dtype=torch.bool)
    for b, (A, X) in enumerate(zip(case.matrices, case.features, strict=True)):
        n = len(A)
        x[b, :n], adjacency[b, :n, :n] = torch.from_numpy(X).to(dtype), torch.from_numpy(A).to(dtype)
        mask[b, :n] = True
    return x, adjacency, mask
