"""A few bytes must not fill the memory: what a file unpacks to, or claims, has a limit that the user can raise."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from hoscpool.graph import as_graph
from hoscpool.graph.readers import opening
from hoscpool.graph.readers.opening import FileFormatError, check_claimed_nodes, unpacking_limit

MTX = b"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n2 1\n"
CONTENT = {
    "g.csv.gz": b"0,1\n1,2\n",
    "g.csv.GZ": b"a,b\nb,c\n",
    "g.mtx.gz": MTX,
    "g.Mtx.Gz": MTX,
    "g.gml.gz": b"graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] ]",
    "g.graphml.GZ": b"<graphml xmlns='http://graphml.graphdrawing.org/xmlns'><graph edgedefault='undirected'>"
    b"<node id='a'/><node id='b'/><edge source='a' target='b'/></graph></graphml>",
}


@pytest.mark.parametrize("name", CONTENT)
def test_every_text_format_is_unpacked(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(CONTENT[name]))
    assert as_graph(path).num_edges == (2 if "csv" in name else 1)


@pytest.mark.parametrize("name", CONTENT)
def test_no_format_unpacks_beyond_the_limit(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(CONTENT[name] + b"\n" * 400_000))
    monkeypatch.setattr(opening, "ALWAYS", 100_000)
    monkeypatch.setattr(opening, "ALWAYS_TREE", 100_000)
    with pytest.raises(FileFormatError, match=f"{name}: unpacks to more than .* MB.*HOSCPOOL_MAX_UNPACKED"):
        as_graph(path)
    monkeypatch.setenv("HOSCPOOL_MAX_UNPACKED", "1 MB")
    assert as_graph(path).num_edges


def test_a_larger_file_may_unpack_to_more(tmp_path: Path) -> None:
    path = tmp_path / "g.csv.gz"
    path.write_bytes(b"x" * 3_000_000)
    assert unpacking_limit(path) == 300_000_000
    path.write_bytes(b"x")
    assert unpacking_limit(path) == opening.ALWAYS


@pytest.mark.parametrize("name", ["g.graphml.gz", "g.GEXF.GZ", "g.gml.gz", "g.json.gz"])
def test_trees_may_unpack_to_less_because_they_take_more_memory(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(b"x")
    assert unpacking_limit(path) == 32 << 20
    path.write_bytes(b"x" * 3_000_000)
    assert unpacking_limit(path) == 90_000_000


@pytest.mark.parametrize("size", ["much", "-1", "1e99", "9" * 400, "16 eggs"])
def test_a_wrong_size_is_refused(size: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOSCPOOL_MAX_UNPACKED", size)
    with pytest.raises(ValueError, match="HOSCPOOL_MAX_UNPACKED: expected a size in bytes such as 16GB"):
        unpacking_limit(tmp_path)


def test_nodes_without_edges_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "g.mtx"
    path.write_bytes(b"0")
    check_claimed_nodes(path, 4_000_000)
    with pytest.raises(ValueError, match="claims to have 5,000,000 nodes"):
        check_claimed_nodes(path, 5_000_000)


@pytest.mark.parametrize("claim", [None, 7])
def test_it_is_refused_before_a_line_is_parsed(claim: int | None, tmp_path: Path, monkeypatch: Any) -> None:
    path, raw = tmp_path / "g.csv.gz", gzip.compress(b"a,b,c,d\n" + b"\n" * 400_000)  # line 1 would be refused
    path.write_bytes(raw if claim is None else raw[:-4] + claim.to_bytes(4, "little"))
    monkeypatch.setattr(opening, "ALWAYS", 100_000)
    with pytest.raises(FileFormatError, match="unpacks to more than"):
        as_graph(path)
    if claim is None:
        monkeypatch.setattr(opening, "SOON_UNPACKED", 0)  # a large file is believed if it says so itself
        with pytest.raises(FileFormatError, match="unpacks to more than"):
            as_graph(path)


def test_a_false_claim_decides_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, raw = tmp_path / "g.csv.gz", gzip.compress(b"a,b\nb,c\n")
    for end in (b"\xff\xff\xff\xff", b"\0\0\0\0"):
        path.write_bytes(raw[:-4] + end)
        with pytest.raises(FileFormatError, match="cannot be read as an edge list, it may be truncated or altered"):
            as_graph(path)
    path.write_bytes(gzip.compress(b"a,b\n" + b"\n" * 400_000)[:-4] + b"\0\0\0\0")
    monkeypatch.setattr(opening, "ALWAYS", 100_000)
    monkeypatch.setattr(opening, "SOON_UNPACKED", 0)
    with pytest.raises(FileFormatError, match="unpacks to more than"):  # by the count of what is read
        as_graph(path)
