"""Pajek networks (``.net``)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np

from hoscpool.graph.raw import EVERYTHING_GUESSED, Fields, RawGraph, names_or_none
from hoscpool.graph.readers.opening import FileFormatError, check_claimed_nodes, iterate_lines, reporting
from hoscpool.graph.readers.text_lines import is_number

_VERTEX = re.compile(r'(\d+)(?:\s+(?:"((?:[^"\\]|\\.)*)"|(\S+)))?')


def read_pajek(path: Path, fields: Fields = EVERYTHING_GUESSED) -> RawGraph:
    """Raw arcs of a Pajek network. The third number of a line of ``*Edges`` or ``*Arcs`` is its weight.

    Labels name the nodes if they are all different, otherwise their numbers do. The graph is directed if it has arcs.

    Raises:
        ValueError: The file is damaged or not a Pajek network.
    """
    with reporting(path, "a Pajek network"):
        network = _Network(path)
        for number, line in iterate_lines(path):
            text = line.strip()
            if text and not text.startswith("%"):
                network.read(number, text)
        return network.graph(with_weights=fields.weight is not None)


class _Network:
    """What was read so far."""

    def __init__(self, path: Path) -> None:
        self.path, self.size = path, -1
        self.labels: dict[int, str] = {}
        self.arcs: list[tuple[int, int, float]] = []
        self.is_directed, self.has_weights = False, False
        self.row = 0
        self._take: Callable[[int, str], None] = self._nothing

    def read(self, number: int, text: str) -> None:
        """Read one line."""
        if text.startswith("*"):
            self._begin(number, text)
        else:
            self._take(number, text)

    def graph(self, *, with_weights: bool) -> RawGraph:
        """The graph of all lines."""
        if self.size < 0:
            raise FileFormatError(self.path, "expected a line such as '*Vertices 10', got none")
        ends = np.array([(a, b) for a, b, _ in self.arcs], dtype=np.int64).reshape(-1, 2) - 1
        weights = np.array([weight for *_, weight in self.arcs]) if self.has_weights and with_weights else None
        names = [self.labels.get(node + 1, str(node + 1)) for node in range(self.size)]
        if len(set(names)) < len(names):
            names = [str(node + 1) for node in range(self.size)]
        return RawGraph(ends[:, 0], ends[:, 1], weights, self.size, self.is_directed, node_names=names_or_none(names))

    def _begin(self, number: int, text: str) -> None:
        word, _, rest = text[1:].partition(" ")
        kinds = {"edges": (self._edge, False), "arcs": (self._edge, True), "edgeslist": (self._list, False),
                 "arcslist": (self._list, True), "matrix": (self._matrix_row, True)}  # fmt: skip
        word = word.lower().partition(":")[0]
        if word == "vertices":
            found = re.match(r"\s*(\d{1,12})\b", rest)
            if found is None or self.size >= 0:
                raise FileFormatError(self.path, "expected one line '*Vertices' with the number of nodes", number)
            self.size = int(found[1])
            check_claimed_nodes(self.path, self.size)
            self._take = self._vertex
        elif word in kinds:
            self._take, directed = kinds[word]
            self.is_directed, self.row = self.is_directed or directed, 0
        elif word in ("network", "partition", "vector"):
            self._take = self._nothing
        else:
            raise FileFormatError(self.path, f"expected *Vertices, *Edges or *Arcs, got {text[:40]!r}", number)

    def _vertex(self, number: int, text: str) -> None:
        found = _VERTEX.match(text)
        if found is None:
            raise FileFormatError(self.path, f"expected a node such as '1 \"Ann\"', got {text[:40]!r}", number)
        label = found[3] if found[2] is None else found[2]
        if label:
            self.labels[self._node(number, found[1])] = label

    def _edge(self, number: int, text: str) -> None:
        cells = text.split()
        if len(cells) < 2:
            raise FileFormatError(self.path, f"expected two nodes and perhaps a weight, got {text[:40]!r}", number)
        weight = 1.0
        if len(cells) > 2 and is_number(cells[2]):
            weight, self.has_weights = float(cells[2]), True
            if not (math.isfinite(weight) and weight >= 0):
                raise FileFormatError(
                    self.path, f"expected a weight that is a finite number ≥ 0, got {cells[2]!r}", number
                )
        self.arcs.append((self._node(number, cells[0]), self._node(number, cells[1]), weight))

    def _list(self, number: int, text: str) -> None:
        first, *others = (self._node(number, cell) for cell in text.split())
        self.arcs += [(first, other, 1.0) for other in others]

    def _matrix_row(self, number: int, text: str) -> None:
        cells, self.row, self.has_weights = text.split(), self.row + 1, True
        if self.row > self.size or len(cells) != self.size or not all(map(is_number, cells)):
            raise FileFormatError(self.path, f"expected {self.size:,} rows of as many numbers", number)
        self.arcs += [(self.row, col, float(cell)) for col, cell in enumerate(cells, start=1) if float(cell)]

    def _node(self, number: int, cell: str) -> int:
        if not (cell.isascii() and cell.isdigit() and len(cell) < 13 and 1 <= int(cell) <= self.size):
            raise FileFormatError(self.path, f"expected a node from 1 to {self.size:,}, got {cell[:40]!r}", number)
        return int(cell)

    def _nothing(self, number: int, text: str) -> None:
        if self.size < 0:
            raise FileFormatError(self.path, f"expected '*Vertices' first, got {text[:40]!r}", number)
