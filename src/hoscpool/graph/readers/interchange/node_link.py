"""Graphs in JSON: node-link data, as NetworkX and D3 write it, adjacency data, and a list of neighbours."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hoscpool.graph.converters.edge_tables import from_neighbours, number_edges
from hoscpool.graph.raw import EVERYTHING_GUESSED, Fields, RawGraph
from hoscpool.graph.readers.opening import FileFormatError, encoding_of, open_bytes, reporting

Edge = tuple[Any, Any, Any]


def read_json_graph(path: Path, fields: Fields = EVERYTHING_GUESSED) -> RawGraph:
    """Raw arcs of a graph in JSON.

    It is ``{"nodes": [{"id": …}], "links": [{"source": …, "target": …, "weight": …}]}``, where ``links`` may be called
    ``edges`` and nodes without ids are numbered; ``{"nodes": …, "adjacency": …}``; or ``{node: [neighbours]}``.

    Raises:
        ValueError: The file is damaged, or not such a graph.
    """
    content = load_json(path)
    with reporting(path, "a graph in JSON"):
        if not isinstance(content, dict):
            raise FileFormatError(path, f"expected an object with nodes and links, got a {type(content).__name__}")
        links = next((content[key] for key in ("links", "edges") if isinstance(content.get(key), list)), None)
        if links is None and "adjacency" not in content:
            return from_neighbours(content, fields)
        nodes = _nodes(path, content.get("nodes", []))
        key = None if fields.weight is None else fields.weight_key
        found = _adjacent(path, content, nodes, key) if links is None else _links(path, links, nodes, key)
        raw = number_edges(list(found), fields, nodes)
        raw.directed = bool(content.get("directed", False))
        return raw


def load_json(path: Path) -> Any:
    """The content of a JSON file.

    Raises:
        ValueError: It is not JSON.
    """
    with reporting(path, "JSON"), open_bytes(path) as stream:
        text = stream.read().decode(encoding_of(path))
        try:
            return json.loads(text, parse_constant=_refuse)
        except json.JSONDecodeError as error:
            reason = f"cannot be read as JSON, it may be truncated ({error.msg})"
            raise FileFormatError(path, reason, error.lineno) from None


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


def _nodes(path: Path, listed: Any) -> list[Any]:
    """The ids of the nodes; their places if they have none."""
    if not isinstance(listed, list):
        raise FileFormatError(path, "expected a list of nodes")
    ids = [_id_of(node) for node in listed]
    if any(one is None for one in ids):
        return list(range(len(ids)))
    if len(set(ids)) < len(ids):
        raise FileFormatError(path, "expected every node once")
    return ids


def _id_of(node: Any) -> Any:
    found = next((node[key] for key in ("id", "key", "name") if key in node), None) if isinstance(node, dict) else node
    return found if isinstance(found, str | int) and not isinstance(found, bool) else None


def _links(path: Path, links: list[Any], nodes: list[Any], key: Any) -> Iterator[Edge]:
    known = set(nodes)
    for place, link in enumerate(links):
        if not isinstance(link, dict) or "source" not in link or "target" not in link:
            raise FileFormatError(path, f"link {place:,}: expected an object with source and target, got {link!r:.60}")
        ends = [_end(path, place, link[end], nodes, known) for end in ("source", "target")]
        yield ends[0], ends[1], None if key is None else link.get(key)


def _end(path: Path, place: int, end: Any, nodes: list[Any], known: set[Any]) -> Any:
    end = _id_of(end) if isinstance(end, dict) else end
    if isinstance(end, str | int) and end in known:
        return end
    if isinstance(end, int) and not isinstance(end, bool) and 0 <= end < len(nodes):  # D3 counts places
        return nodes[end]
    raise FileFormatError(path, f"link {place:,}: there is no node {end!r:.60}")


def _adjacent(path: Path, content: Mapping[str, Any], nodes: list[Any], key: Any) -> Iterator[Edge]:
    rows = content["adjacency"]
    if not isinstance(rows, list) or len(rows) != len(nodes) or not all(isinstance(row, list) for row in rows):
        raise FileFormatError(path, "expected in 'adjacency' a list for each of the nodes")
    known, number = set(nodes), {node: place for place, node in enumerate(nodes)}
    for place, (node, row) in enumerate(zip(nodes, rows, strict=True)):
        for other in row:
            end = _end(path, place, other, nodes, known)
            if number[end] < place and not content.get("directed"):
                continue  # an undirected edge stands in both rows
            yield node, end, other.get(key) if isinstance(other, dict) and key is not None else None
