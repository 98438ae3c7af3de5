from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from hoscpool.datasets.bench_hard import read_bench
from hoscpool.datasets.dataset_catalog import dataset_info
from hoscpool.datasets.loading import load_graphs

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


def test_inconsistent_matrices_are_refused(tmp_path: Path) -> None:
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
