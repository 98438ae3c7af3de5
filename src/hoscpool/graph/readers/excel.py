"""Spreadsheets with one edge in every row of their first sheet. They need pandas and openpyxl."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from hoscpool.graph.converters.edge_tables import from_data_frame
from hoscpool.graph.raw import EVERYTHING_GUESSED, Fields, RawGraph
from hoscpool.graph.readers.edge_columns import find_columns
from hoscpool.graph.readers.opening import FileFormatError, check_unpacked, open_bytes, reporting
from hoscpool.support.errors import MissingDependencyError


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
            check_unpacked(path, sum(info.file_size for info in archive.infolist()), "unpacks to")
        stream.seek(0)
        frame = pd.read_excel(stream, engine="openpyxl", dtype=object)
        if not len(frame):
            raise FileFormatError(path, "the first sheet has no rows below the names of the columns")
        frame.index = range(2, len(frame) + 2)
        return frame
