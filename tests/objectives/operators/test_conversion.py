from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import torch

import hoscpool as hp
from hoscpool.objectives import as_adjacency, motif_cut_loss
from hoscpool.support.errors import GraphWarning


def entries(adjacency: Any) -> torch.Tensor:
    product: torch.Tensor = adjacency @ torch.eye(adjacency.num_nodes, dtype=adjacency.dtype)
    return product


def test_every_storage_is_the_same_matrix(storage: Callable[..., Any], draw: Any) -> None:
    A = draw.adjacency(9)
    adjacency = as_adjacency(storage(A), dtype=torch.float64)
    assert adjacency.num_nodes == 9
    assert not adjacency.is_empty
    torch.testing.assert_close(entries(adjacency), torch.from_numpy(A))
    torch.testing.assert_close(adjacency.degree, torch.from_numpy(A.sum(axis=1)))
    torch.testing.assert_close(adjacency.row_squares(), torch.from_numpy((A**2).sum(axis=1)))


def test_types() -> None:
    pair = sp.csr_array(np.array([[0, 1], [1, 0]]))
    assert as_adjacency(pair).dtype == torch.get_default_dtype()
    assert as_adjacency(pair, dtype=torch.float64).dtype == torch.float64
    assert as_adjacency(torch.eye(2, dtype=torch.float64)).dtype == torch.float64
    assert as_adjacency(torch.eye(2, dtype=torch.int64)).dtype == torch.get_default_dtype()
    assert as_adjacency(torch.eye(2, dtype=torch.float64).to_sparse()).dtype == torch.float64


def test_an_adjacency_passes_through_and_can_change_type(storage: Callable[..., Any], draw: Any) -> None:
    adjacency = as_adjacency(storage(draw.adjacency(6)), dtype=torch.float64)
    assert as_adjacency(adjacency) is adjacency
    single = as_adjacency(adjacency, dtype=torch.float32)
    assert single.dtype == torch.float32
    torch.testing.assert_close(entries(single), entries(adjacency).float())
    assert "6 nodes" in repr(single)


def test_entries_are_taken_as_they_are() -> None:
    edges = torch.tensor([[0, 1, 0, 1, 2], [1, 0, 1, 0, 2]])
    result = entries(as_adjacency((edges, None, 3)))
    assert result.tolist() == [[0, 2, 0], [2, 0, 0], [0, 0, 1]]  # repeated edges add up, the self-loop stays


@pytest.mark.parametrize("make", [sp.csr_array, torch.from_numpy], ids=["sparse", "dense"])
def test_an_asymmetric_matrix_is_made_symmetric(make: Callable[..., Any]) -> None:
    A = np.array([[0.0, 1.0, 0.0], [3.0, 0.0, 0.0], [2.0, 0.0, 0.0]])
    with pytest.warns(GraphWarning, match="not symmetric: directions are ignored"):
        adjacency = as_adjacency(make(A), dtype=torch.float64)
    assert entries(adjacency).tolist() == [[0, 3, 2], [3, 0, 0], [2, 0, 0]]


def test_a_directed_graph_loses_its_directions() -> None:
    graph = hp.as_graph(sp.csr_array(np.array([[0, 1], [0, 0]])), directed=True)
    with pytest.warns(GraphWarning, match="not symmetric: directions are ignored") as said:
        adjacency = as_adjacency(graph)
    assert said[0].filename == __file__
    assert entries(adjacency).tolist() == [[0, 1], [1, 0]]


def test_a_directed_graph_with_all_its_arcs_both_ways_has_nothing_to_lose() -> None:
    graph = hp.as_graph(sp.csr_array(np.array([[0, 1], [1, 0]])), directed=True)
    assert entries(as_adjacency(graph)).tolist() == [[0, 1], [1, 0]]


def test_asymmetry_that_cancels_in_sums_is_seen() -> None:
    size, offsets = 30, (1, 2, -3)  # every node has as many arcs in as out, and their numbers add up to the same
    rows = np.repeat(np.arange(size), 3)
    matrix = sp.coo_array((np.ones(3 * size), (rows, (rows + np.tile(offsets, size)) % size)), shape=(size, size))
    with pytest.warns(GraphWarning, match="not symmetric"):
        as_adjacency(matrix)


def test_rounding_is_no_asymmetry() -> None:
    A = np.array([[0, 1], [1 + 1e-9, 0]])
    assert as_adjacency(sp.csr_array(A)).num_nodes == 2
    assert as_adjacency(torch.tensor(A, dtype=torch.float32)).num_nodes == 2


def test_mask_takes_padding_out() -> None:
    tensor, mask = torch.ones(2, 3, 3), torch.tensor([[True, True, True], [True, True, False]])
    tensor[1, 2] = tensor[1, :, 2] = torch.nan  # what stands in padding does not matter
    adjacency = as_adjacency(tensor, mask=mask)
    assert adjacency.degree.tolist() == [3, 3, 3, 2, 2, 0]
    assert adjacency.batch is not None
    assert adjacency.batch.tolist() == [0, 0, 0, 1, 1, 1]
    assert adjacency.mask is not None
    assert adjacency.mask.tolist() == [True] * 5 + [False]


