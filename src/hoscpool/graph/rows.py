"""Rows of cells, node names among them, as delimited text that the readers give back as it was."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from typing import IO, Any

from hoscpool.graph.readers.cells import COMMENTS


def write_rows(file: IO[str], rows: Iterable[Sequence[Any]], delimiter: str = ",") -> None:
    """Write one line a row; text is quoted where the line would look like a comment."""
    plain = csv.writer(file, delimiter=delimiter, lineterminator="\n")
    quoted = csv.writer(file, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    for row in rows:
        (quoted if str(row[0]).startswith(COMMENTS) else plain).writerow(row)
