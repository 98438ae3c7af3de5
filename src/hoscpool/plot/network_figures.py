"""Plotly figures of a whole graph and of a matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from hoscpool.graph import Graph, spring_positions
from hoscpool.plot.basics import layout, name_shown, segments
from hoscpool.support.colours import class_colours


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
        for name, label, s in zip(graph.titles, labels, strength, strict=True)
    ]
    marker = {"size": 15, "color": class_colours(labels), "line": {"width": 1, "color": "#fff"}}
    figure.add_scatter(x=positions[:, 0], y=positions[:, 1], mode="markers", marker=marker, text=text, hoverinfo="text")
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False)
    return figure
