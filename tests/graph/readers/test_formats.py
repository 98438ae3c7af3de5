"""Files that are missing, unknown, truncated or altered: a clear error each, never a traceback from a parser."""

from __future__ import annotations

import contextlib
import gzip
import io
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hoscpool import as_graph
from hoscpool.graph.readers import READERS
from hoscpool.support.errors import GraphWarning

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


Write = Callable[[str, str], Path]

GOOD: list[tuple[str, str, list[Any], dict[tuple[Any, Any], float]]] = [
    ("two integers", "0 1\n1 2\n", [0, 1, 2], {(0, 1): 1, (1, 2): 1}),
    ("no final newline", "0 1\n1 2", [0, 1, 2], {(0, 1): 1, (1, 2): 1}),
    ("one line", "0,1", [0, 1], {(0, 1): 1}),
    ("gaps are sorted", "10\t2\n7\t10\n", [2, 7, 10], {(10, 2): 1, (7, 10): 1}),
    ("far apart", "5 9000000000000\n", [5, 9000000000000], {(5, 9000000000000): 1}),
    ("negative ids", "-1 3\n", [-1, 3], {(-1, 3): 1}),
    ("from one", "1 2\n2 3\n", [1, 2, 3], {(1, 2): 1, (2, 3): 1}),
    ("weights", "0;1;0.5\n1;2;3e2\n", [0, 1, 2], {(0, 1): 0.5, (1, 2): 300}),
    ("names in order of appearance", "zoe,ann\nann,bob\n", ["zoe", "ann", "bob"],
     {("zoe", "ann"): 1, ("ann", "bob"): 1}),
    ("names and weights", "zoe ann 2\nann bob 3\n", ["zoe", "ann", "bob"], {("zoe", "ann"): 2, ("ann", "bob"): 3}),
    ("padded ids are names", "007 7\n7 08\n", ["007", "7", "08"], {("007", "7"): 1, ("7", "08"): 1}),
    ("padded later", "1 2\n2 3\n3 01\n", ["1", "2", "3", "01"], {("1", "2"): 1, ("2", "3"): 1, ("3", "01"): 1}),
    ("signed ids are names", "+1 2\n", ["+1", "2"], {("+1", "2"): 1}),
    ("decimal ids are names", "1.0 2.0\n", ["1.0", "2.0"], {("1.0", "2.0"): 1}),
    ("huge ids are names", f"{2**70} 1\n", [str(2**70), "1"], {(str(2**70), "1"): 1}),
    ("numbers and names", "1 a\na 2\n", ["1", "a", "2"], {("1", "a"): 1, ("a", "2"): 1}),
    ("comments", "# SNAP\n% more\n\n1 2\n# inside\n2 3\n", [1, 2, 3], {(1, 2): 1, (2, 3): 1}),
    ("edges over time", "Start,End,Source,Target\n10,20,a,b\n11,21,b,c\n", ["a", "b", "c"],
     {("a", "b"): 1, ("b", "c"): 1}),
    ("quoted hash", '"#a",b\n"#c","#a"\n', ["#a", "b", "#c"], {("#a", "b"): 1, ("#c", "#a"): 1}),
    ("hash in a name", "C# F#\nF# ML\n", ["C#", "F#", "ML"], {("C#", "F#"): 1, ("F#", "ML"): 1}),
    ("byte-order mark", "\ufeff1,2\n2,3\n", [1, 2, 3], {(1, 2): 1, (2, 3): 1}),
    ("byte-order mark and padded", "\ufeff01,2\n2,3\n", ["01", "2", "3"], {("01", "2"): 1, ("2", "3"): 1}),
    ("CRLF", "1,2\r\n2,3\r\n", [1, 2, 3], {(1, 2): 1, (2, 3): 1}),
    ("CR", "a,b\rb,c\r", ["a", "b", "c"], {("a", "b"): 1, ("b", "c"): 1}),
    ("spaces around", " 1 ,  2\n 2 ,3 \n", [1, 2, 3], {(1, 2): 1, (2, 3): 1}),
    ("aligned columns", "  1    2\n 10   30\n", [1, 2, 10, 30], {(1, 2): 1, (10, 30): 1}),
    ("delimiter at the end", "1,2,\n2,3,\n", [1, 2, 3], {(1, 2): 1, (2, 3): 1}),
    ("tab at the end", "a\tb\t\nb\tc\t\n", ["a", "b", "c"], {("a", "b"): 1, ("b", "c"): 1}),
    ("quotes", '"Smith, J","Doe ""D"" A",2\n"Smith, J",X,1\n', ["Smith, J", 'Doe "D" A', "X"],
     {("Smith, J", 'Doe "D" A'): 2, ("Smith, J", "X"): 1}),
    ("quoted words", '"a b" c\nc "d e"\n', ["a b", "c", "d e"], {("a b", "c"): 1, ("c", "d e"): 1}),
    ("quoted integers", '"1","2"\n"2","3"\n', [1, 2, 3], {(1, 2): 1, (2, 3): 1}),
    ("names with spaces", "New York,Los Angeles\nLos Angeles,Reno\n", ["New York", "Los Angeles", "Reno"],
     {("New York", "Los Angeles"): 1, ("Los Angeles", "Reno"): 1}),
    ("umlauts", "Zürich,Genève\nGenève,北京\n", ["Zürich", "Genève", "北京"],
     {("Zürich", "Genève"): 1, ("Genève", "北京"): 1}),
    ("header", "source,target\n1,2\n2,3\n", [1, 2, 3], {(1, 2): 1, (2, 3): 1}),
    ("header with weight", "Source\tTarget\tWeight\n1\t2\t0.5\n", [1, 2], {(1, 2): 0.5}),
    ("any words over integers", "person,friend\n1,2\n2,3\n", [1, 2, 3], {(1, 2): 1, (2, 3): 1}),
    ("quoted header", '"from","to"\n"a","b"\n', ["a", "b"], {("a", "b"): 1}),
    ("header over names", "node_1,node_2\nann,bob\nbob,cid\n", ["ann", "bob", "cid"],
     {("ann", "bob"): 1, ("bob", "cid"): 1}),
    ("header in another order", "weight,target,source\n2,b,a\n", ["a", "b"], {("a", "b"): 2}),
    ("Gephi", "Source,Target,Type,Id,Label,Weight\n1,2,Undirected,0,,1.5\n2,3,Undirected,1,,1\n", [1, 2, 3],
     {(1, 2): 1.5, (2, 3): 1}),
    ("first line of names is an edge", "ann,bob\nbob,cid\n", ["ann", "bob", "cid"],
     {("ann", "bob"): 1, ("bob", "cid"): 1}),
    ("nodes called like a header", "u v\nv w\nw u\n", ["u", "v", "w"], {("u", "v"): 1, ("v", "w"): 1, ("w", "u"): 1}),
    ("decimal commas", "1;2;0,5\n2;3;1,25e1\n", [1, 2, 3], {(1, 2): 0.5, (2, 3): 12.5}),
    ("decimal commas below a header", "from\tto\tamount\na\tb\t0,5\n", ["a", "b"], {("a", "b"): 0.5}),
    ("pipes", "x|y|0,5\ny|z z|2\n", ["x", "y", "z z"], {("x", "y"): 0.5, ("y", "z z"): 2}),
    ("pipes with spaces", "ann | bob\nbob | cid\n", ["ann", "bob", "cid"], {("ann", "bob"): 1, ("bob", "cid"): 1}),
    ("pipes in names", "a|b c\nc d|e\n", ["a|b", "c", "d|e"], {("a|b", "c"): 1, ("c", "d|e"): 1}),
    ("years are no weights", "person,friend,year\n1,2,1999\n2,3,2001\n", [1, 2, 3], {(1, 2): 1, (2, 3): 1}),
    ("words are no weights", "a b likes\nb c hates\n", ["a", "b", "c"], {("a", "b"): 1, ("b", "c"): 1}),
    ("NetworkX", "a b {'weight': 2.5, 'color': 'x, y'}\nb c {}\n", ["a", "b", "c"], {("a", "b"): 2.5, ("b", "c"): 1}),
    ("NetworkX without weights", "1 2 {}\n2 3 {}\n", [1, 2, 3], {(1, 2): 1, (2, 3): 1}),
    ("NetworkX with commas", "1,2,{'weight': 3}\n2,3,{'weight': 1}\n", [1, 2, 3], {(1, 2): 3, (2, 3): 1}),
    ("a name over integers with a weight", "a,b,1.5\n1,2,0.5\n", ["a", "b", "1", "2"],
     {("a", "b"): 1.5, ("1", "2"): 0.5}),
]  # fmt: skip


