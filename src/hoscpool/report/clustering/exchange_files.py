"""A clustering as GEXF, which Gephi opens, and as GraphML, which Cytoscape opens. Both are written line by line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from hoscpool.graph import Graph, edges_of
from hoscpool.support.colours import PALETTE

MOST_EDGES = 5_000_000
"""Larger graphs are not written: neither program opens them, and the files would take gigabytes."""
LINES = 20_000
"""Lines that are written at a time."""
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_REPLACEMENT = "\ufffd"
RETURNS = {"\r": "&#13;"}
"""A parser takes a bare carriage return for a line feed."""


@dataclass(frozen=True)
class Attribute:
    """A column of values, one for every node.

    Attributes:
        name: What it is called.
        kind: ``"string"``, ``"long"``, ``"double"`` or ``"boolean"``, as both formats call it.
        values: The values.
    """

    name: str
    kind: str
    values: Sequence[Any]

    def text(self, node: int) -> str:
        """The value of a node, not yet escaped."""
        text = str(self.values[node])
        return text.lower() if self.kind == "boolean" else legal(text)


def node_attributes(graph: Graph, columns: dict[str, Sequence[Any]], between: Sequence[bool] | None) -> list[Attribute]:
    """What is written about every node: its name, unless that is its number, and the columns of ``labels.csv``."""
    found = [] if graph.node_names is None else [_attribute("name", columns["node"])]
    found += [_attribute(name, values) for name, values in columns.items() if name != "node"]
    if between is not None:
        found.append(Attribute("between", "boolean", between))
    if graph.classes is not None:
        found.append(_attribute("class", list(graph.classes)))
    return found


def write_gexf(path: Path, graph: Graph, attributes: Sequence[Attribute], clusters: Sequence[int]) -> None:
    """Write a graph with attributes as GEXF 1.2. The label of a node is its title, its colour that of its cluster."""
    kind = "directed" if graph.is_directed else "undirected"
    head = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<gexf xmlns="http://www.gexf.net/1.2draft" xmlns:viz="http://www.gexf.net/1.2draft/viz" version="1.2">',
        f'<graph mode="static" defaultedgetype="{kind}">',
        '<attributes class="node" mode="static">',
        *(f'<attribute id="{n}" title={_quoted(a.name)} type="{a.kind}"/>' for n, a in enumerate(attributes)),
        "</attributes>",
        "<nodes>",
    ]
    colours = [tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5)) for colour in PALETTE]

    def nodes() -> Iterator[str]:
        for node, title in enumerate(graph.titles):
            cells = "".join(f'<attvalue for="{n}" value={quoteattr(a.text(node))}/>' for n, a in enumerate(attributes))
            r, g, b = colours[clusters[node] % len(colours)]
            yield (
                f'<node id="{node}" label={_quoted(title)}><attvalues>{cells}</attvalues>'
                f'<viz:color r="{r}" g="{g}" b="{b}"/></node>'
            )

    def edges() -> Iterator[str]:
        for number, (a, b, weight) in enumerate(_edges(graph)):
            yield f'<edge id="{number}" source="{a}" target="{b}"{_weight(weight, " weight=", quote=True)}/>'

    _write(path, head, nodes(), ["</nodes>", "<edges>"], edges(), ["</edges>", "</graph>", "</gexf>"])


def write_graphml(path: Path, graph: Graph, attributes: Sequence[Attribute]) -> None:
    """Write a graph with attributes as GraphML."""
    kind = "directed" if graph.is_directed else "undirected"
    head = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        *(
            f'<key id="d{n}" for="node" attr.name={_quoted(a.name)} attr.type="{a.kind}"/>'
            for n, a in enumerate(attributes)
        ),
        '<key id="w" for="edge" attr.name="weight" attr.type="double"/>',
        f'<graph edgedefault="{kind}">',
    ]

    def nodes() -> Iterator[str]:
        for node in range(graph.num_nodes):
            cells = "".join(
                f'<data key="d{n}">{escape(a.text(node), RETURNS)}</data>' for n, a in enumerate(attributes)
            )
            yield f'<node id="{node}">{cells}</node>'

    def edges() -> Iterator[str]:
        for a, b, weight in _edges(graph):
            data = _weight(weight, '<data key="w">', end="</data>")
            yield f'<edge source="{a}" target="{b}">{data}</edge>' if data else f'<edge source="{a}" target="{b}"/>'

    _write(path, head, nodes(), [], edges(), ["</graph>", "</graphml>"])


def legal(text: str) -> str:
    r"""The text with U+FFFD for the characters that XML does not allow, such as most control characters.

    Examples:
        >>> legal("a\x1b[31mb\tc")
        'a�[31mb\tc'
    """
    return _ILLEGAL.sub(_REPLACEMENT, text)


def _attribute(name: str, values: Sequence[Any]) -> Attribute:
    kinds = {type(value) for value in values}
    kind = "long" if kinds <= {int} else "double" if kinds <= {int, float} else "string"
    return Attribute(name, kind, values)


def _quoted(value: Any) -> str:
    return quoteattr(legal(str(value)))


def _weight(weight: float | None, begin: str, end: str = "", *, quote: bool = False) -> str:
    if weight is None:
        return ""
    return f'{begin}"{weight!r}"' if quote else f"{begin}{weight!r}{end}"


def _edges(graph: Graph) -> Iterator[tuple[int, int, float | None]]:
    """Both ends and the weight of every edge, each undirected edge once."""
    rows, cols, weights = edges_of(graph)
    for start in range(0, len(rows), LINES):
        part = slice(start, start + LINES)
        values: list[Any] = [None] * len(rows[part]) if weights is None else np.asarray(weights[part]).tolist()
        yield from zip(rows[part].tolist(), cols[part].tolist(), values, strict=True)


def _write(path: Path, *blocks: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for block in blocks:
            lines = iter(block)
            while part := list(islice(lines, LINES)):
                file.write("\n".join(part) + "\n")
