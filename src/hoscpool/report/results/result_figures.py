"""Figures of results: NMI by the correlation of the first feature with the class (Syn1), scores, curves and times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from hoscpool.experiments import MU_VALUES, PAPER_TABLES, Results, find_experiment, published
from hoscpool.experiments.tables import TRAINED
from hoscpool.support.colours import PALETTE

FILE = "syn1-correlation.svg"
SENTENCE = (
    "NMI on Syn1 by the correlation of its first feature with the class, one panel for each μ. MinCutPool has no μ. "
    "Grey: k-means on the features, without the graph. Rings: the published values."
)
_WIDTH, _HEIGHT, _LEFT, _TOP, _GAP = 290, 240, 44, 44, 24
_INK, _GREY, _QUIET = "#1d2733", "#c3cad3", "#8a97a8"
ALONE = "kmeans"
_SYN1_ITSELF = {"syn1": 0.38}


def correlation_figure(results: Results) -> str:
    """The figure as SVG. A method that was not run at a correlation has no point there."""
    values = tuple(MU_VALUES["hosc"])
    panels = "".join(_panel(results, mu, number) for number, mu in enumerate(values))
    width = _LEFT + len(values) * (_WIDTH + _GAP)
    height = _TOP + _HEIGHT + 76
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        f'font-size="13" role="img"><title>{escape(SENTENCE)}</title><rect width="{width}" height="{height}" '
        f'fill="#fff"/>{panels}{_legend(height - 14)}</svg>\n'
    )


def correlations() -> dict[str, float]:
    """The datasets of the figure with their correlations, in order."""
    found = {name: _SYN1_ITSELF.get(name) or int(name[-2:]) / 100 for name in PAPER_TABLES["syn1-correlation"].datasets}
    return dict(sorted(found.items(), key=lambda item: item[1]))


def _panel(results: Results, mu: float, number: int) -> str:
    left = _LEFT + number * (_WIDTH + _GAP)
    middle = left + _WIDTH / 2
    parts = [f'<text x="{middle}" y="24" text-anchor="middle" font-weight="700" fill="{_INK}">μ = {mu:g}</text>']
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(_line(left, _y(tick), left + _WIDTH, _y(tick), _GREY))
        if number == 0:
            parts.append(_label(left - 8, _y(tick) + 4, f"{tick:g}", "end"))
    for position, r in enumerate(correlations().values()):
        parts.append(_label(_x(left, position), _TOP + _HEIGHT + 18, f"{r:.2f}".lstrip("0"), "middle"))
    parts.append(_label(_x(left, _paper()), _TOP + _HEIGHT + 18, "paper", "middle"))
    parts += [_curve(results, method, mu, left, colour) for method, colour in zip(TRAINED, PALETTE, strict=False)]
    parts.append(_curve(results, ALONE, mu, left, _QUIET))
    return "".join(parts)


def _curve(results: Results, method: str, mu: float, left: float, colour: str) -> str:
    name = MU_VALUES[method][mu] if method in MU_VALUES else method
    points = []
    for position, dataset in enumerate(correlations()):
        summary = results.summary("clustering", dataset, name, "nmi")
        if summary is not None:
            points.append((_x(left, position), _y(summary.mean)))
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in points)
    printed = published("Table 1", "syn1", method, "nmi")
    ring = ""
    if printed is not None and method in TRAINED:
        x, y = _x(left, _paper()) + 4 * (TRAINED.index(method) - 1.5), _y(printed.value)
        ring = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="#fff" stroke="{colour}" stroke-width="2"/>'
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>{dots}{ring}'


def _legend(y: float) -> str:
    title = find_experiment("clustering").title
    entries = [*zip(TRAINED, PALETTE, strict=False), (ALONE, _QUIET)]
    return "".join(
        f'<circle cx="{_LEFT + 8 + 130 * i}" cy="{y - 4}" r="5" fill="{colour}"/>'
        + _label(_LEFT + 20 + 130 * i, y, title(method), "start")
        for i, (method, colour) in enumerate(entries)
    ) + _label(
        _LEFT + 20 + 130 * len(TRAINED), y, "x: correlation of the first feature with the class; y: NMI", "start"
    )


def _paper() -> float:
    """The position of the published values, half a step further than the others."""
    return len(correlations()) + 0.3


def _x(left: float, position: float) -> float:
    return left + 14 + position * (_WIDTH - 32) / _paper()


def _y(value: float) -> float:
    return _TOP + (1 - value) * _HEIGHT


def _line(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def _label(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{_INK}">{escape(text)}</text>'


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
        "title": {"text": title, "font": {"size": 16, "color": _INK}, "x": 0.02, "y": 0.97, "yanchor": "top"},
        "template": "plotly_white",
        "height": 460,
        "margin": {"l": 10, "r": 10, "t": 48, "b": 10},
        "xaxis": {"title": {"text": x_title}, "automargin": True},
        "yaxis": {"title": {"text": y_title}, "automargin": True},
        "legend": {"orientation": "h", "y": -0.25, "yanchor": "top", "font": {"size": 12}},
    }
