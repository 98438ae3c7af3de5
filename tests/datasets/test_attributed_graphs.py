from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from hoscpool.datasets.attributed_graphs import AttributedGraph, read_attributed_npz, read_bench, read_planetoid
from hoscpool.datasets.dataset_catalog import dataset_info
from hoscpool.datasets.loading import load, load_graphs
from hoscpool.datasets.reading import open_with_pyg

PICKLES = ("x", "tx", "allx", "y", "ty", "ally", "graph")


def write_planetoid(folder: Path) -> Path:
    """Six nodes: three at first, two for tests in the order 5, 3, and node 4 in neither; arcs repeated, one loop."""
    folder.mkdir(parents=True)
    words = np.array([[1, 0, 2], [0, 0, 0], [0, 3, 0], [4, 0, 0], [0, 5, 6]], dtype=np.float32)
    classes = np.eye(2, dtype=np.int32)[[0, 1, 1, 1, 0]]
    parts: dict[str, Any] = {
        "x": sp.csr_matrix(words[:1]),
        "allx": sp.csr_matrix(words[:3]),
        "tx": sp.csr_matrix(words[3:]),
        "y": classes[:1],
        "ally": classes[:3],
        "ty": classes[3:],
        "graph": defaultdict(list, {0: [1, 1, 0], 1: [0, 5], 2: [], 3: [], 4: [], 5: [1]}),
    }
    for name, part in parts.items():
        (folder / f"ind.tiny.{name}").write_bytes(pickle.dumps(part, 2))
    (folder / "ind.tiny.test.index").write_text("5\n3\n")
    return folder


def arcs(graph: AttributedGraph) -> list[tuple[int, int]]:
    return list(zip(graph.rows.tolist(), graph.cols.tolist(), strict=True))


def test_planetoid_by_hand(tmp_path: Path) -> None:
    graph = read_planetoid(write_planetoid(tmp_path / "raw"), "Tiny")
    assert arcs(graph) == [(0, 1), (1, 0), (1, 5), (5, 1)]
    assert graph.labels.tolist() == [0, 1, 1, 0, 0, 1]
    expected = [[1, 0, 2], [0, 0, 0], [0, 3, 0], [0, 5, 6], [0, 0, 0], [4, 0, 0]]
    np.testing.assert_array_equal(graph.features.toarray(), expected)
    assert (graph.features.dtype, graph.features.nnz, graph.features.indices.dtype) == (np.float32, 6, np.int32)


@pytest.mark.data
@pytest.mark.parametrize("name", ["cora", "citeseer", "pubmed", "photo", "pc", "cs", "dblp"])
def test_the_values_are_those_of_pyg(name: str, data_root: Path, tmp_path: Path) -> None:
    info = dataset_info(name)
    folder = data_root / str(info.folder) / "raw"
    is_planetoid = info.pyg_class == "Planetoid"
    graph = (
        read_planetoid(folder, str(info.pyg_name)) if is_planetoid else read_attributed_npz(folder / info.raw_files[0])
    )
    data = open_with_pyg(info, folder, tmp_path)[0]
    expected = sp.csr_array(data.x.numpy().astype(np.float32, copy=False))
    for part in ("data", "indices", "indptr"):
        found, wanted = getattr(graph.features, part), getattr(expected, part)
        np.testing.assert_array_equal(found, wanted)
        assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(graph.labels, data.y.numpy())
    rows, cols = data.edge_index.numpy()
    assert set(arcs(graph)) == set(zip(rows.tolist(), cols.tolist(), strict=True))
    assert len(graph.rows) == len(rows)


class Bomb:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize("part", PICKLES)
def test_a_hostile_pickle_is_refused_by_name(part: str, tmp_path: Path) -> None:
    folder, victim = write_planetoid(tmp_path / "raw"), tmp_path / "made-by-the-pickle"
    matrix = sp.csr_matrix(np.eye(2))
    vars(matrix)["indptr"] = Bomb(victim)
    for bomb in (Bomb(victim), {0: [Bomb(victim)]}, matrix):
        (folder / f"ind.tiny.{part}").write_bytes(pickle.dumps(bomb, 2))
        with pytest.raises(ValueError, match=rf"ind\.tiny\.{part}: expected"):
            read_planetoid(folder, "tiny")
    assert not victim.exists()


@pytest.mark.parametrize("part", ["x", "allx", "tx"])
def test_inconsistent_matrices_are_refused(part: str, tmp_path: Path) -> None:
    folder, matrix = write_planetoid(tmp_path / "raw"), sp.csr_matrix(np.eye(3))
    matrix.indptr = np.array([0, 2, 10**9, 0], dtype=np.int32)
    (folder / f"ind.tiny.{part}").write_bytes(pickle.dumps(matrix, 2))
    with pytest.raises(ValueError, match=rf"ind\.tiny\.{part}: indptr: expected pointers that never decrease"):
        read_planetoid(folder, "tiny")


