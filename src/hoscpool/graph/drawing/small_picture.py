"""A small graph as vector graphics, for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph.drawing.springs import spring_positions
from hoscpool.support.colours import PALETTE, class_colours
from hoscpool.support.html_tables import cell, html_card

if TYPE_CHECKING:
    from hoscpool.graph.core import Graph

DRAWN_NODES = 300
"""A graph is drawn up to this number of nodes."""
DRAWN_EDGES = 2_000
"""And up to this number of edges."""
MARGIN = 8
"""Empty space around the picture, in its units."""


def graph_card(graph: Graph) -> str:
    """What a notebook shows of a graph."""
    facts: list[tuple[str, Any]] = [
        ("nodes", f"{graph.num_nodes:,}"),
        ("edges", f"{graph.num_edges:,}, {'directed' if graph.is_directed else 'undirected'}"),
    ]
    if graph.weights is not None and len(graph.weights):
        facts.append(("weights", f"{graph.weights.min():.4g} to {graph.weights.max():.4g}"))
    if graph.features is not None:
        facts.append(("features", f"{graph.num_features:,}"))
    if graph.labels is not None:
        facts.append(("classes", f"{len(np.unique(graph.labels)):,}"))
    if graph.node_names is not None and graph.num_nodes:
        facts.append(("names", ", ".join(cell(name)[:30] for name in list(graph.names[:3])) + ", …"))
    facts += [("note", note) for note in graph.notes[:5]]
    return html_card(str(graph.name or "Graph"), facts, graph_picture(graph, graph.labels))


def graph_picture(graph: Graph, labels: npt.NDArray[Any] | None = None, size: int = 220) -> str:
    """A graph with nodes coloured by label; empty text if it is too large to draw."""
    if not 0 < graph.num_nodes <= DRAWN_NODES or graph.num_edges > DRAWN_EDGES:
        return ""
    plain = graph.undirected().adjacency
    upper = sp.coo_array(sp.triu(plain, k=1))
    pairs = list(zip(upper.row.tolist(), upper.col.tolist(), strict=True))
    colours = [PALETTE[0]] * graph.num_nodes if labels is None else class_colours(np.asarray(labels))
    return svg_network(spring_positions(plain), pairs, colours, [str(title) for title in graph.titles], size)


def svg_network(
    positions: npt.NDArray[np.floating[Any]],
    edges: Sequence[tuple[int, int]],
    colours: Sequence[str],
    titles: Sequence[str],
    size: int,
) -> str:
    """Nodes and edges as SVG. A title shows when the pointer is on its node."""
    low, high = positions.min(axis=0), positions.max(axis=0)
    scale = (size - 2 * MARGIN) / max(float((high - low).max()), 1e-9)
    place = (positions - (low + high) / 2) * scale + size / 2
    radius = max(2.0, min(6.0, 40 / np.sqrt(len(positions))))
    lines = "".join(f"M{place[a, 0]:.1f} {place[a, 1]:.1f}L{place[b, 0]:.1f} {place[b, 1]:.1f}" for a, b in edges)
    dots = "".join(
        f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{radius:.1f}' fill='{colour}'>"
        f"<title>{escape(cell(title))}</title></circle>"
        for (x, y), colour, title in zip(place.tolist(), colours, titles, strict=True)
    )
    return (
        f"<svg width='{size}' height='{size}' viewBox='0 0 {size} {size}' role='img' aria-label='picture of the graph'>"
        f"<path d='{lines}' stroke='#8a97a8' stroke-opacity='0.5' fill='none'/>{dots}</svg>"
    )
