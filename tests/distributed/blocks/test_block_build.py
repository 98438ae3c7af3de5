"""The build of blocks: the same nodes and edges as in memory, from any source, completely or not at all."""

from __future__ import annotations

import gzip
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import hoscpool as hp
from block_cases import GRAPHS, edges_in, edges_of, graph_named
from hoscpool.distributed import build_blocks, open_blocks
from hoscpool.distributed.blocks import INTERPRETER
from hoscpool.distributed.blocks import block_build as module
from hoscpool.graph.readers import edge_list_fast, edge_stream
from hoscpool.support.errors import GraphWarning, MemoryEstimateError


@pytest.fixture
def streaming(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small files are read like large ones, a few edges at a time."""
    monkeypatch.setattr(edge_list_fast, "LARGE", 1)
    monkeypatch.setattr(edge_list_fast, "BLOCK", 64)
    monkeypatch.setattr(edge_stream, "PART", 7)


@pytest.mark.parametrize(("name", "num_ranges"), [*product(GRAPHS, [1, 3, 8]), ("hub", 20)])
def test_blocks_hold_the_graph(name: str, num_ranges: int, tmp_path: Path) -> None:
    graph = graph_named(name)
    blocks = build_blocks(graph, tmp_path / "blocks", num_ranges=num_ranges)
    assert edges_of(blocks) == edges_in(graph)
    assert (blocks.num_nodes, blocks.num_edges, blocks.num_ranges) == (graph.num_nodes, graph.num_edges, num_ranges)
    np.testing.assert_array_equal(blocks.degree, graph.degree[blocks.order])
    assert (np.diff(blocks.degree) >= 0).all()
    for a, b in blocks.pairs:
        block = blocks.block(a, b)
        rows = np.repeat(np.arange(len(block.indptr) - 1), np.diff(block.indptr))
        assert blocks.shape.edges[a, b] == len(block.indices)
        assert blocks.widths[a, b] == np.diff(block.indptr).max(initial=0)
        if a == b:
            assert (rows < block.indices).all()
    blocks.verify()


def random_ends(seed: int, nodes: int = 40, edges: int = 300) -> Any:
    """Edges with self-loops and repetitions; node 7 has only a self-loop."""
    ends = np.random.default_rng(seed).integers(8, nodes, (edges, 2))
    return np.concatenate([ends, [[7, 7]]])


def write_text(path: Path, ends: Any, line: str, head: str = "") -> Path:
    content = (head + "".join(line.format(*map(int, row)) for row in ends)).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


TEXTS = {
    "plain.csv": ("{},{}\n", ""),
    "header.tsv": ("{}\t{}\n", "source\ttarget\n"),
    "far-apart.txt": ("{0}00000000 {1}00000000\n", ""),
    "negative.csv": ("-{},{}\n", ""),
    "zipped.csv.gz": ("{},{}\n", "source,target\n"),
    "names.csv": ("n{},n{}\n", "source,target\n"),
    "late-names.csv": ("{},{}\n", "1,2\n"),
    "first-line-is-an-edge.csv": ("n{},n{}\n", "x,y\n"),
    "quoted.csv": ('"n{}",n{}\n', ""),
    "weights.csv": ("{0},{1},{0}.5\n", "source,target,weight\n"),
}


@pytest.mark.usefixtures("streaming")
@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.filterwarnings("ignore::hoscpool.support.errors.GraphWarning")
def test_a_text_file_is_read_as_in_memory(name: str, tmp_path: Path) -> None:
    line, head = TEXTS[name]
    path = write_text(tmp_path / name, random_ends(3), line, head)
    if name == "late-names.csv":
        with path.open("a") as file:
            file.write("9,last one\n")
    graph = hp.as_graph(path)
    blocks = build_blocks(path, tmp_path / "blocks", num_ranges=3)
    assert edges_of(blocks) == edges_in(graph)
    assert list(blocks.names) == list(graph.names)
    assert list(map(type, blocks.names)) == list(map(type, graph.names))
    assert [note for note in graph.notes if "header" in note] == [note for note in blocks.notes if "header" in note]


@pytest.mark.usefixtures("streaming")
@pytest.mark.parametrize("kind", ["integers", "names", "weights"])
@pytest.mark.filterwarnings("ignore::hoscpool.support.errors.GraphWarning")
def test_a_parquet_file_is_read_as_in_memory(kind: str, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    import pandas as pd

    ends = random_ends(4)
    table = pd.DataFrame(ends, columns=["source", "target"])
    if kind == "names":
        table = table.astype(str).radd("n")
    if kind == "weights":
        table["weight"] = np.arange(len(table)) % 3 * 0.5
    table.to_parquet(tmp_path / "g.parquet")
    graph = hp.as_graph(tmp_path / "g.parquet")
    blocks = build_blocks(tmp_path / "g.parquet", tmp_path / "blocks", num_ranges=2)
    assert edges_of(blocks) == edges_in(graph)
    assert list(blocks.names) == list(graph.names)


@pytest.mark.usefixtures("streaming")
@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
@pytest.mark.parametrize("compressed", [True, False])
def test_a_matrix_is_read_as_in_memory(form: str, compressed: bool, tmp_path: Path) -> None:
    matrix = sp.random_array((50, 50), density=0.1, random_state=np.random.default_rng(0), format="coo")
    matrix = matrix + matrix.T
    sp.save_npz(tmp_path / "g.npz", matrix.asformat(form), compressed=compressed)
    with pytest.warns(GraphWarning, match="self-loop"):
        graph = hp.as_graph(tmp_path / "g.npz")
    with pytest.warns(GraphWarning, match="self-loop"):
        blocks = build_blocks(tmp_path / "g.npz", tmp_path / "blocks", num_ranges=2)
    assert edges_of(blocks) == edges_in(graph)
    assert blocks.num_nodes == 50
    assert "an edge that is given in both directions counts once" in blocks.notes


CSR = {"format": "csr", "shape": [3, 3], "data": [1, 1], "indices": [1, 0], "indptr": [0, 1, 2, 2]}
BAD_MATRICES: dict[str, tuple[dict[str, Any], str]] = {
    "another format": ({"format": "bsr"}, "expected a CSR, CSC or COO matrix"),
    "no matrix": ({"format": None}, "expected a CSR, CSC or COO matrix"),
    "an index beyond": ({"indices": [1, 3]}, "an index is not a whole number from 0 to 2"),
    "fractions as indices": ({"indices": [1.5, 0.0]}, "an index is not a whole number"),
    "decreasing pointers": ({"indptr": [0, 2, 1, 2]}, "its row pointers are damaged"),
    "too few indices": ({"indices": [1]}, "its arrays have different lengths"),
    "a table of data": ({"data": [[1, 1]]}, "array 'data': expected a vector of real numbers"),
    "not square": ({"shape": [3, 4]}, "expected a square matrix"),
    "a negative weight": ({"data": [1, -1]}, "weights: expected finite numbers ≥ 0"),
}


@pytest.mark.parametrize("case", BAD_MATRICES)
def test_a_damaged_matrix(case: str, tmp_path: Path) -> None:
    change, message = BAD_MATRICES[case]
    arrays = {name: value for name, value in (CSR | change).items() if value is not None}
    arrays["format"] = np.array(arrays["format"].encode()) if "format" in arrays else np.array(0)
    arrays = {name: np.asarray(value) for name, value in arrays.items() if change.get(name, 0) is not None}
    np.savez(tmp_path / "g.npz", **arrays)
    with pytest.raises(ValueError, match=message):
        build_blocks(tmp_path / "g.npz", tmp_path / "blocks")
    assert [path.name for path in tmp_path.iterdir()] == ["g.npz"]


@pytest.mark.usefixtures("streaming")
@pytest.mark.filterwarnings("ignore::hoscpool.support.errors.GraphWarning")
def test_names_with_rare_spaces_are_read_by_the_exact_reader(tmp_path: Path) -> None:
    path = tmp_path / "g.csv"
    path.write_text("".join(f"n\u00a0{i},n\u00a0{j}\n" for i, j in random_ends(1).tolist()), encoding="utf-8")
    graph, blocks = hp.as_graph(path), build_blocks(path, tmp_path / "blocks", num_ranges=2)
    assert edges_of(blocks) == edges_in(graph)
    assert list(blocks.names) == list(graph.names)


@pytest.mark.usefixtures("streaming")
def test_what_is_dropped_is_counted_and_said(tmp_path: Path) -> None:
    path = tmp_path / "g.csv"
    path.write_text("source,target,weight\n1,2,1\n2,1,3\n1,2,1\n3,3,1\n2,3,0\n3,1,2\n")
    with pytest.warns(GraphWarning) as caught:
        blocks = build_blocks(path, tmp_path / "blocks")
    said = {str(warning.message) for warning in caught}
    assert said == {"1 self-loop was dropped.", "1 edge of weight 0 was dropped.", "2 repeated edges were merged."}
    assert blocks.num_edges == 2
    assert {text + "." for text in blocks.notes} >= said


def test_a_directed_graph_loses_its_directions(tmp_path: Path) -> None:
    graph = hp.as_graph((np.array([[0, 1, 1], [1, 0, 2]]), 4), directed=True)
    assert edges_of(build_blocks(graph, tmp_path / "blocks")) == [(0, 1), (1, 2)]


def test_names_of_any_kind_are_kept(tmp_path: Path) -> None:
    graph = hp.as_graph([("a", "b"), ("b", 'c,"\n'), (5, "a"), ("\ud83d", "北")])
    assert list(build_blocks(graph, tmp_path / "blocks").names) == ["a", "b", 'c,"\n', 5, "\ud83d", "北"]


def test_a_build_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(module, "write_manifest", fail)
    with pytest.raises(OSError, match="no space left"):
        build_blocks(graph_named("random"), tmp_path / "blocks")
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_build_left_is_removed(tmp_path: Path) -> None:
    left = tmp_path / ".blocks.999999999-0a0b0c0d.part"
    left.mkdir()
    (left / "edges").write_bytes(b"1234")
    build_blocks(graph_named("random"), tmp_path / "blocks")
    assert [path.name for path in tmp_path.iterdir()] == ["blocks"]


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    build_blocks(graph_named("random"), tmp_path / "blocks")
    with pytest.raises(FileExistsError, match="is there already; remove it, or give the name of a new folder"):
        build_blocks(graph_named("star"), tmp_path / "blocks")
    with pytest.raises(FileNotFoundError, match="does not exist; create it first"):
        build_blocks(graph_named("star"), tmp_path / "no" / "blocks")
    assert open_blocks(tmp_path / "blocks").num_nodes == 60


@pytest.mark.parametrize(
    ("memory", "message"),
    [("much", "expected a size in bytes"), ("100 MB", "expected more than 300 MB.*allow 500 MB or more")],
)
def test_a_wrong_memory_is_refused(memory: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message):
        build_blocks(graph_named("star"), tmp_path / "blocks", memory=memory)
    with pytest.raises(ValueError, match="num_ranges: expected 1 to 128, got 0"):
        build_blocks(graph_named("star"), tmp_path / "blocks", num_ranges=0)


def test_too_many_nodes_for_the_memory(tmp_path: Path) -> None:
    graph = hp.as_graph((np.array([[0], [1]]), 1_000_000), directed=False)
    with pytest.raises(
        MemoryEstimateError, match=r"the build of blocks of 1,000,000 nodes needs about .* allow memory="
    ):
        build_blocks(graph, tmp_path / "blocks", memory=INTERPRETER + 1_000_000)
    assert list(tmp_path.iterdir()) == []
