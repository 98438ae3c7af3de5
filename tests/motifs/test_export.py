"""Matrices as files: what is read back is what was written, and nothing is left behind on failure."""

from __future__ import annotations

import csv
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
import torch

import hoscpool as hp
from hoscpool.motifs import export, to_torch


@pytest.fixture
def matrix() -> sp.csr_array:
    return hp.motif_adjacency(nx.karate_club_graph(), "triangle")


@pytest.mark.parametrize("name", ["m.csv", "m.tsv", "m.txt", "m.mtx", "m.npz"])
def test_round_trip_through_our_own_readers(tmp_path: Path, matrix: sp.csr_array, name: str) -> None:
    names = [f"node {i}" for i in range(34)] if name != "m.txt" else [f"n{i}" for i in range(34)]
    written = export.write_matrix(tmp_path / name, matrix, names)
    assert written[0] == tmp_path / name
    back = hp.as_graph(tmp_path / name)
    assert sorted(back.weights.tolist()) == sorted(matrix.data.tolist())  # type: ignore[union-attr]
    assert sorted(tmp_path.iterdir()) == sorted(written), "no temporary file is left"


def test_matrix_formats(tmp_path: Path, matrix: sp.csr_array) -> None:
    export.write_matrix(tmp_path / "m.npz", matrix, None)
    assert (sp.load_npz(tmp_path / "m.npz") != matrix).nnz == 0
    files = export.write_matrix(tmp_path / "m.mtx", matrix, ["a", *map(str, range(1, 34))])
    assert (sp.csr_array(scipy.io.mmread(tmp_path / "m.mtx")) != matrix).nnz == 0
    assert files[1].read_text().splitlines()[:3] == ["index,node", "0,a", "1,1"]


def test_edge_list_quotes_names(tmp_path: Path, matrix: sp.csr_array) -> None:
    names = [f'He said "{i}", twice' for i in range(34)]
    export.write_matrix(tmp_path / "m.csv", matrix, names)
    with (tmp_path / "m.csv").open(newline="") as file:
        first = list(csv.reader(file))[1]
    assert first == [names[0], names[1], "7"]


def test_names_that_begin_like_a_comment_come_back(tmp_path: Path, matrix: sp.csr_array) -> None:
    names = [f"{'#%'[i % 2]}{i}" for i in range(34)]
    export.write_matrix(tmp_path / "m.csv", matrix, names)
    assert hp.as_graph(tmp_path / "m.csv").num_edges == matrix.nnz // 2


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, matrix: sp.csr_array, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.npz"
    path.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(sp, "save_npz", fail)
    with pytest.raises(OSError, match="disk full"):
        export.write_matrix(path, matrix, None)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("target", "error", "message"),
    [
        ("m.xlsx", ValueError, r"valid extensions: \.npz, \.mtx"),
        ("missing/m.npz", FileNotFoundError, "does not exist"),
        ("folder.npz", IsADirectoryError, "is a folder"),
    ],
)
def test_bad_targets(tmp_path: Path, target: str, error: type[Exception], message: str) -> None:
    (tmp_path / "folder.npz").mkdir()
    with pytest.raises(error, match=message):
        export.check_target(tmp_path / target)


def test_as_torch() -> None:
    graph = nx.karate_club_graph()
    matrix, tensor = hp.motif_adjacency(graph, "triangle"), hp.motif_adjacency(graph, "triangle", as_torch=True)
    assert tensor.is_coalesced()
    assert tensor.dtype == torch.float32
    np.testing.assert_array_equal(tensor.to_dense().numpy(), matrix.toarray())
    empty = hp.motif_adjacency(nx.path_graph(3), "triangle", as_torch=True)
    assert empty.shape == (3, 3)
    assert empty.values().numel() == 0
    large = to_torch(sp.csr_array([[0, 2**24 + 1], [2**24 + 1, 0]]))
    assert large.dtype == torch.float64
    assert large.to_dense()[0, 1] == 2**24 + 1
