"""Every entrance refuses matrices whose arrays would lead compiled code out of its memory."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import torch

from hoscpool import HoscClustering, as_graph
from hoscpool.graph.sparse_structure import check_compressed, check_structure, without_diagonal
from hoscpool.objectives import as_adjacency

COMPRESSED = {
    "falls, and ends at 0": ([0, 2, 2, 10**9, 0], [2, 3, 0, 1, 2, 3, 1, 2]),
    "falls": ([0, 900, 2, 3, 4], [1, 0, 3, 2]),
    "does not begin at 0": ([1, 1, 2, 3, 4], [1, 0, 3, 2]),
    "is negative": ([0, -5, 2, 3, 4], [1, 0, 3, 2]),
    "ends beyond the arrays": ([0, 1, 2, 3, 900], [1, 0, 3, 2]),
    "is too short": ([0, 1, 4], [1, 0, 3, 2]),
    "index too large": ([0, 1, 2, 3, 4], [1, 0, 4, 2]),
    "index negative": ([0, 1, 2, 3, 4], [1, 0, -1, 2]),
    "unused index out of range": ([0, 0, 0, 0, 0], [10**9]),
    "more indices than values": ([0, 1, 2, 3, 4], [1, 0, 3, 2, 0]),
}
FILES: dict[str, dict[str, Any]] = {
    "fractions as pointers": {"indptr": np.array([0, 1, 2, 3, 4.0]), "indices": np.array([1, 0, 3, 2])},
    "fractions as indices": {"indptr": np.arange(5), "indices": np.array([1.5, 0, 3, 2])},
    "beyond int64": {"indptr": np.arange(5), "indices": np.array([1, 0, 2**64 - 1, 2], dtype=np.uint64)},
    "beyond int32": {"indptr": np.arange(5), "indices": np.array([1, 0, 2**32 + 1, 2])},
    "two dimensions": {"indptr": np.arange(5), "indices": np.array([[1, 0], [3, 2]])},
}


def count_values(case: str) -> int:
    return 4 if case.startswith("more") else len(COMPRESSED[case][1])


def evil(form: str, case: str) -> Any:
    """A matrix of shape 4 × 4 whose arrays were exchanged after SciPy made it."""
    matrix = getattr(sp, f"{form}_array")((4, 4), dtype=np.float64)
    matrix.indptr, matrix.indices = (np.array(part, dtype=np.int32) for part in COMPRESSED[case])
    matrix.data = np.ones((count_values(case), 1, 1) if form == "bsr" else count_values(case))
    return matrix


def altered(form: str, **arrays: Any) -> Any:
    matrix = getattr(sp, f"{form}_array")(np.eye(4, k=1) + np.eye(4, k=-1))
    for name, value in arrays.items():
        setattr(matrix, name, value)
    return matrix


def _other_formats() -> dict[str, Any]:
    far = (np.array([0, 10**9]), np.array([1, 0]))
    lists = altered("lil")
    lists.rows[0] = [10**9]
    longer = altered("lil")
    longer.data[0] = [1.0] * 1000
    return {
        "COO row": altered("coo", coords=far, data=np.ones(2)),
        "COO lengths": altered("coo", coords=(np.arange(2), np.arange(2)), data=np.ones(1)),
        "COO fractions": altered("coo", coords=(np.array([0.5]), np.array([1])), data=np.ones(1)),
        "DIA offset": altered("dia", offsets=np.array([2**32 + 1, -1])),
        "DIA lengths": altered("dia", offsets=np.array([1, -1, 2])),
        "LIL index": lists,
        "LIL lengths": longer,
        "BSR blocks": altered("bsr", data=np.ones((4, 3, 3))),
        "BSR empty blocks": altered("bsr", data=np.ones((4, 0, 2))),
        "CSR values": altered("csr", data=np.ones((6, 2))),
    }


OTHER = _other_formats()
ENTRANCES: dict[str, Callable[[Any], Any]] = {
    "as_graph": as_graph,
    "features": lambda matrix: as_graph((np.array([[0], [1]]), 4), directed=False, features=matrix),
    "as_adjacency": as_adjacency,
    "fit": lambda matrix: HoscClustering(2).fit(matrix),
}


@pytest.mark.parametrize("entrance", ENTRANCES)
@pytest.mark.parametrize("case", COMPRESSED)
@pytest.mark.parametrize("form", ["csr", "csc", "bsr"])
def test_compressed_matrices(form: str, case: str, entrance: str) -> None:
    with pytest.raises(ValueError, match=f"the {form.upper()} index arrays are inconsistent"):
        ENTRANCES[entrance](evil(form, case))


@pytest.mark.parametrize("entrance", ENTRANCES)
@pytest.mark.parametrize("case", OTHER)
def test_other_formats(case: str, entrance: str) -> None:
    with pytest.raises(ValueError, match=f"the {case[:3]} index arrays are inconsistent"):
        ENTRANCES[entrance](OTHER[case])


@pytest.mark.parametrize("entrance", ENTRANCES)
@pytest.mark.parametrize("layout", [torch.sparse_csr_tensor, torch.sparse_csc_tensor])
@pytest.mark.parametrize("case", ["falls", "index too large", "falls, and ends at 0"])
def test_torch_tensors(case: str, layout: Any, entrance: str) -> None:
    indptr, indices = map(torch.tensor, COMPRESSED[case])
    tensor = layout(indptr, indices, torch.ones(len(indices)), (4, 4), check_invariants=False)
    with pytest.raises(ValueError, match="index arrays are inconsistent"):
        ENTRANCES[entrance](tensor)


def write(path: Path, form: str, **parts: Any) -> Path:
    data = np.ones((4, 1, 1) if form == "bsr" else 4)
    np.savez(path, **{"format": np.array(form), "shape": np.array([4, 4]), "data": data, **parts})
    return path


@pytest.mark.parametrize("case", [*COMPRESSED, *FILES])
@pytest.mark.parametrize("form", ["csr", "csc", "bsr"])
def test_files(form: str, case: str, tmp_path: Path) -> None:
    if case in FILES:
        parts = FILES[case]
    else:
        indptr, indices = map(np.array, COMPRESSED[case])
        count = count_values(case)
        parts = {"indptr": indptr, "indices": indices, "data": np.ones((count, 1, 1) if form == "bsr" else count)}
    path = write(tmp_path / "evil.npz", form, **parts)
    with pytest.raises(ValueError, match=r"evil\.npz: cannot be read as a SciPy sparse matrix"):
        as_graph(path)
    with pytest.raises(ValueError, match=r"evil\.npz: cannot be read as a SciPy sparse matrix"):
        as_graph((np.array([[0], [1]]), 4), directed=False, features=path)


@pytest.mark.parametrize(
    ("form", "parts"),
    [
        ("coo", {"row": np.array([0, 1, 2, 4]), "col": np.arange(4)}),
        ("coo", {"row": np.array([0, 1, 2, 0.5]), "col": np.arange(4)}),
        ("coo", {"coords": np.array([[0, 1, 2, 3], [0, 1, 2, -4]])}),
        ("dia", {"offsets": np.array([2**32 + 1]), "data": np.ones((1, 4))}),
        ("dia", {"offsets": np.array([0.5]), "data": np.ones((1, 4))}),
        ("lil", {}),
    ],
)
def test_files_of_other_formats(form: str, parts: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"evil\.npz: cannot be read as a SciPy sparse matrix"):
        as_graph(write(tmp_path / "evil.npz", form, **parts))


@pytest.mark.parametrize("form", ["csr", "csc", "bsr", "coo", "dia"])
@pytest.mark.parametrize("kind", ["array", "matrix"])
def test_good_files_are_read(form: str, kind: str, tmp_path: Path) -> None:
    dense = np.diag([1.0, 2.0, 3.0], k=1) + np.diag([1.0, 2.0, 3.0], k=-1)
    sp.save_npz(tmp_path / "g.npz", getattr(sp, f"{form}_{kind}")(dense))
    np.testing.assert_array_equal(as_graph(tmp_path / "g.npz").adjacency.toarray(), dense)


@pytest.mark.parametrize("form", ["csr", "csc", "bsr", "coo", "dia", "lil", "dok"])
def test_good_matrices_pass(form: str) -> None:
    dense = np.diag([1.0, 2.0, 3.0], k=1) + np.diag([1.0, 2.0, 3.0], k=-1)
    for matrix in (getattr(sp, f"{form}_array")(dense), getattr(sp, f"{form}_array")((4, 4), dtype=np.float64)):
        check_structure(matrix)
    np.testing.assert_array_equal(as_graph(getattr(sp, f"{form}_array")(dense)).adjacency.toarray(), dense)


def test_a_matrix_of_no_rows() -> None:
    check_compressed(np.zeros(1, dtype=np.int64), np.zeros(0), 0, 0, 0)


@pytest.mark.parametrize("command", [["motifs"], ["cluster", "-k", "2", "karate", "--features"]])
def test_the_command_line_answers_at_once(command: list[str], tmp_path: Path) -> None:
    indptr, indices = COMPRESSED["falls, and ends at 0"]
    parts = {"indptr": np.array(indptr, "i4"), "indices": np.array(indices, "i4"), "data": np.ones(8)}
    path = write(tmp_path / "evil.npz", "csr", **parts)
    run = [sys.executable, "-m", "hoscpool", *command, str(path)]
    done = subprocess.run(run, capture_output=True, text=True, timeout=60, cwd=tmp_path, check=False)
    assert (done.returncode, "evil.npz: cannot be read" in done.stderr) == (2, True), done.stderr


def test_a_matrix_without_its_diagonal() -> None:
    """Walks of a directed graph, of which a few diagonal entries are missing: there SciPy's ``setdiag`` was wrong."""
    A = np.random.default_rng(0).random((300, 300)) < 0.06
    walks = sp.csr_array(A.astype(np.int64)) @ sp.csr_array(A.astype(np.int64))
    expected = walks.toarray()
    assert 0 < (np.diag(expected) == 0).sum() < 300
    np.fill_diagonal(expected, 0)
    found = without_diagonal(walks)
    np.testing.assert_array_equal(found.toarray(), expected)
    assert found.dtype == np.int64
    assert found.nnz == np.count_nonzero(expected)
