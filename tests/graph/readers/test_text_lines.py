"""Names of any kind go into a table as text that no spreadsheet runs, and come back as they were."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hoscpool.graph import as_graph, read_labels, write_rows
from hoscpool.graph.readers.text_lines import guard, unguard
from hoscpool.motifs import write_matrix

HOSTILE = [
    "=cmd|' /C calc'!A0",
    "@SUM(1+1)",
    "+1-1",
    "-2+3",
    "＝1+1",
    "'=x",
    "''=x",
    '\'"x"',
    '"quoted"',
    "'",
    "''",
    "'tis",
    "<script>alert(1)</script>",
    "a,b;c\td",
    "two words",
    " ends ",
    "line\nfeed",
    "carriage\r",
    "\x00",
    "\x1b[31mred\x1b[0m",
    "\u202eright to left",
    "\u200f",
    "#comment",
    "%comment",
    "node",
    "source",
    "a\u2028b",
    "a\xa0b",
    "\xa0",
    "ä",
    "007",
    "+5",
    "-5",
    "1e5",
    "nan",
    "\ufeffx",
    "\x85",
    "=" + "x" * 100_000,
    "\ud800",
]
FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


@given(st.text())
@settings(max_examples=300)
def test_what_is_guarded_comes_back(text: str) -> None:
    assert unguard(guard(text)) == text


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: ascii(name)[:20])
def test_no_cell_is_a_formula_or_has_controls(name: str) -> None:
    cell = guard(name)
    assert unguard(cell) == name
    assert cell.encode(), "it can be written"
    numeric = name in ("-5", "+5")
    assert numeric or not cell.startswith(FORMULA)
    assert "\x1b" not in cell
    assert "\u202e" not in cell
    assert len(cell.splitlines()) == 1


def test_numbers_are_not_touched() -> None:
    assert [guard(cell) for cell in (-5, 0.5, True)] == [-5, 0.5, True]


def _roundtrip(names: list[str], folder: Path) -> None:
    with (folder / "labels.csv").open("w", newline="", encoding="utf-8") as file:
        write_rows(file, [("node", "cluster")])
        write_rows(file, ((name, i % 3) for i, name in enumerate(names)))
    found = read_labels(folder / "labels.csv", names)
    assert found.tolist() == [i % 3 for i in range(len(names))]


def test_label_tables_come_back(tmp_path: Path) -> None:
    _roundtrip(HOSTILE, tmp_path)


@given(st.lists(st.text(st.characters(), min_size=1, max_size=8), min_size=2, max_size=8, unique=True))
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_label_table_comes_back(tmp_path: Path, names: list[str]) -> None:
    _roundtrip(names, tmp_path)


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".txt"])
def test_edge_lists_come_back(ending: str, tmp_path: Path) -> None:
    size = len(HOSTILE)
    index = np.arange(size)
    matrix = sp.coo_array((np.ones(size), (index, (index + 1) % size)), shape=(size, size))
    (path,) = write_matrix(tmp_path / f"m{ending}", sp.csr_array(matrix + matrix.T), HOSTILE)
    graph = as_graph(path)
    assert set(graph.names) == set(HOSTILE)
    coo = graph.adjacency.tocoo()
    pairs = {frozenset((graph.names[i], graph.names[j])) for i, j in zip(coo.row, coo.col, strict=True)}
    assert pairs == {frozenset((HOSTILE[i], HOSTILE[(i + 1) % size])) for i in range(size)}


def test_any_csv_program_reads_one_line_per_node() -> None:
    out = io.StringIO()
    write_rows(out, ((name, 1) for name in HOSTILE))
    assert len(out.getvalue().splitlines()) == len(HOSTILE)
    rows = list(csv.reader(out.getvalue().splitlines()))
    assert [unguard(row[0]) for row in rows] == HOSTILE