@pytest.mark.parametrize(
    "places",
    [b"", b"5\n", b"5\n5\n", b"5\n1\n", b"-1\n3\n", b"99999999999\n3\n", b"a\nb\n", b"\xff\n3\n",
     b"2147483646\n3\n", b"9" * 5000 + b"\n3\n", pickle.dumps({5: 3}, 2)],
)  # fmt: skip
def test_test_nodes_out_of_place_are_refused(places: bytes, tmp_path: Path) -> None:
    folder = write_planetoid(tmp_path / "raw")
    (folder / "ind.tiny.test.index").write_bytes(places)
    with pytest.raises(ValueError, match=r"ind\.tiny\.test\.index: (expected|claims)"):
        read_planetoid(folder, "tiny")


@pytest.mark.parametrize(
    ("part", "value"),
    [("ally", np.eye(2)), ("ty", np.ones(2)), ("ty", np.ones((2, 0))), ("tx", sp.csr_matrix(np.ones((2, 4))))],
)
def test_parts_that_do_not_fit_are_refused_by_name(part: str, value: Any, tmp_path: Path) -> None:
    folder = write_planetoid(tmp_path / "raw")
    (folder / f"ind.tiny.{part}").write_bytes(pickle.dumps(value, 2))
    with pytest.raises(ValueError, match=rf"ind\.tiny\.{part}: expected"):
        read_planetoid(folder, "tiny")


def test_arcs_out_of_range_are_refused(tmp_path: Path) -> None:
    folder = write_planetoid(tmp_path / "raw")
    (folder / "ind.tiny.graph").write_bytes(pickle.dumps({0: [6]}, 2))
    with pytest.raises(ValueError, match="node index 6 of edge 0 is out of range"):
        read_planetoid(folder, "tiny")


def parts_of(prefix: str, matrix: sp.csr_array) -> dict[str, Any]:
    names = ("data", "indices", "indptr", "shape")
    return {f"{prefix}_{name}": np.array(getattr(matrix, name)) for name in names}


def test_an_attributed_npz(tmp_path: Path) -> None:
    adjacency = sp.csr_array(([1.0, 1, 1, 0], ([0, 0, 1, 2], [1, 0, 0, 1])), shape=(3, 3))
    words = sp.csr_array(([2.0, 0.0, -1.0], ([0, 1, 2], [1, 0, 1])), shape=(3, 2))
    np.savez(tmp_path / "g.npz", labels=np.array([0, 1, 1]), **parts_of("adj", adjacency), **parts_of("attr", words))
    graph = read_attributed_npz(tmp_path / "g.npz")
    assert arcs(graph) == [(0, 1), (1, 0), (1, 2), (2, 1)]
    np.testing.assert_array_equal(graph.features.toarray(), [[0, 1], [0, 0], [0, -1]])
    assert (graph.features.nnz, graph.labels.tolist()) == (2, [0, 1, 1])


@pytest.mark.parametrize("prefix", ["adj", "attr"])
@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("indptr", np.array([0, 2, 10**9, 0])),
        ("indptr", np.array([0.0, 1, 2, 3])),
        ("indices", np.array([0, 1, 10**9])),
        ("indices", np.array([0, 1, -1])),
        ("data", np.ones(9)),
        ("shape", np.array([10**9, 3])),
        ("data", np.array([Bomb(Path("made-by-the-pickle"))] * 3, dtype=object)),
    ],
)
def test_hostile_npz_files_are_refused(prefix: str, part: str, value: Any, tmp_path: Path) -> None:
    matrix = sp.csr_array(np.eye(3))
    arrays = parts_of("adj", matrix) | parts_of("attr", matrix) | {f"{prefix}_{part}": value}
    np.savez(tmp_path / "g.npz", labels=np.arange(3), **arrays)
    with pytest.raises(ValueError, match=r"."):
        read_attributed_npz(tmp_path / "g.npz")
    assert not Path("made-by-the-pickle").exists()


