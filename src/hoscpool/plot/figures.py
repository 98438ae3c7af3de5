"""The figures: what every one shares, networks, and clusters with their sizes, curves and matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import Graph, spring_positions
from hoscpool.support.colours import PALETTE, class_colours
from hoscpool.support.errors import MissingDependencyError
from hoscpool.support.plain_text import one_line, shortened

Array = npt.NDArray[Any]
MAX_NODES = 3_000
"""Most nodes that are drawn. Of a larger graph, the nodes with most neighbours are drawn."""
MAX_EDGES = 12_000
"""Most edges that are drawn. Of more edges, a random sample is drawn."""
MAX_SVG = 600
"""Up to this number of nodes a picture is vector graphics, which prints well. Larger ones use WebGL, which is quick."""


def colour(cluster: int) -> str:
    """The colour of a cluster, the same in all figures."""
    return PALETTE[cluster % len(PALETTE)]


def loss_figure(history: Mapping[str, Sequence[float]], title: str, axis: str = "loss") -> Any:
    """Every curve of a history over the epochs. A click on a name hides its curve."""
    import plotly.graph_objects as go

    figure = go.Figure(layout=with_axes(title, "epoch", axis, showlegend=True, legend={"orientation": "h", "y": -0.2}))
    for number, (name, values) in enumerate(history.items()):
        line = {"color": colour(number), "width": 3 if name == "objective" else 1.5}
        figure.add_scatter(x=list(range(1, len(values) + 1)), y=list(values), mode="lines", name=name, line=line)
    return figure


def sizes_figure(sizes: Sequence[int], title: str) -> Any:
    """One bar per cluster."""
    import plotly.graph_objects as go

    names = [str(number) for number in range(len(sizes))]
    bars = go.Bar(
        x=names,
        y=list(sizes),
        marker={"color": [colour(number) for number in range(len(sizes))]},
        hovertemplate="cluster %{x}: %{y:,} nodes<extra></extra>",
    )
    figure = go.Figure(bars, with_axes(title, "cluster", "nodes"))
    figure.update_xaxes(type="category")
    return figure


def curves_figure(x: Sequence[float], curves: Mapping[str, Sequence[float]], title: str, x_title: str) -> Any:
    """Several curves over the same x values, with points."""
    import plotly.graph_objects as go

    figure = go.Figure(layout=with_axes(title, x_title, "", showlegend=True, legend={"orientation": "h", "y": -0.2}))
    for number, (name, values) in enumerate(curves.items()):
        line = {"color": colour(number), "width": 3 if name == "score" else 1.5}
        figure.add_scatter(x=list(x), y=list(values), mode="lines+markers", name=name, line=line)
    return figure


def nodes_to_draw(graph: Graph, limit: int = MAX_NODES) -> tuple[Array, str | None]:
    """The nodes that `clusters_figure` draws, and a notice if they are not all."""
    if graph.num_nodes <= limit:
        return np.arange(graph.num_nodes), None
    degree = graph.undirected().degree
    chosen = np.sort(np.argsort(-degree, kind="stable")[:limit])
    return chosen, (f"The graph has {graph.num_nodes:,} nodes. The picture shows those {limit:,} with most neighbours.")


def clusters_figure(graph: Graph, labels: Array, nodes: Array, title: str) -> Any:
    """Nodes coloured by cluster and placed by their edges alone. A click in the legend hides a cluster."""
    import plotly.graph_objects as go

    part = graph.undirected().subgraph(nodes)
    labels, positions = labels[nodes], spring_positions(part.adjacency)
    kind = go.Scatter if part.num_nodes <= MAX_SVG else go.Scattergl
    figure = go.Figure(layout=_without_axes(title, height=640, showlegend=True))
    figure.add_trace(kind(**_edges(part, positions)))
    size = 4 + 8 / (1 + part.num_nodes / 150)
    for cluster in np.unique(labels).tolist():
        inside = np.flatnonzero(labels == cluster)
        figure.add_trace(
            kind(
                x=positions[inside, 0],
                y=positions[inside, 1],
                mode="markers",
                marker={"size": size, "color": colour(cluster), "line": {"width": 0.5, "color": "#fff"}},
                text=[f"{name_shown(part.titles[i])}<br>cluster {cluster}" for i in inside.tolist()],
                hoverinfo="text",
                name=f"cluster {cluster}",
            )
        )
    return figure


def _edges(graph: Graph, positions: Array) -> dict[str, Any]:
    """The trace of all edges, or of a random sample of `MAX_EDGES`; its name says so."""
    upper = sp.triu(graph.adjacency, k=1).tocoo()
    shown = _sample(upper.nnz, MAX_EDGES)
    x, y = segments(positions, upper.row[shown], upper.col[shown])
    opacity = np.clip(12 / np.sqrt(max(len(shown), 1)), 0.1, 0.45)  # many overlapping lines turn black
    line = {"width": 0.8, "color": f"rgba(60, 70, 85, {opacity:.2f})"}
    name = "edges" if len(shown) == upper.nnz else f"edges ({len(shown):,} of {upper.nnz:,})"
    return {"x": x, "y": y, "mode": "lines", "line": line, "hoverinfo": "skip", "name": name}


def coarse_figure(links: Array, sizes: Array, title: str) -> Any:
    """The coarsened graph: one disc per cluster, with area by number of nodes; lines with width by edge weight."""
    import plotly.graph_objects as go

    used = np.flatnonzero(sizes)
    weight = np.triu(links[np.ix_(used, used)], k=1)
    positions = _ring(len(used))
    figure = go.Figure(layout=_without_axes(title, height=460))
    pairs = np.argwhere(weight > 0).tolist()
    for a, b in pairs:
        share = float(weight[a, b] / weight.max())
        line = {"width": 0.5 + 9 * share, "color": f"rgba(60, 70, 85, {0.12 + 0.45 * share:.2f})"}
        figure.add_scatter(x=positions[[a, b], 0], y=positions[[a, b], 1], mode="lines", line=line, hoverinfo="skip")
    middle = np.array([positions[pair].mean(axis=0) for pair in pairs]).reshape(-1, 2)
    text = [f"{used[a]} – {used[b]}: weight {weight[a, b]:,.4g}" for a, b in pairs]
    invisible = {"size": 12, "opacity": 0}  # a line has no text of its own to show under the pointer
    figure.add_scatter(x=middle[:, 0], y=middle[:, 1], mode="markers", marker=invisible, text=text, hoverinfo="text")
    figure.add_scatter(**_discs(positions, used.tolist(), sizes))
    return figure


def _discs(positions: Array, used: list[int], sizes: Array) -> dict[str, Any]:
    marker = {
        "size": 16 + 54 * np.sqrt(sizes[used] / sizes.max()),
        "color": [colour(k) for k in used],
        "line": {"width": 2, "color": "#fff"},
        "opacity": 1,
    }
    return {
        "x": positions[:, 0],
        "y": positions[:, 1],
        "mode": "markers+text",
        "marker": marker,
        "text": [str(k) for k in used],
        "textfont": {"color": "#fff"},
        "hovertext": [f"cluster {k}: {sizes[k]:,.0f} nodes" for k in used],
        "hoverinfo": "text",
    }


def _ring(count: int) -> Array:
    angle = np.pi / 2 - 2 * np.pi * np.arange(count) / max(count, 1)
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _sample(count: int, limit: int) -> Array:
    if count <= limit:
        return np.arange(count)
    return np.sort(np.random.default_rng(0).choice(count, size=limit, replace=False))


def with_axes(title: str, x_title: str, y_title: str, **more: Any) -> dict[str, Any]:
    """The layout of a figure with axes."""
    axes = {"xaxis": {"title": {"text": x_title}}, "yaxis": {"title": {"text": y_title}}}
    return layout(title, height=380, margin={"l": 60, "r": 20, "t": 48, "b": 50}, **axes, **more)


def _without_axes(title: str, **more: Any) -> dict[str, Any]:
    hidden = {"visible": False, "automargin": False}
    return layout(title, xaxis=hidden, yaxis={**hidden, "scaleanchor": "x"}, **more)


def name_shown(name: Any) -> str:
    """The name of a node for Plotly, which takes some HTML in texts for markup."""
    return escape(shortened(one_line(str(name)), 200))


def layout(title: str, **more: Any) -> dict[str, Any]:
    """The layout that all figures share. ``more`` overrides it."""
    return {
        "title": {"text": title, "font": {"size": 16}},
        "margin": {"l": 10, "r": 10, "t": 48, "b": 10},
        "template": "plotly_white",
        "showlegend": False,
        **more,
    }


def segments(
    positions: np.ndarray[Any, Any], tails: np.ndarray[Any, Any], heads: np.ndarray[Any, Any]
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Coordinates x and y of many lines in one trace: tail, head, a gap, and so on."""
    ends = np.stack([positions[tails], positions[heads], np.full((len(tails), 2), np.nan)])  # [3, E, 2]
    x, y = ends.transpose(2, 1, 0).reshape(2, -1)
    return x, y


def require_plotly(what: str = "a page with pictures") -> None:
    """Check that Plotly is installed.

    Raises:
        MissingDependencyError: It is not. The message names the extra to install.
    """
    try:
        import plotly  # noqa: F401
    except ImportError as error:
        raise MissingDependencyError("plotly", "report", what) from error


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
