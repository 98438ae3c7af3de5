"""A small graph as vector graphics, for notebooks, and the springs that place its nodes."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

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
        called = ", ".join(cell(name)[:30] for name in (graph.class_names or ())[:4])
        more = ", …" if len(graph.class_names or ()) > 4 else ""
        facts.append(("classes", f"{len(np.unique(graph.labels)):,}{': ' if called else ''}{called}{more}"))
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
    *,
    arrows: bool = False,
    bold: bool = False,
) -> str:
    """Nodes and edges as SVG. A title shows when the pointer is on its node.

    Args:
        positions: Places ``[N, 2]``, in any units.
        edges: Pairs of nodes.
        colours: Colour of every node.
        titles: Title of every node.
        size: Width and height in pixels.
        arrows: Whether the second node of every edge gets the head of an arrow.
        bold: Whether lines are dark, as in a drawing of a few nodes.
    """
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
    tips = "".join(_arrow_head(place[a], place[b], radius) for a, b in edges) if arrows else ""
    heads = f"<path d='{tips}' fill='#5f6b7a'/>" if tips else ""
    ink = "stroke='#5f6b7a' stroke-width='1.5'" if bold else "stroke='#8a97a8' stroke-opacity='0.5'"
    return (
        f"<svg width='{size}' height='{size}' viewBox='0 0 {size} {size}' role='img' aria-label='picture of the graph'>"
        f"<path d='{lines}' {ink} fill='none'/>{dots}{heads}</svg>"
    )


def _arrow_head(start: Any, end: Any, radius: float) -> str:
    """A triangle that points at the disc around ``end``."""
    way = (end - start) / max(float(np.linalg.norm(end - start)), 1e-9)
    tip, side = end - radius * way, 0.7 * radius * np.array([-way[1], way[0]])
    back = tip - 1.5 * radius * way
    corners = (tip, back + side, back - side)
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in corners) + "Z"


Positions = npt.NDArray[np.float32]
ITERATIONS = 80
GRAVITY = 0.8
"""Pull towards the middle. It keeps separate parts of a graph on the page."""
STRONGEST = 5.0
"""An edge pulls in proportion to its weight, and at most so many times as strongly as the mean edge."""


def spring_positions(adjacency: Any, seed: int = 0, iterations: int = ITERATIONS) -> Positions:
    """Positions ``[N, 2]`` by the springs of Fruchterman & Reingold (1991): joined nodes attract, all repel.

    Only the edges decide, never the clusters. So a picture coloured by clusters also shows when they are bad. Every
    round is two dense products, Σ_j r_ij (p_i − p_j) = p_i Σ_j r_ij − Σ_j r_ij p_j with r_ij = 1 / d_ij², and takes
    O(N²) memory.

    Args:
        adjacency: Symmetric matrix of weights w_ij ≥ 0. The mean weight counts as 1, and a weight as `STRONGEST` at
            most.
        seed: Seed of the random positions at the start.
        iterations: Rounds.
    """
    links = _springs(adjacency)
    count = links.shape[0]
    p: Positions = np.random.default_rng(seed).uniform(-0.5, 0.5, size=(count, 2)).astype(np.float32)
    ideal = np.float32(1 / np.sqrt(max(count, 1)))  # distance at which two joined nodes rest, on a page of width 1
    for step in range(iterations if count > 1 else 0):
        force = ideal**2 * _repulsion(p, ideal) - _attraction(p, links) / ideal - GRAVITY * p
        length = np.linalg.norm(force, axis=1, keepdims=True)
        heat = np.float32(0.1 * (1 - step / iterations) ** 2)
        p = p + force / np.maximum(length, 1e-9) * np.minimum(length, heat)
    centred: Positions = p - p.mean(axis=0) if count else p
    return centred


def _springs(adjacency: Any) -> sp.csr_array:
    """How strongly the nodes at both ends of an edge attract each other."""
    links = sp.csr_array(adjacency, dtype=np.float64, copy=True)
    links.eliminate_zeros()
    if links.nnz:
        shares = links.data / links.data.max()  # weights may be beyond what float32 holds, and their sum beyond float64
        links.data = np.minimum(shares / shares.mean(), STRONGEST).astype(np.float32)
    return links


def _repulsion(p: Positions, ideal: np.float32) -> Positions:
    square = (p * p).sum(axis=1)
    near = square[:, None] + square - 2 * (p @ p.T)
    np.maximum(near, (0.05 * ideal) ** 2, out=near)  # two nodes at the same place would push infinitely
    np.reciprocal(near, out=near)
    np.fill_diagonal(near, 0)
    force: Positions = p * near.sum(axis=1, keepdims=True) - near @ p
    return force


def _attraction(p: Positions, links: sp.csr_array) -> Positions:
    """Σ over the neighbours of w_ij d_ij (p_i − p_j)."""
    rows = np.repeat(np.arange(len(p)), np.diff(links.indptr))
    arrow = p[rows] - p[links.indices]
    pull = sp.csr_array((links.data * np.linalg.norm(arrow, axis=1), links.indices, links.indptr), shape=links.shape)
    force: Positions = np.asarray(pull.sum(axis=1), dtype=np.float32)[:, None] * p - pull @ p
    return force