@pytest.mark.data
def test_no_command_runs_from_a_data_root(data_root: Path, tmp_path: Path) -> None:
    raw = tmp_path / "data/Planetoid/Cora/raw"
    shutil.copytree(data_root / "Planetoid/Cora/raw", raw)
    assert load("cora", tmp_path / "data").num_nodes == 2708
    victim = tmp_path / "made-by-the-pickle"
    (raw / "ind.cora.x").write_bytes(pickle.dumps(Bomb(victim), 2))
    command = [sys.executable, "-m", "hoscpool", "motifs", "cora", "--data-root", str(tmp_path / "data")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 2, done.stderr
    assert "ind.cora.x: expected a CSR matrix, got posix.mkdir" in done.stderr
    assert not victim.exists()


SIZES = {"tr": 2, "val": 1, "te": 1}


def objects(items: list[Any]) -> np.ndarray[Any, Any]:
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array


def write(path: Path, **replaced: Any) -> Path:
    """A file like the published one: paths of 3 nodes, class = number of the graph modulo 3."""
    graph = sp.csr_matrix(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=np.float32))
    arrays: dict[str, Any] = {}
    for prefix, size in SIZES.items():
        arrays[f"{prefix}_adj"] = objects([graph] * size)
        arrays[f"{prefix}_feat"] = objects([np.eye(3, 5, dtype=np.float32)] * size)
        arrays[f"{prefix}_class"] = np.eye(3, dtype=np.float32)[np.arange(size)]
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, **arrays | replaced)
    return path


def test_reads_what_numpy_would_read(tmp_path: Path) -> None:
    graphs = read_bench(write(tmp_path / "hard_small.npz"))
    assert [split for split, _, _, _ in graphs] == ["train", "train", "val", "test"]
    assert [label for _, _, _, label in graphs] == [0, 1, 0, 0]
    for _, adjacency, features, _ in graphs:
        np.testing.assert_array_equal(adjacency.toarray(), [[0, 1, 0], [1, 0, 1], [0, 1, 0]])
        np.testing.assert_array_equal(features, np.eye(3, 5))


class Malicious:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return os.mkdir, (str(self.path),)


def test_a_malicious_pickle_is_refused_and_not_run(tmp_path: Path) -> None:
    victim = tmp_path / "made-by-the-pickle"
    path = write(tmp_path / "hard_small.npz", tr_adj=objects([Malicious(victim)] * 2))
    with pytest.raises(ValueError, match=r"cannot be read as a benchmark file.*expected a CSR matrix, got posix.mkdir"):
        read_bench(path)
    assert not victim.exists()


@pytest.mark.parametrize("part", ["adj", "feat", "class"])
def test_a_crafted_type_is_refused(part: str, tmp_path: Path) -> None:
    """Records of pointers over bytes of the file: NumPy would follow them."""

    class Crafted:
        def __reduce__(self) -> tuple[Any, ...]:
            fields = (3, "|", None, ("a",), {"a": (np.dtype("O"), 0)}, 8, 1, 0)
            state = (1, (1,), Typed(fields), False, b"A" * 8)
            return np.empty(0).__reduce__()[0], (np.ndarray, (0,), b"b"), state

    class Typed:
        def __init__(self, state: tuple[Any, ...]) -> None:
            self.state = state

        def __reduce__(self) -> tuple[Any, ...]:
            return np.dtype, ("V8", False, True), self.state

    path = write(tmp_path / "hard_small.npz", **{f"tr_{part}": objects([Crafted(), Crafted()])})
    with pytest.raises(ValueError, match="cannot be read as a benchmark file"):
        read_bench(path)


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "hard_small.npz")
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(ValueError, match="cannot be read as a benchmark file"):
        read_bench(path)


def test_inconsistent_matrices_are_refused_bench_hard(tmp_path: Path) -> None:
    bad = sp.csr_matrix(np.ones((3, 3), dtype=np.float32))
    bad.indices = bad.indices + 7
    falling = sp.csr_matrix(np.ones((3, 3), dtype=np.float32))
    falling.indptr = np.array([0, 2, 10**9, 0], dtype=np.int32)
    for matrix in (bad, falling):
        with pytest.raises(ValueError, match="cannot be read as a benchmark file"):
            read_bench(write(tmp_path / "a.npz", tr_adj=objects([matrix, matrix])))


def test_dense_adjacencies_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="expected a CSR matrix, got a NumPy array"):
        read_bench(write(tmp_path / "a.npz", tr_adj=objects([np.eye(3), np.eye(3)])))


def test_the_full_file_is_preferred(tmp_path: Path, cache: Path) -> None:
    folder = tmp_path / str(dataset_info("bench-hard").folder) / "raw"
    write(folder / "hard.npz")
    graphs = load_graphs("bench-hard", tmp_path)
    assert [graph.split for graph in graphs] == ["train", "train", "val", "test"]
    assert graphs[0].num_nodes == 3
    assert cache.exists()


def test_a_small_file_of_other_counts_is_refused(tmp_path: Path, cache: Path) -> None:
    write(tmp_path / str(dataset_info("bench-hard").folder) / "raw" / "hard_small.npz")
    with pytest.raises(ValueError, match=r"hold 4 graphs \(expected 300\)"):
        load_graphs("bench-hard", tmp_path)
    assert not cache.exists(), "nothing wrong is kept"