def test_gradients_reach_a_dense_matrix_only() -> None:
    dense = torch.tensor([[0.0, 1.0], [1.0, 0.0]], requires_grad=True)
    assert as_adjacency(dense).requires_grad
    for sparse in (dense.to_sparse(), (torch.tensor([[0, 1], [1, 0]]), torch.ones(2, requires_grad=True), 2)):
        with pytest.raises(
            ValueError, match=r"adjacency: expected sparse weights without gradients, .* call detach\(\)"
        ):
            as_adjacency(sparse)


def test_empty() -> None:
    for nothing in (sp.csr_array((0, 0)), torch.zeros(0, 0), (torch.zeros(2, 0, dtype=torch.int64), None, 0)):
        adjacency = as_adjacency(nothing)
        assert adjacency.num_nodes == 0
        assert adjacency.is_empty
    assert as_adjacency((torch.zeros(2, 0, dtype=torch.int64), None, 4)).is_empty


EDGES = torch.tensor([[0, 1], [1, 0]])
BAD = {
    "not square": (torch.ones(2, 3), r"adjacency: expected shape \[N, N\] or \[B, N, N\], got \[2, 3\]"),
    "four dimensions": (torch.ones(1, 1, 2, 2), r"got \[1, 1, 2, 2\]"),
    "sparse not square": (sp.csr_array((2, 3)), r"expected a square matrix, got shape \(2, 3\)"),
    "dense NaN": (torch.full((2, 2), torch.nan), "finite weights ≥ 0, got NaN or infinite weights"),
    "dense infinite": (torch.full((2, 2), torch.inf), "finite weights ≥ 0, got NaN or infinite weights"),
    "dense negative": (torch.full((2, 2), -1.0), "finite weights ≥ 0, got a weight of -1"),
    "dense too heavy": (torch.full((1, 30, 30), 3e37), r"within torch.float32, got 2.7e\+40; scale them"),
    "sparse NaN": (sp.csr_array(np.full((2, 2), np.nan)), "weights: expected finite numbers, got nan at edge 0"),
    "torch sparse NaN": (torch.full((2, 2), torch.nan).to_sparse(), "weights: expected finite numbers"),
    "sparse negative": (sp.csr_array(np.full((2, 2), -1.0)), "weights: expected numbers ≥ 0, got -1.0 at edge 0"),
    "edge weight NaN": (
        (EDGES, torch.tensor([1, torch.nan]), 2),
        "weights: expected finite numbers, got nan at edge 1",
    ),
    "edge weight too short": ((EDGES, torch.ones(1), 2), "weights: expected 2 numbers, one for every edge, got 1"),
    "edge out of range": ((EDGES, None, 1), "node index 1 of edge .* is out of range"),
    "edges transposed": ((torch.zeros(5, 2, dtype=torch.int64), None, 2), r"edge_index: expected shape \(2, E\)"),
    "too heavy": (sp.csr_array(np.full((2, 2), 1e300)), r"within torch.float32, got 4e\+300; scale them"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_matrices(name: str) -> None:
    matrix, message = BAD[name]
    with pytest.raises(ValueError, match=message):
        as_adjacency(matrix)


@pytest.mark.parametrize("mask", [torch.ones(2, 3), torch.ones(2, 4, dtype=torch.bool)], ids=["not bool", "shape"])
def test_bad_mask(mask: torch.Tensor) -> None:
    with pytest.raises(ValueError, match=r"mask: expected bool of shape \[2, 3\], got"):
        as_adjacency(torch.ones(2, 3, 3), mask=mask)


def test_a_mask_belongs_to_a_dense_tensor() -> None:
    with pytest.raises(ValueError, match="mask: only a dense adjacency tensor can have padding"):
        as_adjacency(sp.csr_array((2, 2)), mask=torch.ones(2, dtype=torch.bool))


@pytest.mark.parametrize("thing", ["graph.csv", np.zeros((2, 2)), None, (1, 2)])
def test_other_things(thing: Any) -> None:
    with pytest.raises(TypeError, match="adjacency: expected a hoscpool Graph, a SciPy sparse matrix"):
        as_adjacency(thing)


@pytest.mark.parametrize(
    "heavy",
    [torch.ones(300, 300, dtype=torch.float16), torch.full((3, 3), 3e37), torch.full((9, 1, 1), 3e38)],
    ids=["half", "single", "batch"],
)
def test_heavy_matrices_are_no_nan(heavy: torch.Tensor) -> None:
    s = torch.ones(len(heavy), 1, dtype=heavy.dtype)
    batch = torch.arange(9) if heavy.ndim == 3 else None
    assert motif_cut_loss(heavy, s, batch).item() == pytest.approx(-1)
