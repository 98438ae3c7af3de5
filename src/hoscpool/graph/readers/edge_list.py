"""Edge lists: one edge per line, with two node ids and an optional weight."""

from __future__ import annotations

import warnings
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.graph.raw import RawGraph, names_or_none
from hoscpool.graph.readers.edge_list_exact import SAMPLE, find_columns, is_text, read_exact
from hoscpool.graph.readers.numbering import integer_names, match_nodes, number_integers
from hoscpool.graph.readers.opening import FileFormatError, encoding_of, is_compressed, open_bytes, open_text, reporting
from hoscpool.graph.readers.text_lines import data_lines, is_integer, sniff_delimiter, split_at


def read_edge_list(path: Path, *, num_nodes: int | None = None, node_names: Any = None) -> RawGraph:
    """Raw arcs of an edge list. Lines are undirected edges unless the caller says otherwise.

    Cells are separated by tabs, semicolons, commas or white space. A header, blank lines and lines that start with
    ``#`` or ``%`` are skipped. If all ids are plain integers, they are sorted. Otherwise ids are names, in the order of
    their first appearance.

    Args:
        path: The file. It may be compressed (``.gz``).
        num_nodes: Number of nodes, if the ids are the indices 0 … N−1.
        node_names: All nodes of the graph, in the order wanted.

    Returns:
        The arcs and the node names.

    Raises:
        ValueError: A line has too many or too few cells, a weight is not a number ≥ 0, or there is no edge.
    """
    with reporting(path, "an edge list"):
        raw = read_fast(path) or read_exact(path)
    raw.directed = False
    if num_nodes is not None or node_names is not None:
        ids = list(range(raw.num_nodes)) if raw.node_names is None else raw.node_names
        place, names, raw.num_nodes = match_nodes(path, ids, num_nodes, node_names)
        raw.rows, raw.cols, raw.node_names = place[raw.rows], place[raw.cols], names_or_none(names)
    return raw


_CHUNK = 1 << 22
_ZERO, _NINE, _PLUS, _MINUS = b"09+-"
_SEPARATORS = np.zeros(256, dtype=bool)
_SEPARATORS[list(b" \t\r\n,;\xef\xbb\xbf")] = True  # the last three are the byte-order mark


def read_fast(path: Path) -> RawGraph | None:
    """Raw arcs of a simple integer edge list, or ``None`` if the file needs the exact reader."""
    sample = list(islice(data_lines(path), SAMPLE))
    if not sample or encoding_of(path) == "utf-16":
        return None
    delimiter = sniff_delimiter(line for _, line in sample)
    rows = [split_at(path, number, line, delimiter) for number, line in sample]
    columns = find_columns(rows[0])
    header = is_text(rows[0][:3]) and len(rows) > 1
    first = rows[1] if header else rows[0]
    if columns is None or not columns.in_order or len(rows[0]) > 3 or not all(map(is_integer, first[:2])):
        return None
    start = sample[1 if header else 0][0] - 1
    table = _parse(path, delimiter, len(rows[0]), start)
    return None if table is None else _finish(table, rows[0] if header else None)


def _parse(path: Path, delimiter: str | None, width: int, start: int) -> npt.NDArray[Any] | None:
    """The columns as a structured array, or ``None`` if a line or the spelling of an id needs the exact reader."""
    fields: Any = [("u", np.int64), ("v", np.int64), ("w", np.float64)][:width]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with open_text(path) as text:  # NumPy reads a plain file faster by its path
                source = text if is_compressed(path) else path
                table = np.loadtxt(
                    source, fields, None, delimiter=delimiter, skiprows=start, encoding=encoding_of(path), ndmin=1
                )
    except FileFormatError:
        raise
    except (ValueError, Warning):
        return None
    weights_fine = width < 3 or bool((np.isfinite(table["w"]) & (table["w"] >= 0)).all())
    return table if weights_fine and _ids_are_plain(path) else None


def _ids_are_plain(path: Path) -> bool:
    """Whether no cell is like ``007``, ``+5`` or ``-0``. As integers such ids would lose their spelling."""
    before = np.frombuffer(b"\n", dtype=np.uint8)
    with open_bytes(path) as stream:
        while block := stream.read(_CHUNK):
            text = np.concatenate((before, np.frombuffer(block, dtype=np.uint8)))
            if _has_odd_number(text):
                return False
            before = text[-2:]
    return True


def _has_odd_number(text: npt.NDArray[np.uint8]) -> bool:
    start = np.flatnonzero(_SEPARATORS[text[:-2]]) + 1
    lead, following = text[start], text[start + 1]
    digit = (following >= _ZERO) & (following <= _NINE)
    return bool((((lead == _ZERO) | (lead == _PLUS)) & digit).any() or ((lead == _MINUS) & (following == _ZERO)).any())


def _finish(table: npt.NDArray[Any], header: list[str] | None) -> RawGraph:
    rows, cols, ids = number_integers(table["u"], table["v"])
    weights = np.ascontiguousarray(table["w"]) if "w" in (table.dtype.names or ()) else None
    raw = RawGraph(rows, cols, weights, len(ids), node_names=integer_names(ids))
    if header is not None:
        raw.notes.note(f"the header line {','.join(header)!r} was skipped")
    return raw
