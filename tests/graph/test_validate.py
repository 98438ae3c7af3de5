from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import torch

from hoscpool import as_graph
from hoscpool.graph.validate import check_features, check_labels, check_node_names, check_num_nodes, first_few

PAIR = np.array([[0, 1], [1, 0]])

BAD_GRAPHS: list[tuple[str, Any, dict[str, Any], str]] = [
    ("not square", np.zeros((3, 4)), {}, r"adjacency: expected a square matrix, got shape \(3, 4\)"),
    ("sparse not square", sp.csr_array((3, 4)), {}, r"expected a square matrix, got shape \(3, 4\)"),
    ("1-D", np.zeros(3), {}, r"got 1 dimensions, shape \(3,\)"),
    ("3-D", np.zeros((2, 2, 2)), {}, r"got 3 dimensions, shape \(2, 2, 2\)"),
    ("NaN", np.array([[0, np.nan], [1, 0]]), {}, "weights: expected finite numbers, got nan"),
    ("infinity", sp.csr_array([[0, np.inf], [1, 0]]), {}, "weights: expected finite numbers, got inf"),
    ("negative", np.array([[0, -2.5], [1, 0]]), {}, r"weights: expected numbers ≥ 0, got -2.5 at edge 0"),
    ("complex", np.array([[0, 1j], [1j, 0]]), {}, "adjacency: expected real numbers, got complex dtype"),
    ("object", np.array([[0, "a"], [1, 0]], dtype=object), {}, "adjacency: expected real numbers, got object dtype"),
    ("complex sparse", sp.csr_array(np.array([[0, 1j], [1j, 0]])), {}, "got complex dtype"),
    ("text", np.array([["a", "b"], ["c", "d"]]), {}, "adjacency: expected real numbers, got str"),
    ("dates", np.zeros((2, 2), dtype="datetime64[s]"), {}, "expected real numbers, got datetime64"),
    ("masked", np.ma.masked_equal(PAIR, 0), {}, "masked array"),
    ("edge_index beyond N", (np.array([[0, 1], [1, 5]]), 3), {},
     "node index 5 of edge 1 is out of range; expected 0 to 2"),
    ("edge_index below 0", (np.array([[0, -1], [1, 0]]), 3), {}, "node index -1 is out of range"),
    ("float edge_index", (np.array([[0.0, 1], [1, 0]]), 2), {}, "edge_index: expected integers, got float64 dtype"),
    ("edge_index E × 2", (np.zeros((5, 2), dtype=int), 2), {}, r"expected shape \(2, E\), got \(5, 2\); transpose it"),
    ("edge_index 1-D", (np.zeros(4, dtype=int), 2), {}, r"edge_index: expected shape \(2, E\), got \(4,\)"),
    ("pair with weights", (PAIR, np.ones(2)), {}, r"expected the pair \(edge_index, num_nodes\)"),
    ("triple", (PAIR, 2, 3), {}, r"expected the pair \(edge_index, num_nodes\)"),
    ("negative N", (PAIR, -1), {}, "num_nodes: expected a number between 0"),
    ("two N", (PAIR, 2), {"num_nodes": 3}, "num_nodes: expected 2 as in the graph, got 3"),
    ("N of a matrix", PAIR, {"num_nodes": 3}, "num_nodes: expected 2 as in the graph, got 3"),
    ("feature rows", PAIR, {"features": np.ones((3, 1))}, "features: expected 2 rows, one for every node, got 3"),
    ("feature vector", PAIR, {"features": np.ones(2)}, r"features: expected a table of shape \(2, F\)"),
    ("feature NaN", PAIR, {"features": np.array([[1, 2], [3, np.nan]])}, "expected finite .* row 1, column 1"),
    ("feature size", PAIR, {"features": np.array([[1e300], [0]])}, "features: expected finite .* row 0, column 0"),
    ("sparse NaN", PAIR, {"features": sp.coo_array(([np.nan], ([1], [0])), shape=(2, 3))}, "row 1, column 0"),
    ("feature text", PAIR, {"features": np.array([["a"], ["b"]])}, "features: expected real numbers, got str"),
    ("feature object", PAIR, {"features": np.array([[None], [1]])}, "features: expected real numbers, got object"),
    ("label rows", PAIR, {"labels": [1, 2, 3]}, "labels: expected 2 rows, one for every node, got 3"),
    ("label fractions", PAIR, {"labels": [0.5, 1]}, "labels: expected whole numbers or text"),
    ("label NaN", PAIR, {"labels": [np.nan, 1]}, "labels: expected whole numbers or text"),
    ("label table", PAIR, {"labels": np.ones((2, 2))}, r"labels: expected one label for every node, got .* \(2, 2\)"),
    ("label objects", PAIR, {"labels": [None, "a"]}, "labels: expected real numbers, got object"),
    ("name count", PAIR, {"node_names": ["a"]}, "node_names: expected 2 rows, one for every node, got 1"),
    ("name twice", PAIR, {"node_names": ["a", "a"]}, "node_names: expected a different name .* repeated 'a'"),
    ("name lists", PAIR, {"node_names": [[1], [2]]}, "node_names: expected names that can be compared"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("obj", "kwargs", "message"), [case[1:] for case in BAD_GRAPHS], ids=[c[0] for c in BAD_GRAPHS]
)
def test_each_bad_input_has_its_own_message(obj: Any, kwargs: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        as_graph(obj, **kwargs)


@pytest.mark.parametrize("number", [2.5, "3", True, None])
def test_num_nodes_must_be_whole(number: Any) -> None:
    with pytest.raises(ValueError, match="num_nodes: expected a whole number"):
        check_num_nodes(number)


def test_num_nodes_fits_int32() -> None:
    assert check_num_nodes(np.int64(5)) == 5
    with pytest.raises(ValueError, match=r"between 0 and 2,147,483,647, got 3,000,000,000"):
        check_num_nodes(3_000_000_000)


FEATURES = [
    np.array([[1, 0], [0, 2]]),
    np.array([[1, 0], [0, 2]], dtype=np.float64),
    np.array([[1, 0], [0, 2]], dtype=np.uint8),
    [[1, 0], [0, 2]],
    torch.tensor([[1.0, 0], [0, 2]]),
    torch.tensor([[1.0, 0], [0, 2]], requires_grad=True),
    torch.tensor([[1, 0], [0, 2]], dtype=torch.bfloat16),
]
SPARSE_FEATURES = [
    sp.csc_matrix([[1.0, 0], [0, 2]]),
    sp.coo_array([[1, 0], [0, 2]]),
    torch.tensor([[1.0, 0], [0, 2]]).to_sparse(),
]


@pytest.mark.parametrize("features", FEATURES)
def test_dense_features_become_float32(features: Any) -> None:
    table = check_features(features, 2)
    assert isinstance(table, np.ndarray)
    assert table.dtype == np.float32
    np.testing.assert_array_equal(table, [[1, 0], [0, 2]])


@pytest.mark.parametrize("features", SPARSE_FEATURES)
def test_sparse_features_stay_sparse(features: Any) -> None:
    table = check_features(features, 2)
    assert isinstance(table, sp.csr_array)
    assert (table.dtype, table.nnz) == (np.float32, 2)
    np.testing.assert_array_equal(table.toarray(), [[1, 0], [0, 2]])


LABELS: list[tuple[Any, list[int]]] = [
    ([3, -1], [3, -1]),
    (np.array([1.0, 0.0]), [1, 0]),
    ([True, False], [1, 0]),
    (["spam", "ham"], [1, 0]),
    (np.array(["spam", "ham"], dtype=object), [1, 0]),
    (torch.tensor([[4], [5]]), [4, 5]),
]


@pytest.mark.parametrize(("labels", "expected"), LABELS)
def test_labels_become_int64(labels: Any, expected: list[int]) -> None:
    checked = check_labels(labels, 2)
    assert checked is not None
    assert (checked.dtype.name, checked.tolist()) == ("int64", expected)


def test_node_names_become_plain_values() -> None:
    names = check_node_names(np.array([5, 7]), 2)
    assert names == (5, 7)
    assert names is not None
    assert type(names[0]) is int


def test_missing_node_data_stay_missing() -> None:
    for check in (check_features, check_labels, check_node_names):
        assert check(None, 2) is None


def test_long_lists_are_cut() -> None:
    assert first_few(list(range(8))) == "0, 1, 2, 3, 4 and 3 more"


@pytest.mark.parametrize("label", [1e300, -1e19, 2.0**63, np.uint64(2**63)])
def test_labels_beyond_int64_are_refused(label: float) -> None:
    with pytest.raises(ValueError, match="labels: expected whole numbers within int64"):
        check_labels(np.array([0, label]) if isinstance(label, float) else np.array([0, label], np.uint64), 2)
