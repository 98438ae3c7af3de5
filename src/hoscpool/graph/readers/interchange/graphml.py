"""GraphML, GEXF and GML files, read with NetworkX."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

from hoscpool.graph.converters.networkx import from_networkx
from hoscpool.graph.raw import EVERYTHING_GUESSED, Fields, RawGraph, names_or_none
from hoscpool.graph.readers.opening import FileFormatError, encoding_of, open_bytes, reporting


def read_graphml(path: Path, fields: Fields = EVERYTHING_GUESSED) -> RawGraph:
    """Raw arcs of a GraphML file.

    The attribute ``name`` or ``label`` names the nodes if its values are all different. Otherwise their ids do.

    Raises:
        ValueError: The file is damaged or not GraphML.
    """
    import networkx as nx

    with reporting(path, "GraphML"):
        with open_bytes(path) as stream, warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            graph = nx.read_graphml(stream)
        raw = _named(path, graph, ("name", "label"), fields)
    for warning in caught:  # NetworkX warns about types that are not declared
        raw.notes.note(str(warning.message).rstrip("."))
    return raw


def read_gexf(path: Path, fields: Fields = EVERYTHING_GUESSED) -> RawGraph:
    """Raw arcs of a GEXF file, as Gephi writes it. Labels name the nodes if they are all different, otherwise ids do.

    Raises:
        ValueError: The file is damaged or not GEXF.
    """
    import networkx as nx

    with reporting(path, "GEXF"), open_bytes(path) as stream:
        return _named(path, nx.read_gexf(stream), ("label",), fields)


def read_gml(path: Path, fields: Fields = EVERYTHING_GUESSED) -> RawGraph:
    """Raw arcs of a GML file. Labels name the nodes if they are all different. Otherwise ids do.

    Raises:
        ValueError: The file is damaged or not GML.
    """
    with reporting(path, "GML"):
        with open_bytes(path) as stream:
            text = stream.read().decode(encoding_of(path))
        return _named(path, _parse_gml(text), ("label",), fields)


def _parse_gml(text: str) -> Any:
    """Parse GML. Repeated edges are allowed even if the file does not declare a multigraph."""
    import networkx as nx

    try:
        return nx.parse_gml(text, label="id")
    except nx.NetworkXError as error:
        if re.match(r"edge #\d+ .* is duplicated", str(error)) is None:
            raise
    return nx.parse_gml(re.sub(r"(?m)^([^\S\n]*graph\s*\[)", r"\1 multigraph 1", text, count=1), label="id")


def _named(path: Path, graph: Any, attributes: tuple[str, ...], fields: Fields) -> RawGraph:
    """The raw graph, named by the first node attribute whose values are all different."""
    raw = from_networkx(graph, weight=fields.weight_key or "weight", node_data=False)
    for key in attributes:
        names = [value for _, value in graph.nodes(data=key)]
        wrong = next((node for node, name in graph.nodes(data=key) if isinstance(name, list | dict)), None)
        if wrong is not None:
            raise FileFormatError(path, f"expected one {key} for every node, got several for the node {wrong!r}")
        if names and None not in names and len(set(names)) == len(names):
            raw.node_names = names_or_none(names)
            return raw
    return raw
