"""Spreadsheets as tables of edges."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from attack.bombs import xlsx
from hoscpool import as_graph
from hoscpool.support.errors import GraphWarning, MissingDependencyError


def write(folder: Path, **columns: Any) -> Path:
    path = folder / "g.xlsx"
    pd.DataFrame(columns).to_excel(path, index=False)
    return path


def test_names_weights_and_whole_numbers(tmp_path: Path) -> None:
    graph = as_graph(write(tmp_path, source=["ann", "bob"], target=["bob", "cid"], amount=[2.5, 1], year=[1999, 2001]))
    assert (graph.names, graph.adjacency[0, 1]) == (("ann", "bob", "cid"), 2.5)
    assert (
        "columns: 'source' and 'target' are the ends of an edge, 'amount' its weight; 'year' is not used" in graph.notes
    )
    assert as_graph(write(tmp_path, person=[7, 3], friend=[3, 9])).names == (3, 7, 9)


def test_rows_with_empty_cells(tmp_path: Path) -> None:
    path = write(tmp_path, source=[1, None, 3], target=[2, 3, 1])
    with pytest.raises(ValueError, match=r"g\.xlsx: .*row 3 has an empty cell"):
        as_graph(path)
    with pytest.warns(GraphWarning, match="1 row with an empty cell was skipped"):
        assert as_graph(path, on_bad_rows="skip").names == (1, 2, 3)


@pytest.mark.parametrize("end", [4, 400, -9])
def test_damaged_files(end: int, tmp_path: Path) -> None:
    path = write(tmp_path, source=[1], target=[2])
    path.write_bytes(path.read_bytes()[:end])
    with pytest.raises(ValueError, match=r"g\.xlsx: cannot be read as a spreadsheet"):
        as_graph(path)


def test_wrong_sheets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match=r"g\.xlsx: the first sheet has no rows"):
        as_graph(write(tmp_path, source=[], target=[]))
    with pytest.raises(ValueError, match="there is no column 'x'"):
        as_graph(write(tmp_path, source=[1], target=[2]), weight="x")
    monkeypatch.setenv("HOSCPOOL_MAX_UNPACKED", "1KB")
    with pytest.raises(ValueError, match="HOSCPOOL_MAX_UNPACKED"):
        as_graph(tmp_path / "g.xlsx")


def test_without_openpyxl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, source=[1], target=[2])
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(MissingDependencyError, match=r"hoscpool\[excel\]"):
        as_graph(path)


def test_one_cell_far_away_takes_neither_memory_nor_time(tmp_path: Path) -> None:
    path = tmp_path / "g.xlsx"
    for place in ("XFD1048576", "A99999999999"):
        path.write_bytes(xlsx(_row(1, "A1") + _row(int(place.lstrip("AXFD")), place)))
        with pytest.raises(
            ValueError, match=r"g\.xlsx: has cells so far apart that its sheet would take more than 256"
        ):
            as_graph(path)


def test_a_spreadsheet_may_unpack_to_so_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "g.xlsx"
    path.write_bytes(xlsx(_row(1, "A1"), "<si><t/></si>" * 10_000))
    monkeypatch.setenv("HOSCPOOL_MAX_UNPACKED", "1MB")
    with pytest.raises(ValueError, match=r"g\.xlsx: holds tables that would take more than 1 MB"):
        as_graph(path)


def _row(number: int, place: str) -> str:
    return f'<row r="{number}"><c r="{place}"><v>1</v></c></row>'
