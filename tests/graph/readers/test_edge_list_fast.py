"""The compiled reader gives what the exact reader gives, or leaves the file to it."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hoscpool.graph import as_graph
from hoscpool.graph.raw import Fields, RawGraph
from hoscpool.graph.readers import edge_list_fast, formats
from hoscpool.graph.readers.edge_list_exact import read_exact
from hoscpool.graph.readers.edge_list_fast import is_large, read_fast


def same(a: RawGraph, b: RawGraph) -> None:
    np.testing.assert_array_equal(a.rows, b.rows)
    np.testing.assert_array_equal(a.cols, b.cols)
    assert (a.weights is None) == (b.weights is None)
    if a.weights is not None and b.weights is not None:
        assert a.weights.tobytes() == b.weights.tobytes()  # the same bits
    assert (a.num_nodes, a.node_names, a.notes.texts) == (b.num_nodes, b.node_names, b.notes.texts)


def check(path: Path, data: bytes) -> bool:
    """Compare both readers on a file. Returns whether the fast one read it."""
    path.write_bytes(data)
    for third in (Fields(weight=2), Fields()):
        try:
            fast: Any = read_fast(path, third)
        except ValueError:
            with pytest.raises(ValueError, match=r"."):
                read_exact(path, third)
            continue
        if fast is not None:
            same(fast, read_exact(path, third))
        elif third.guesses_weight:
            return False
    return True


@pytest.fixture(params=[64, 1 << 20])
def _blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_list_fast, "BLOCK", request.param)


IDS = st.one_of(
    st.integers(-30, 30).map(str),
    st.integers(-(2**63), 2**63 - 1).map(str),
    st.sampled_from(["a", "Zoë", "New York", "007", "+5", "-0", "9" * 30, "x" * 70, "日本", "nan", "a.b"]),
)
WEIGHTS = st.one_of(
    st.floats(0, 1e300).map(repr),
    st.sampled_from(["1", "0", "0.1", "123456789012345", "1234567890123456", ".5", "5.", "1e3", "+2", "1E-7", "00.10"]),
)
TOPS = st.sampled_from(["", "# c\n\n", "src,dst,w\n", "\ufeff", "b,a,c\n", "weight,target,source\n", "1,2,3\n"])


@pytest.mark.usefixtures("_blocks")
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=st.lists(st.tuples(IDS, IDS, WEIGHTS), min_size=1, max_size=30),
    width=st.sampled_from([2, 3]), delimiter=st.sampled_from([",", "\t", ";"]), top=TOPS,
    newline=st.sampled_from(["\n", "\r\n"]), last=st.booleans(), pad=st.sampled_from(["", " "]),
)  # fmt: skip
def test_ordinary_files(
    lines: list[tuple[str, str, str]], width: int, delimiter: str, top: str, newline: str, last: bool, pad: str,
    tmp_path: Path,
) -> None:  # fmt: skip
    head = delimiter.join(top.strip("\n").split(",")[:width]) + "\n" if "," in top else top
    rows = [(pad + delimiter + pad).join(line[:width]) for line in lines]
    text = head.replace("\n", newline) + newline.join(rows) + (newline if last else "")
    numbers = "weight" not in head or width == 3
    check(tmp_path / "g.csv", text.encode("utf-8-sig" if "\ufeff" in text else "utf-8")) if numbers else None


PIECES = (
    *(
        b"1",
        b"2",
        b"12",
        b"a",
        b"-",
        b"0",
        b".",
        b"e",
        b",",
        b",",
        b"\t",
        b";",
        b" ",
        b"\n",
        b"\n",
        b"\r\n",
        b"\r",
        b'"',
    ),
    *(b"#", b"%", b"\x0b", b"\x1c", b"\x00", b"\x7f", b"\xc2\xa0", b"\xe2\x80\xa8", b"\xc2\x85", b"\xff", b"\xc3\xa9"),
    *(b"\n1,2\n", b"\n3 4\n", b"\n5\t6\n", b"source,target", b"weight", b"1_0", b"inf", b"\xef\xbb\xbf"),
)


@pytest.mark.usefixtures("_blocks")
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    pieces=st.lists(st.sampled_from(PIECES), min_size=1, max_size=25),
    begin=st.sampled_from([b"", b"1,2\n3,4\n", b"1 2\n", b"a\tb\n"]),
)
def test_hostile_files(pieces: list[bytes], begin: bytes, tmp_path: Path) -> None:
    check(tmp_path / "g.csv", begin + b"".join(pieces))


@pytest.mark.parametrize(
    "text",
    [
        "1,2\n2,3\n",
        "1 2\n  2   3  \n",
        "from,to\na,b\nb,c",
        "a,b\na,c\n",
        "id,weight,target,source\n1,0.5,2,3\n4,1e-5,5,6\n",
        "# top\n\n5\t6\t0.30000000000000004\n6\t7\t1\n",
        "1,2\n07,8\n",
        "1,2\nx,2\n",
        "x,2\n1,2\n",
        "é,1\nn,é\r\n",
        '"source","target"\n1,2\n2,3\n',
        '"Person, from","to","weight"\r\na,b,1\r\nb,c,2\r\n',
        'a,"b, c"\nc,d\n',
    ],
)
def test_these_files_are_read_by_the_fast_reader(text: str, tmp_path: Path) -> None:
    assert check(tmp_path / "g.csv", text.encode())


@pytest.mark.parametrize(
    "text",
    [
        'a,b\nc,"d"\n',
        'a,b\n"c",d\n',
        "1,2\n# 3,4\n",
        "1,2\n3,4,\n",
        "1,2\r3,4\n",
        "1,2\n3\n",
        "1,2\n,3\n",
        "1,2,0.5\n1,3,-1\n",
        "1,2,0.5\n1,3,1_0\n",
        "1,2,0.5\n1,3,1e999\n",
        "1,2\n3,\u00a04\n",
        "c,d\na\xa0b,c\n",
    ],
)
def test_these_files_are_left_to_the_exact_reader(text: str, tmp_path: Path) -> None:
    path = tmp_path / "g.csv"
    path.write_text(text, encoding="utf-8")
    assert read_fast(path, Fields(weight=2 if text.startswith("1,2,0.5") else None)) is None


def test_many_names_make_the_tables_grow(tmp_path: Path) -> None:
    order = np.random.default_rng(0).permutation(60_000)
    text = "".join(f"node {i},node {i + 1}\n" for i in order)
    assert check(tmp_path / "g.csv", text.encode())


def test_a_long_line_ends_the_fast_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_list_fast, "BLOCK", 64)
    path = tmp_path / "g.csv"
    path.write_text("a,b\nc," + "d" * 1000)
    assert read_fast(path) is None


def test_large_files_use_it_and_small_ones_do_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, used = tmp_path / "g.csv", list[Path]()
    path.write_text("1,2\n2,3\n")
    assert not is_large(path)

    def watched(given: Path, fields: Fields) -> RawGraph | None:
        used.append(given)
        return read_fast(given, fields)

    monkeypatch.setattr(formats, "read_fast", watched)
    as_graph(path)
    assert not used
    monkeypatch.setattr(edge_list_fast, "LARGE", 1)
    assert as_graph(path).num_edges == 2
    assert used == [path]


def test_compressed_files(tmp_path: Path) -> None:
    path = tmp_path / "g.csv.gz"
    assert check(path, gzip.compress(b"1,2\n2,3\n"))
    path.write_bytes(gzip.compress(b"1,2\n" * 5000)[:-20])
    with pytest.raises(ValueError, match="truncated or altered"):
        as_graph(path)
