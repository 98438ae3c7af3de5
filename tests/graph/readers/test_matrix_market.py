from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp

from hoscpool import as_graph
from hoscpool.support.errors import GraphWarning

Write = Callable[[str, str], Path]


@pytest.mark.parametrize("name", ["g.mtx", "g.mtx.gz"])
def test_symmetric_pattern(name: str, write: Write) -> None:
    graph = as_graph(write(name, "%%MatrixMarket matrix coordinate pattern symmetric\n% c\n3 3 2\n2 1\n3 2\n"))
    assert (graph.is_directed, graph.is_weighted, graph.notes) == (False, False, ())
    np.testing.assert_array_equal(graph.adjacency.toarray(), [[0, 1, 0], [1, 0, 1], [0, 1, 0]])


def test_symmetric_weights(write: Write) -> None:
    graph = as_graph(write("g.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 0.5\n3 2 4\n"))
    np.testing.assert_array_equal(graph.adjacency.toarray(), [[0, 0.5, 0], [0.5, 0, 4], [0, 4, 0]])


def test_general_is_directed_when_asymmetric(write: Write) -> None:
    path = write("g.mtx", "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 7\n")
    with pytest.warns(GraphWarning, match="read as directed"):
        graph = as_graph(path)
    assert (graph.is_directed, graph.adjacency[0, 1]) == (True, 7)
    assert as_graph(path, directed=False).num_edges == 1


def test_dense_array(write: Write) -> None:
    general = write("g.mtx", "%%MatrixMarket matrix array real general\n2 2\n0\n3\n5\n0\n")
    np.testing.assert_array_equal(as_graph(general, directed=True).adjacency.toarray(), [[0, 5], [3, 0]])
    symmetric = write("s.mtx", "%%MatrixMarket matrix array real symmetric\n3 3\n0\n1\n2\n0\n3\n0\n")
    np.testing.assert_array_equal(as_graph(symmetric).adjacency.toarray(), [[0, 1, 2], [1, 0, 3], [2, 3, 0]])


def test_no_entries(write: Write) -> None:
    graph = as_graph(write("g.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 0\n"))
    assert (graph.num_nodes, graph.num_edges) == (3, 0)


@pytest.mark.parametrize("symmetry", ["general", "symmetric"])
@pytest.mark.parametrize("field", ["real", "integer", "pattern"])
def test_the_same_as_scipy(symmetry: str, field: str, tmp_path: Path) -> None:
    random = np.triu(np.random.default_rng(0).integers(0, 3, (20, 20)), 1)
    matrix = sp.coo_array(random + random.T if symmetry == "symmetric" else random)
    scipy.io.mmwrite(tmp_path / "g.mtx", matrix, field=field, symmetry=symmetry)
    graph = as_graph(tmp_path / "g.mtx", directed=symmetry == "general")
    np.testing.assert_array_equal(graph.adjacency.toarray(), scipy.io.mmread(tmp_path / "g.mtx").toarray())


COORDINATE = "%%MatrixMarket matrix coordinate real general\n"

BAD = [
    ("skew", "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 1\n", "line 1: .*, got skew-symmetric"),
    ("hermitian", "%%MatrixMarket matrix coordinate real hermitian\n2 2 1\n2 1 1\n", "line 1: .*, got hermitian"),
    ("complex", "%%MatrixMarket matrix coordinate complex general\n2 2 1\n2 1 1 1\n", "line 1: .*, got complex"),
    ("not square", COORDINATE + "2 3 1\n2 1 1\n", r"g.mtx: adjacency: expected a square matrix, got shape \(2, 3\)"),
    ("out of range", COORDINATE + "2 2 1\n5 1 1\n", "index 5 is out of range; expected 1 to 2"),
    ("zero index", COORDINATE + "2 2 1\n0 1 1\n", "index 0 is out of range; expected 1 to 2"),
    ("too few", COORDINATE + "2 2 2\n2 1 1\n", "expected 2 entries as in the header, got 1; it may be truncated"),
    ("too many", COORDINATE + "2 2 1\n2 1 1\n1 2 1\n", "expected 1 entries as in the header, got more"),
    ("bad sizes", COORDINATE + "2 2\n2 1 1\n", "line 2: expected the number of rows, columns, entries, got '2 2'"),
    ("no sizes", COORDINATE + "% c\n", "cannot be read as a Matrix Market file"),
    ("no value", COORDINATE + "2 2 1\n2 1\n", "cannot be read as a Matrix Market file"),
    ("not a number", COORDINATE + "2 2 1\n2 1 x\n", "cannot be read as a Matrix Market file"),
    ("NUL", COORDINATE + "2 2 1\n2 1 1\0\n", "cannot be read as a Matrix Market file"),
    ("no banner", "2 2 1\n2 1 1\n", "line 1: expected a first line such as"),
    ("negative", COORDINATE + "2 2 1\n2 1 -1\n", "weights: expected numbers ≥ 0"),
]


@pytest.mark.parametrize(("text", "message"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_bad_files(text: str, message: str, write: Write) -> None:
    with pytest.raises(ValueError, match=message):
        as_graph(write("g.mtx", text))


@pytest.mark.parametrize(
    ("sizes", "layout", "message"),
    [
        ("2147483647 2147483647 1", "coordinate real symmetric", "claims to have 2,147,483,647 nodes"),
        ("9223372036854775808 9223372036854775808 1", "coordinate real general", r"g\.mtx: claims to have 9,223"),
        ("9 9 9223372036854775806", "coordinate real general", "the file is too short for them"),
        ("9 9 99999999999999999999999", "coordinate real general", "expected the number of rows, columns, entries"),
        ("2000000 2000000", "array real symmetric", "the file is too short for them"),
        ("3000 3000", "array real general", "expected 9,000,000 entries as in the header, but the file is too short"),
    ],
)
def test_claims_are_compared_with_the_file(sizes: str, layout: str, message: str, write: Write) -> None:
    with pytest.raises(ValueError, match=message):
        as_graph(write("g.mtx", f"%%MatrixMarket matrix {layout}\n{sizes}\n1 2 1\n"))


@pytest.mark.parametrize("end", ["", "\n"])
def test_the_shortest_file_is_not_taken_for_a_claim(end: str, write: Write) -> None:
    assert (
        as_graph(write("g.mtx", f"%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1{end}")).num_edges == 1
    )
    assert as_graph(write("g.mtx", f"%%MatrixMarket matrix array real symmetric\n2 2\n0\n1\n0{end}")).num_edges == 1


def test_blank_lines_are_skipped(write: Write) -> None:
    path = write("g.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n\n3 3 2\n\n2 1\n\n3 2\n\n")
    assert as_graph(path).num_edges == 2
