"""The figure of Syn1: NMI by the correlation of the first feature with the class, a panel for every μ."""

from __future__ import annotations

from html import escape

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
