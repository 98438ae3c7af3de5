"""Positions of nodes, and Plotly figures of graphs and matrices."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import Graph
from hoscpool.support.plain_text import one_line, shortened

Positions = npt.NDArray[np.float32]
ITERATIONS = 80
GRAVITY = 0.8
"""Pull towards the middle. It keeps separate parts of a graph on the page."""


def name_shown(name: Any) -> str:
    """The name of a node for Plotly, which takes some HTML in texts for markup."""
    return escape(shortened(one_line(str(name)), 200))


def spring_positions(adjacency: Any, seed: int = 0, iterations: int = ITERATIONS) -> Positions:
    """Positions ``[N, 2]`` by the springs of Fruchterman & Reingold (1991): joined nodes attract, all repel.

    Only the edges decide, never the clusters. So a picture coloured by clusters also shows when they are bad. Every
    round is two dense products, Σ_j (p_i − p_j) / d_ij² = p_i Σ_j w_ij − Σ_j w_ij p_j, and takes O(N²) memory.

    Args:
        adjacency: Symmetric matrix. Only whether an entry exists counts, not its value.
        seed: Seed of the random positions at the start.
        iterations: Rounds.
    """
    links = sp.csr_array(adjacency != 0, dtype=np.float32)
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


def _repulsion(p: Positions, ideal: np.float32) -> Positions:
    square = (p * p).sum(axis=1)
    near = square[:, None] + square - 2 * (p @ p.T)
    np.maximum(near, (0.05 * ideal) ** 2, out=near)  # two nodes at the same place would push infinitely
    np.reciprocal(near, out=near)
    np.fill_diagonal(near, 0)
    force: Positions = p * near.sum(axis=1, keepdims=True) - near @ p
    return force


def _attraction(p: Positions, links: sp.csr_array) -> Positions:
    """Σ over the neighbours of d_ij (p_i − p_j)."""
    rows = np.repeat(np.arange(len(p)), np.diff(links.indptr))
    arrow = p[rows] - p[links.indices]
    pull = sp.csr_array((np.linalg.norm(arrow, axis=1), links.indices, links.indptr), shape=links.shape)
    force: Positions = np.asarray(pull.sum(axis=1), dtype=np.float32)[:, None] * p - pull @ p
    return force


PALETTE = (
    *("#3b6fb6", "#d9772b", "#3a9a62", "#b5485d", "#7a5ba8", "#8a6d3b", "#c45f9f", "#5f6b78"),
    *("#d9b310", "#22a6b3", "#8fbc5a", "#e58b88", "#4b4fa6", "#b08ac9", "#2f6f6a", "#a33e1f"),
)


def class_colours(labels: np.ndarray[Any, Any]) -> list[str]:
    """One colour per class, repeated if there are more classes than colours."""
    return [PALETTE[int(label) % len(PALETTE)] for label in labels]


def layout(title: str, **more: Any) -> dict[str, Any]:
    """The layout that all figures share. ``more`` overrides it."""
    return {
        "title": {"text": title, "font": {"size": 16}},
        "margin": {"l": 10, "r": 10, "t": 48, "b": 10},
        "template": "plotly_white",
        "showlegend": False,
        **more,
    }


def matrix_figure(matrix: sp.csr_array, labels: np.ndarray[Any, Any], title: str) -> Any:
    """The nonzeros of a matrix with nodes ordered by class. Entries inside a class have its colour."""
    import plotly.graph_objects as go

    order = np.argsort(labels, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    entries = matrix.tocoo()
    same = labels[entries.row] == labels[entries.col]
    colours = np.where(same, np.array(class_colours(labels))[entries.row], "#b9c2cd")
    marker = {"size": 2 if len(order) > 200 else 6, "color": colours, "symbol": "square"}
    points = go.Scattergl(x=place[entries.col], y=place[entries.row], mode="markers", marker=marker, hoverinfo="skip")
    axis = {
        "range": [-0.5, len(order) - 0.5],
        "showticklabels": False,
        "showgrid": False,
        "zeroline": False,
        "constrain": "domain",
        "mirror": True,
        "linecolor": "#8a97a8",
    }
    y_axis = {**axis, "range": [len(order) - 0.5, -0.5], "scaleanchor": "x"}
    return go.Figure(points, layout(title, xaxis=axis, yaxis=y_axis, height=460))


def network_figure(
    graph: Graph, weights: sp.csr_array, title: str, seed: int = 0, labels: np.ndarray[Any, Any] | None = None
) -> Any:
    """The graph in a spring layout. Nodes are coloured by class. Heavier edges are darker and wider.

    Args:
        graph: The graph.
        weights: Symmetric edge weights.
        title: Title of the figure.
        seed: Seed of the positions. The same graph and seed give the same picture.
        labels: Labels to colour by, instead of the graph's own classes.
    """
    import plotly.graph_objects as go

    positions = spring_positions(graph.undirected().adjacency, seed)
    upper = sp.triu(graph.undirected().adjacency, k=1).tocoo()
    weight = np.asarray(weights[upper.row, upper.col], dtype=float).ravel()
    figure = go.Figure(layout=layout(title, height=460))
    levels = np.unique(weight)
    for level in levels:
        share = level / levels[-1] if len(levels) > 1 else 0.3
        chosen = weight == level
        x, y = segments(positions, upper.row[chosen], upper.col[chosen])
        line = {"width": 1 + 4 * share, "color": f"rgba(40, 50, 65, {0.12 + 0.6 * share:.2f})"}
        figure.add_scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip")
    if labels is None:
        labels = np.zeros(graph.num_nodes, int) if graph.labels is None else graph.labels
    strength = np.asarray(weights.sum(axis=1)).ravel()
    text = [
        f"{name_shown(name)}<br>class {label}<br>weight {s:,.0f}"
        for name, label, s in zip(graph.names, labels, strength, strict=True)
    ]
    marker = {"size": 15, "color": class_colours(labels), "line": {"width": 1, "color": "#fff"}}
    figure.add_scatter(x=positions[:, 0], y=positions[:, 1], mode="markers", marker=marker, text=text, hoverinfo="text")
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False)
    return figure


def segments(
    positions: np.ndarray[Any, Any], tails: np.ndarray[Any, Any], heads: np.ndarray[Any, Any]
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Coordinates x and y of many lines in one trace: tail, head, a gap, and so on."""
    ends = np.stack([positions[tails], positions[heads], np.full((len(tails), 2), np.nan)])  # [3, E, 2]
    x, y = ends.transpose(2, 1, 0).reshape(2, -1)
    return x, y
