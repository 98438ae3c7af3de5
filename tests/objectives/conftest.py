"""Random graphs and assignments in every storage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp
import torch

import hoscpool as hp

Matrix = npt.NDArray[np.float64]


def _coo(A: Matrix) -> torch.Tensor:
    return torch.from_numpy(A).to_sparse()


STORAGES: dict[str, Callable[[Matrix], Any]] = {
    "scipy-csr": sp.csr_array,
    "scipy-coo": sp.coo_array,
    "scipy-csc-matrix": sp.csc_matrix,
    "graph": lambda A: hp.as_graph(sp.csr_array(A)),
    "torch-coo": _coo,
    "torch-csr": lambda A: _coo(A).to_sparse_csr(),
    "torch-csc": lambda A: _coo(A).to_sparse_csc(),
    "edges": lambda A: (_coo(A).coalesce().indices(), _coo(A).coalesce().values(), len(A)),
    "dense": torch.from_numpy,
    "dense-batch-of-one": lambda A: torch.from_numpy(A)[None],
}


@pytest.fixture(params=STORAGES)
def storage(request: pytest.FixtureRequest) -> Callable[[Matrix], Any]:
    """Puts a matrix into a storage."""
    return STORAGES[request.param]


class Random:
    """Draws inputs."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = np.random.default_rng(seed)

    def adjacency(self, size: int, density: float = 0.4, weighted: bool = True) -> Matrix:
        upper = np.triu(self.rng.random((size, size)) < density, 1) * 1.0
        upper *= self.rng.uniform(0.5, 2.0, (size, size)) if weighted else 1.0
        return np.asarray(upper + upper.T)

    def assignment(self, size: int, clusters: int) -> torch.Tensor:
        return torch.softmax(torch.from_numpy(self.rng.normal(size=(size, clusters))), dim=1)


@pytest.fixture
def draw() -> Random:
    return Random()
