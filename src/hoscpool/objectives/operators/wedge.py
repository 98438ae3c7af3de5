"""The wedge adjacency as an operator: the matrix itself joins all pairs two steps apart and is never built."""

from __future__ import annotations

import torch
from torch import Tensor

from hoscpool.objectives.operators.conversion import AdjacencyLike, as_adjacency
from hoscpool.objectives.operators.storage import Adjacency, DenseAdjacency, SparseAdjacency


class WedgeAdjacency(Adjacency):
    """W = A² − D + DA + AD − 2A for a 0/1 matrix A, by two products with A."""

    def __init__(self, structure: Adjacency) -> None:
        self.structure = structure
        self.batch, self.mask = structure.batch, structure.mask
        ones = torch.ones(structure.num_nodes, 1, dtype=torch.float64, device=structure.device)
        self.degree = self.multiply(ones)[:, 0].to(structure.dtype)  # counts beyond 2²⁴ pass through float64

    def multiply(self, dense: Tensor) -> Tensor:
        """W·S ``[N, K]`` without gradients to S."""
        structure = self.structure.to(dense.dtype)
        d = structure.degree[:, None]  # [N, 1]
        neighbours = structure.multiply(dense)  # A·S [N, K]
        return structure.multiply(neighbours + (d - 2) * dense) + d * (neighbours - dense)

    def row_squares(self) -> Tensor:
        """Not to be had without building the matrix.

        Raises:
            ValueError: Always.
        """
        raise ValueError(
            "adjacency: the wedge operator has no entries to square; pass hoscpool.motif_adjacency(graph, 'wedge')"
        )

    def to(self, dtype: torch.dtype | None = None, device: torch.device | str | None = None) -> Adjacency:
        """The same operator in another type or on another device; itself when nothing changes."""
        return self if self._is_already(dtype, device) else WedgeAdjacency(self.structure.to(dtype, device))


def wedge_operator(
    adjacency: AdjacencyLike, *, dtype: torch.dtype | None = None, device: torch.device | str | None = None
) -> Adjacency:
    """The matrix ``hoscpool.motif_adjacency(graph, "wedge")`` as something that can multiply, without its entries.

    With the structure A (0/1, no diagonal; weights are ignored) and degrees D, the number of wedges (paths of three
    nodes) that contain i and j is W = A² − D + DA + AD − 2A: two leaves of one centre, or a centre and its leaf.

    Args:
        adjacency: The graph; anything that `as_adjacency` takes.
        dtype: Type of the counts, as in `as_adjacency`.
        device: Where to keep it, as in `as_adjacency`.

    Returns:
        An `Adjacency` for any loss but `link_prediction_loss`. A product costs two with A.

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
