"""Spreadsheets with one edge in every row of their first sheet. They need pandas and openpyxl."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from hoscpool.graph.converters.edge_tables import from_data_frame
from hoscpool.graph.raw import EVERYTHING_GUESSED, Fields, RawGraph
from hoscpool.graph.readers.edge_columns import find_columns
from hoscpool.graph.readers.opening import FileFormatError, check_unpacked, open_bytes, reporting, unpacking_limit
from hoscpool.support.errors import MissingDependencyError

XML_BYTES = 8
"""Bytes of memory that a byte of the unpacked file may take while it is read."""
CELL_BYTES = 100
"""Bytes that a cell takes in the end, if it is empty or not."""


def read_excel(path: Path, fields: Fields = EVERYTHING_GUESSED) -> RawGraph:
    """Raw arcs of the first sheet of a spreadsheet. Its first row names the columns; see `read_edge_list`.

    Raises:
        MissingDependencyError: openpyxl is not installed.
        ValueError: The file is damaged, too large when unpacked, or has no such columns, or a row is incomplete.
    """
    frame = read_sheet(path)
    names = [str(name) for name in frame.columns]
    columns = find_columns(path, names, fields, 1)
    weight = None if columns.weight is None else frame.columns[columns.weight]
    ends = [frame.columns[place] for place in (columns.source, columns.target)]
    with reporting(path, "a spreadsheet"):
        return from_data_frame(frame, replace(fields, source=ends[0], target=ends[1], weight=weight))


def read_sheet(path: Path) -> Any:
    """The first sheet as a pandas data frame of objects. Its index is the number of the row.

    Raises:
        MissingDependencyError: openpyxl is not installed.
        ValueError: The file is damaged, empty or too large when unpacked.
    """
    try:
        import openpyxl  # noqa: F401
        import pandas as pd
    except ImportError as error:
        raise MissingDependencyError("openpyxl", "excel", "reading an .xlsx file") from error
    with reporting(path, "a spreadsheet"), open_bytes(path) as stream:
        with zipfile.ZipFile(stream) as archive:
            unpacked = sum(info.file_size for info in archive.infolist())
            check_unpacked(path, XML_BYTES * unpacked, "holds tables that would take")
        _check_extent(path, stream)
        stream.seek(0)
        frame = pd.read_excel(stream, engine="openpyxl", dtype=object)
        if not len(frame):
            raise FileFormatError(path, "the first sheet has no rows below the names of the columns")
        frame.index = range(2, len(frame) + 2)
        return frame


def _check_extent(path: Path, stream: IO[bytes]) -> None:
    """Refuse a sheet whose cells lie far apart, because pandas fills all places between them.

    A few bytes can name the row 99,999,999,999, and so this looks at one row after the other.
    """
    import openpyxl

    stream.seek(0)
    limit = unpacking_limit(path) // CELL_BYTES
    sheet = openpyxl.load_workbook(stream, read_only=True).worksheets[0]
    sheet.reset_dimensions()  # a claim, too
    width = 1
    for height, row in enumerate(sheet.iter_rows(values_only=True), start=1):
        width = max(width, len(row))
        if height * width > limit:
            check_unpacked(path, height * width * CELL_BYTES, "has cells so far apart that its sheet would take")