WITHOUT_NAMES = ("0;1;0.5", "zoe ann 2", '"Smith, J"', "a,b,1.5", "1;2;0,5", "1 2 0.5", "a b 0.5", "1 2 1\n", "1,2,1\n",
                 "a,b,x", "x|y|0,5")  # fmt: skip
"""How files begin whose third column is a weight, though it has no name."""


def third_is_weight(text: str) -> dict[str, Any]:
    return {"weight": 2} if text.startswith(WITHOUT_NAMES) else {}


@pytest.mark.parametrize("suffix", [".txt", ".csv.gz"])
@pytest.mark.parametrize(("text", "names", "edges"), [case[1:] for case in GOOD], ids=[case[0] for case in GOOD])
def test_good_files(
    text: str, names: list[Any], edges: dict[tuple[Any, Any], float], suffix: str, write: Write,
    edges_of: Callable[..., Any], both_ways: Callable[..., Any],
) -> None:  # fmt: skip
    graph = as_graph(write(f"g{suffix}", text), **third_is_weight(text))
    assert list(graph.names) == names
    assert [type(name) for name in graph.names] == [type(name) for name in names]
    assert edges_of(graph) == both_ways(edges)


BAD = [
    ("only comments", "# nothing\n\n", "the file has no edges, only blank lines or comments"),
    ("blank", "\n\n", "the file has no edges"),
    ("only a header", "source,target\n", "the file has no edges, only the header 'source,target'"),
    ("ragged", "1 2\n2 3\n3\n4 5\n", r"g.txt, line 3: expected 2 cells as in the first line, got 1"),
    ("line break in quotes", 'source,target\na,b\n"c\nd",a\n', "line 3: a quote is not closed"),
    ("ragged after comments", "# c\n\n1,2\n# c\n2,3,4\n", r"line 5: expected 2 cells as in the first line, got 3"),
    ("a weight short", "1,2,3\n2,3\n", "line 2: expected 3 cells as in the first line, got 2"),
    ("four columns", "1 2 3 4\n", r"line 1: expected 2 or 3 columns \(source, target, weight\), got 4"),
    ("one column", "1\n2\n", "line 1: expected 2 or 3 columns .* got 1"),
    ("bad weight", "1 2 0.5\n2 3 heavy\n", "line 2: expected a weight that is a finite number ≥ 0, got 'heavy'"),
    ("thousands", "1;2;0,5\n1;3;1,000,000\n", "line 2: expected a weight that is a finite number ≥ 0, got '1,000,000'"),
    ("NaN weight", "1 2 0.5\n2 3 nan\n", "line 2: expected a weight .* got 'nan'"),
    ("infinite weight", "a b 0.5\nb c inf\n", "line 2: expected a weight .* got 'inf'"),
    ("negative weight", "1 2 0.5\n2 3 -1\n", "line 2: expected a weight .* got '-1'"),
    ("underscored weight", "1 2 1\n2 3 1_0\n", "line 2: expected a weight .* got '1_0'"),
    ("empty weight", "1,2,1\n2,3,\n", "line 2: expected a weight .* got ''"),
    ("bad weight in the first line", "a,b,x\na,c,2\n", "line 1: expected a weight .* got 'x'"),
    ("empty id", "a,b\n,c\n", "line 2: expected two node ids, got an empty one"),
    ("late error", "1 2\n" * 500 + "x\n", "line 501: expected 2 cells"),
]


