"""The wedge adjacency as an operator. The matrix itself is never built, because it holds all pairs two steps apart."""

from __future__ import annotations

import torch
from torch import Tensor

from hoscpool.objectives.operators.conversion import AdjacencyLike, as_adjacency
from hoscpool.objectives.operators.storage import Adjacency, DenseAdjacency, SparseAdjacency


class WedgeAdjacency(Adjacency):
    """W = A² − D + DA + AD − 2A for a 0/1 matrix A, computed with two products with A."""

    def __init__(self, structure: Adjacency) -> None:
        self.structure = structure
        self.batch, self.mask = structure.batch, structure.mask
        ones = torch.ones(structure.num_nodes, 1, dtype=torch.float64, device=structure.device)
        self.degree = self.multiply(ones)[:, 0].to(structure.dtype)  # float64 is exact for counts beyond 2²⁴

    def multiply(self, dense: Tensor) -> Tensor:
        """W·S ``[N, K]`` without gradients to S."""
        structure = self.structure.to(dense.dtype)
        d = structure.degree[:, None]  # [N, 1]
        neighbours = structure.multiply(dense)  # A·S [N, K]
        return structure.multiply(neighbours + (d - 2) * dense) + d * (neighbours - dense)

    def row_squares(self) -> Tensor:
        """Not available, because the matrix is not built.

        Raises:
            ValueError: Always.
        """
        raise ValueError(
            "adjacency: expected a matrix with entries, got the wedge operator; "
            "pass hoscpool.motif_adjacency(graph, 'wedge')"
        )

    def to(self, dtype: torch.dtype | None = None, device: torch.device | str | None = None) -> Adjacency:
        """The same operator in another type or on another device. Itself if nothing changes."""
        return self if self._is_already(dtype, device) else WedgeAdjacency(self.structure.to(dtype, device))


def wedge_operator(
    adjacency: AdjacencyLike, *, dtype: torch.dtype | None = None, device: torch.device | str | None = None
) -> Adjacency:
    """The matrix ``hoscpool.motif_adjacency(graph, "wedge")`` as an operator that can multiply but stores no entries.

    With the structure A (0/1, no diagonal, weights ignored) and degrees D, the number of wedges (paths of three nodes)
    that contain i and j is W = A² − D + DA + AD − 2A: i and j are two leaves of one centre, or a centre and its leaf.

    Args:
        adjacency: The graph: anything that `as_adjacency` takes.
        dtype: Type of the counts, as in `as_adjacency`.
        device: Where to keep it, as in `as_adjacency`.

    Returns:
        An `Adjacency` for any loss except `link_prediction_loss`. One product costs two products with A.

    Examples:
        >>> path = torch.tensor([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]])
        >>> wedge_operator(path) @ torch.eye(3)
        tensor([[0., 1., 1.],
                [1., 0., 1.],
                [1., 1., 0.]])
    """
    return WedgeAdjacency(_structure(as_adjacency(adjacency, dtype=dtype, device=device)))


def _structure(adjacency: Adjacency) -> Adjacency:
    """1 for every edge, no diagonal."""
    if isinstance(adjacency, DenseAdjacency):
        joined = (adjacency.tensor != 0).to(adjacency.dtype)
        joined.diagonal(dim1=1, dim2=2).zero_()
        return DenseAdjacency(joined, adjacency.mask)
    if not isinstance(adjacency, SparseAdjacency):
        raise TypeError(f"adjacency: expected a matrix with entries, got {type(adjacency).__name__}")
    matrix, size = adjacency.matrix.to(adjacency.dtype, torch.device("cpu")), adjacency.num_nodes
    rows = torch.arange(size).repeat_interleave(matrix.indptr.diff())
    kept = rows != matrix.indices
    if matrix.values is not None:
        kept &= matrix.values != 0
    edges = torch.stack([rows, matrix.indices.long()])[:, kept]
    return as_adjacency((edges, None, size), dtype=adjacency.dtype, device=adjacency.device)
