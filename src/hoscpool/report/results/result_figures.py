"""Figures of measured results: bars against published values, curves, and time against size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hoscpool.support.colours import PALETTE

INK, GREY = "#1d2733", "#8a97a8"


@dataclass(frozen=True)
class Point:
    """A measured value with its spread beside the published one; ``None`` where there is none."""

    where: str
    measured: float | None
    sd: float
    published: float | None
    published_sd: float


def comparison_figure(title: str, y_title: str, groups: Mapping[str, Sequence[Point]]) -> Any:
    """Measured values as filled points with error bars, published ones as open ones, a colour a group."""
    import plotly.graph_objects as go

    figure = go.Figure(layout=_layout(title, y_title))
    for number, (name, points) in enumerate(groups.items()):
        colour, shift = PALETTE[number % len(PALETTE)], (number - (len(groups) - 1) / 2) * 0.8 / max(len(groups), 1)
        for measured in (False, True):
            chosen = [(i, p) for i, p in enumerate(points) if (p.measured if measured else p.published) is not None]
            figure.add_scatter(
                x=[i + shift for i, _ in chosen],
                y=[p.measured if measured else p.published for _, p in chosen],
                error_y={
                    "array": [p.sd if measured else p.published_sd for _, p in chosen],
                    "thickness": 1,
                    "width": 2,
                },
                mode="markers",
                name=name if measured else f"{name}, published",
                legendgroup=name,
                showlegend=measured == any(point.measured is not None for point in points),
                marker={"color": colour, "size": 8, "symbol": "circle" if measured else "circle-open"},
                text=[f"{name}, {'measured' if measured else 'published'}<br>{p.where}" for _, p in chosen],
                hovertemplate="%{text}: %{y:.3f}<extra></extra>",
            )
    where = [point.where for point in next(iter(groups.values()), ())]
    figure.update_xaxes(tickvals=list(range(len(where))), ticktext=where)
    return figure


def curves_figure(title: str, measured: Mapping[str, Any], printed: Mapping[str, Any]) -> Any:
    """Loss curves: measured as lines, published dotted; a colour a term."""
    import plotly.graph_objects as go

    figure = go.Figure(layout=_layout(title, "loss", "epoch"))
    for number, term in enumerate(printed):
        for label, curves, dash in (("", measured, "solid"), (", published", printed, "dot")):
            if term in curves:
                epochs, values = curves[term]
                line = {"color": PALETTE[number], "dash": dash, "width": 2}
                figure.add_scatter(x=list(epochs), y=list(values), mode="lines", line=line, name=f"{term}{label}")
    return figure


def time_figure(title: str, groups: Mapping[str, Sequence[tuple[str, int, float]]]) -> Any:
    """Seconds against number of edges, both on logarithmic axes, a line a group of (name, edges, seconds)."""
    import plotly.graph_objects as go

    figure = go.Figure(layout=_layout(title, "seconds", "edges"))
    for number, (name, points) in enumerate(groups.items()):
        ordered = sorted(points, key=lambda point: point[1])
        figure.add_scatter(
            x=[edges for _, edges, _ in ordered],
            y=[seconds for _, _, seconds in ordered],
            text=[where for where, _, _ in ordered],
            hovertemplate="%{text}: %{y:.1f} s<extra></extra>",
            mode="lines+markers",
            name=name,
            line={"color": PALETTE[number % len(PALETTE)], "width": 1},
        )
    figure.update_xaxes(type="log")
    figure.update_yaxes(type="log")
    return figure


def _layout(title: str, y_title: str, x_title: str = "") -> dict[str, Any]:
    return {
        "title": {"text": title, "font": {"size": 16, "color": INK}, "x": 0.02, "y": 0.97, "yanchor": "top"},
        "template": "plotly_white",
        "height": 460,
        "margin": {"l": 10, "r": 10, "t": 48, "b": 10},
        "xaxis": {"title": {"text": x_title}, "automargin": True},
        "yaxis": {"title": {"text": y_title}, "automargin": True},
        "legend": {"orientation": "h", "y": -0.25, "yanchor": "top", "font": {"size": 12}},
    }