@pytest.mark.parametrize(("text", "message"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_bad_files_name_the_line(text: str, message: str, write: Write) -> None:
    with pytest.raises(ValueError, match=message):
        as_graph(write("g.txt", text), **third_is_weight(text))


def test_a_header_is_noted(write: Write) -> None:
    graph = as_graph(write("g.csv", "source,target,type\n1,2,3\n"))
    assert graph.notes[0] == "the header line 'source,target,type' was skipped"
    graph = as_graph(write("g.csv", "Id,Source,Target\n1,a,b\n"))
    assert graph.notes[:2] == (
        "the header line 'Id,Source,Target' was skipped",
        "columns: 'Source' and 'Target' are the ends of an edge, without weights; 'Id' is not used",
    )


def test_a_comment_that_may_be_an_edge_is_warned_about(write: Write) -> None:
    with pytest.warns(GraphWarning, match=r"2 lines \(first: line 3\) that may be edges begin with # or %"):
        graph = as_graph(write("tags.csv", "source,target\na,#b\n#a,#b\n# the end, really, of it\n%a,c\nd,#b\n"))
    assert graph.num_edges == 2


def test_a_guessed_header_over_names_is_warned_about(write: Write) -> None:
    with pytest.warns(GraphWarning, match="the header line 'person,friend,years' was skipped"):
        graph = as_graph(write("g.csv", "person,friend,years\nann,bob,2\nbob,cid,3\n"))
    assert graph.names == ("ann", "bob", "cid")


def test_opposite_lines_are_one_edge_and_the_heavier_weight_stays(write: Write) -> None:
    path = write("g.csv", "source,target,weight\na,b,1\nb,a,3\nb,c,1\n")
    with pytest.warns(GraphWarning, match="1 edge that was given in both directions counts once, with the heavier"):
        graph = as_graph(path)
    assert (graph.num_edges, graph.adjacency[0, 1]) == (2, 3)
    directed = as_graph(path, directed=True)
    assert (directed.num_edges, directed.adjacency[0, 1], directed.adjacency[1, 0]) == (3, 1, 3)


def test_utf16(tmp_path: Path) -> None:
    path = tmp_path / "g.txt"
    path.write_bytes("007\t1\n1\t2\n".encode("utf-16"))
    assert as_graph(path).names == ("007", "1", "2")


def test_other_encodings_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "g.csv"
    path.write_bytes("Zürich,Bern\n".encode("latin-1"))
    with pytest.raises(ValueError, match=r"g\.csv: is not an edge list in UTF-8 .* save it as UTF-8"):
        as_graph(path)


def test_num_nodes_makes_ids_indices(write: Write) -> None:
    path = write("g.txt", "1 3\n")
    graph = as_graph(path, num_nodes=5)
    assert (graph.num_nodes, graph.node_names, graph.degree.tolist()) == (5, None, [0, 1, 0, 1, 0])
    with pytest.raises(ValueError, match="node ids 3 are out of range; with 3 nodes expected 0 to 2"):
        as_graph(path, num_nodes=3)
    with pytest.raises(ValueError, match="node ids 'a', 'b' are out of range"):
        as_graph(write("names.txt", "a b\n"), num_nodes=3)


def test_node_names_set_the_order_and_add_isolated_nodes(write: Write) -> None:
    graph = as_graph(write("g.csv", "b,a\n"), node_names=["a", "x", "b"])
    assert (graph.names, graph.degree.tolist()) == (("a", "x", "b"), [1, 0, 1])
    graph = as_graph(write("g.csv", "30,10\n"), node_names=[10, 20, 30])
    assert (graph.names, graph.degree.tolist()) == ((10, 20, 30), [1, 0, 1])
    graph = as_graph(write("g.csv", "0,2\n"), node_names=["a", "x", "b"])
    assert (graph.names, graph.degree.tolist()) == (("a", "x", "b"), [1, 0, 1])


def test_node_names_that_do_not_fit(write: Write) -> None:
    path = write("g.csv", "a,b\n")
    with pytest.raises(ValueError, match="expected only nodes of node_names, got 'b'"):
        as_graph(path, node_names=["a", "c"])
    with pytest.raises(ValueError, match="num_nodes: expected 2 as in node_names, got 5"):
        as_graph(path, node_names=["a", "b"], num_nodes=5)
    with pytest.raises(ValueError, match="out of range"):
        as_graph(write("i.csv", "0,7\n"), node_names=["a", "c"])


def test_quotes_and_tabs_take_no_quadratic_time(write: Write) -> None:
    begun = time.process_time()
    with pytest.raises(ValueError, match="line 1"):
        as_graph(write("g.csv", 'a"' + "\t" * 200_000))
    assert time.process_time() - begun < 5  # an expression took 68 s


@pytest.mark.parametrize("first", ["", "1,2\n"])
def test_a_quoted_cell_that_is_too_long_names_the_line(first: str, write: Write) -> None:
    with pytest.raises(ValueError, match=rf"g\.csv, line {2 if first else 1}: a cell cannot be read"):
        as_graph(write("g.csv", first + '"' + "a" * 140_000 + '",1\n'))


def test_ids_of_many_digits_are_names(write: Write) -> None:
    assert as_graph(write("g.csv", "8" * 5000 + ",1\n")).names == ("8" * 5000, "1")


def test_a_third_column_of_numbers_without_a_name_is_no_weight_and_this_is_said(write: Write) -> None:
    path = write("g.txt", "1 2 1999\n2 3 2001\n")
    with pytest.warns(
        GraphWarning,
        match=r"3 is not used; if it is a weight, say weight=2 \(--weight 3\), otherwise weight=None",
    ):
        assert not as_graph(path).is_weighted
    assert as_graph(path, weight=2).adjacency[0, 1] == 1999
    assert not as_graph(path, weight=None).is_weighted  # without a warning


def test_columns_by_name_and_by_place(write: Write, edges_of: Callable[..., Any]) -> None:
    path = write("g.csv", "id,payer,payee,sum\n1,a,b,5\n2,b,c,7\n")
    expected = {("a", "b"): 5, ("b", "a"): 5, ("b", "c"): 7, ("c", "b"): 7}
    assert edges_of(as_graph(path, source="payer", target="payee", weight="sum")) == expected
    assert (
        "columns: 'payer' and 'payee' are the ends of an edge, 'sum' its weight; 'id' is not used"
        in as_graph(path, source="payer", target="payee", weight="sum").notes
    )
    assert not as_graph(path, source="payer", target="payee").is_weighted
    bare = write("bare.csv", "1,a,b,5\n2,b,c,7\n")
    assert edges_of(as_graph(bare, source=1, target=2, weight=3)) == expected
    with pytest.raises(ValueError, match=r"line 1: weight: there is no column 'amount'; expected one of 'id', 'payer'"):
        as_graph(path, source="payer", target="payee", weight="amount")
    with pytest.raises(ValueError, match="source: there is no column 9; the first line has 4"):
        as_graph(bare, source=8, target=2)
    with pytest.raises(ValueError, match="expected both or neither"):
        as_graph(path, source="payer")
    with pytest.raises(ValueError, match=r"bare\.csv, line 1: expected 2 or 3 columns .*--source"):
        as_graph(bare)


def test_incomplete_rows_are_skipped_and_counted(write: Write) -> None:
    path = write("g.csv", "source,target,weight\na,b,1\n,c,2\nb\nb,c,x\nb,c,3\n")
    with pytest.raises(
        ValueError, match=r"g\.csv, line 3: expected two node ids, got an empty one; .*--on-bad-rows skip"
    ):
        as_graph(path)
    with pytest.warns(GraphWarning, match=r"3 incomplete rows were skipped; first: .*g\.csv, line 3: expected two"):
        graph = as_graph(path, on_bad_rows="skip")
    assert (graph.names, graph.num_edges) == (("a", "b", "c"), 2)
    with pytest.warns(GraphWarning, match=r"1 incomplete row was skipped; first: .*line 1: expected two"):
        assert as_graph(write("first.csv", ",b\na,b\nb,c\n"), on_bad_rows="skip").num_edges == 2
    with pytest.raises(ValueError, match="has no edges, only the header"):
        as_graph(write("g.csv", "source,target\na,\n"), on_bad_rows="skip")


def test_what_networkx_writes(tmp_path: Path, edges_of: Callable[..., Any]) -> None:
    graph = nx.les_miserables_graph()
    for edge in graph.edges:
        graph.edges[edge].update(label="it's {'weight': 99}", year=1862)
    spaceless = nx.relabel_nodes(graph, {name: name.replace(" ", "_") for name in graph})
    nx.write_edgelist(spaceless, tmp_path / "g.edgelist")
    found = as_graph(tmp_path / "g.edgelist")
    assert edges_of(found) == edges_of(as_graph(spaceless))
    assert not as_graph(tmp_path / "g.edgelist", weight=None).is_weighted
    assert as_graph(tmp_path / "g.edgelist", weight="year").adjacency.data.tolist() == [1862.0] * 508
    nx.write_edgelist(spaceless, tmp_path / "g.edgelist", data=["weight"])
    assert edges_of(as_graph(tmp_path / "g.edgelist", weight=2)) == edges_of(found)
    path = tmp_path / "bad.edgelist"
    path.write_text("a b {'weight': __import__('os').getpid()}\n")
    with pytest.raises(ValueError, match=r"bad\.edgelist, line 1: expected a weight that is a finite number"):
        as_graph(path)


@pytest.mark.parametrize(
    "text", ["a b" + " {" * 200_000, "a b {" + "'k': '" * 100_000 + "}", "a b {'k'" + " " * 200_000 + "}"]
)
def test_edge_data_takes_no_quadratic_time(text: str, write: Write) -> None:
    begun = time.process_time()
    with contextlib.suppress(ValueError):
        as_graph(write("g.edgelist", text + "\n"))
    assert time.process_time() - begun < 3
