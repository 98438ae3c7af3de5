"""Files that are missing, unknown, truncated or altered: a clear error each, never a traceback from a parser."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hoscpool import as_graph
from hoscpool.graph.readers import READERS

FORMATS = ["g.npz", "g.mtx", "g.mtx.gz", "g.graphml", "g.graphml.gz", "g.gml", "g.gml.gz", "g.csv", "g.csv.gz"]


def sound_file(path: Path) -> bytes:
    """A small sound graph file in the format of its extension, as bytes."""
    graph = nx.karate_club_graph()
    matrix = sp.coo_array(nx.to_scipy_sparse_array(graph))
    name = path.name.removesuffix(".gz")
    if name.endswith(".npz"):
        sp.save_npz(path, matrix.tocsr())
    elif name.endswith(".mtx"):
        scipy.io.mmwrite(path.with_name(name), matrix)
    elif name.endswith(".graphml"):
        nx.write_graphml(graph, path)
    elif name.endswith(".gml"):
        nx.write_gml(graph, path)
    else:
        path.with_name(name).write_text("source,target,weight\n" + "".join(f"{u},{v},2.5\n" for u, v in graph.edges))
    if not path.exists():
        path.write_bytes(gzip.compress(path.with_name(name).read_bytes()))
    return path.read_bytes()


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nowhere\.csv: no such file"):
        as_graph(tmp_path / "nowhere.csv")


def test_directory(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="expected a file, got a directory"):
        as_graph(tmp_path)


@pytest.mark.parametrize("extension", READERS)
def test_empty_file(extension: str, tmp_path: Path) -> None:
    path = tmp_path / f"g{extension}"
    path.touch()
    with pytest.raises(ValueError, match="the file is empty"):
        as_graph(path)


@pytest.mark.parametrize("name", ["g.doc", "g", "g.pkl", "g.gz"])
def test_unknown_extension_lists_the_known_ones(name: str, write: Callable[[str, str], Path]) -> None:
    with pytest.raises(ValueError, match=r"is not known; expected one of \.csv, \.tsv.*\.mtx"):
        as_graph(write(name, "1 2\n"))


def test_upper_case_extensions(write: Callable[[str, str], Path]) -> None:
    assert as_graph(write("G.CSV", "1,2\n")).num_edges == 1


@pytest.mark.parametrize("name", FORMATS)
def test_the_sound_file_is_sound(name: str, tmp_path: Path) -> None:
    sound_file(tmp_path / name)
    assert as_graph(tmp_path / name).num_edges == 78


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in ("g.csv",)])
@pytest.mark.parametrize("keep", [0.1, 0.5, 0.9])
def test_truncated_files(name: str, keep: float, tmp_path: Path) -> None:
    path = tmp_path / name
    data = sound_file(path)
    path.write_bytes(data[: int(len(data) * keep)])
    with pytest.raises(ValueError, match=rf"{name}"):
        as_graph(path)


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
@pytest.mark.filterwarnings("ignore")
def test_altered_files_are_read_or_refused(name: str, data: st.DataObject, tmp_path: Path) -> None:
    path = tmp_path / name
    content = bytearray(sound_file(path))
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content)
    try:
        graph = as_graph(path)
    except ValueError:
        return
    assert graph.indptr[-1] == len(graph.indices)
    assert graph.num_nodes < 10**6


def test_num_nodes_is_checked_and_names_are_set(tmp_path: Path) -> None:
    path = tmp_path / "g.npz"
    sp.save_npz(path, sp.csr_array([[0, 1], [1, 0]]))
    assert as_graph(path, num_nodes=2, node_names=["a", "b"]).names == ("a", "b")
    with pytest.raises(ValueError, match="expected 2 as in the graph, got 3"):
        as_graph(path, num_nodes=3)


def test_sound_files_of_arrays_that_are_no_graphs(tmp_path: Path) -> None:
    np.savez(tmp_path / "arrays.npz", a=np.ones(2), b=np.ones(3))
    with pytest.raises(
        ValueError, match=r"expected a matrix written by scipy\.sparse\.save_npz, got an archive of a, b"
    ):
        as_graph(tmp_path / "arrays.npz")
    sp.save_npz(tmp_path / "wide.npz", sp.csr_array((2, 3)))
    with pytest.raises(ValueError, match="expected a square matrix"):
        as_graph(tmp_path / "wide.npz")
    np.save(tmp_path / "array.npy", np.ones(2))
    (tmp_path / "array.npy").rename(tmp_path / "array.npz")
    with pytest.raises(ValueError, match=r"expected a NumPy archive \(\.npz\), got a single array"):
        as_graph(tmp_path / "array.npz")


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"ann,bob\nbob,cid\n")))
    assert as_graph("-").names == ("ann", "bob", "cid")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a,b\nc\n")))
    with pytest.raises(ValueError, match=r"^standard input, line 2: expected 2 cells"):
        as_graph("-")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    with pytest.raises(ValueError, match="standard input: the file is empty"):
        as_graph("-")
