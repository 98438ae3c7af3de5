"""Growth with size: power laws fitted to measurements, and a picture on two logarithmic axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import numpy as np

Points = Sequence[tuple[float, float]]
WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 190, 30, 50
COLOURS = ("#3366cc", "#dc3912", "#109618", "#990099", "#ff9900", "#0099c6", "#994499", "#666666")


class Series(NamedTuple):
    """A name, and its points (size, measure)."""

    name: str
    points: Sequence[tuple[float, float]]


class Growth(NamedTuple):
    """The power law ``factor · size ** exponent``."""

    exponent: float
    factor: float

    def at(self, size: float) -> float:
        """Its value at a size."""
        return float(self.factor * size**self.exponent)


def growth(points: Points) -> Growth:
    """The power law that fits points best on logarithmic axes.

    Examples:
        >>> growth([(10, 20), (100, 200)])
        Growth(exponent=1.0, factor=2.0)
    """
    x, y = np.log(np.maximum(np.array(points, dtype=float).T, 1e-12))
    exponent, offset = np.polyfit(x, y, 1)
    return Growth(round(float(exponent), 6), round(float(np.exp(offset)), 12))


def log_plot(series: Sequence[Series], x_label: str, y_label: str) -> str:
    """An SVG picture of all series on logarithmic axes. Empty text without points.

    Args:
        series: What to draw.
        x_label: Text below.
        y_label: Text above the vertical axis.
    """
    points = np.array([point for one in series for point in one.points if min(point) > 0])
    if not len(points):
        return ""
    (x0, y0), (x1, y1) = np.floor(np.log10(points.min(axis=0))), np.ceil(np.log10(points.max(axis=0)))
    axes = _Axes(x0, max(x1, x0 + 1), y0, max(y1, y0 + 1))
    parts = [*axes.grid(), *axes.labels(x_label, y_label)]
    for number, one in enumerate(series):
        parts += _line(axes, one, COLOURS[number % len(COLOURS)], number)
    body = "\n".join(parts)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"'
    return f'{head} font-size="12">\n<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>\n{body}\n</svg>\n'


class _Axes(NamedTuple):
    """The powers of ten at the ends of both axes."""

    x0: float
    x1: float
    y0: float
    y1: float

    def place(self, x: float, y: float) -> tuple[float, float]:
        """The place of a point in the picture."""
        across = (math.log10(x) - self.x0) / (self.x1 - self.x0)
        up = (math.log10(y) - self.y0) / (self.y1 - self.y0)
        return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)

    def grid(self) -> list[str]:
        """Lines and numbers at the powers of ten."""
        parts = []
        for power in range(int(self.x0), int(self.x1) + 1):
            x, bottom = self.place(10.0**power, 10.0**self.y0)
            parts.append(f'<path d="M{x:.1f} {TOP}V{bottom:.1f}" stroke="#ddd"/>')
            parts.append(f'<text x="{x:.1f}" y="{bottom + 18:.1f}" text-anchor="middle">{_power(power)}</text>')
        for power in range(int(self.y0), int(self.y1) + 1):
            left, y = self.place(10.0**self.x0, 10.0**power)
            parts.append(f'<path d="M{left:.1f} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
            parts.append(f'<text x="{left - 8:.1f}" y="{y + 4:.1f}" text-anchor="end">{_power(power)}</text>')
        return parts

    def labels(self, x_label: str, y_label: str) -> list[str]:
        """What the axes show."""
        middle = (LEFT + WIDTH - RIGHT) / 2
        return [
            f'<text x="{middle:.1f}" y="{HEIGHT - 10}" text-anchor="middle">{escape(x_label)}</text>',
            f'<text x="{LEFT}" y="{TOP - 12}" text-anchor="middle">{escape(y_label)}</text>',
        ]


def _power(power: int) -> str:
    return f'10<tspan dy="-5" font-size="9">{power}</tspan>'


def _line(axes: _Axes, series: Series, colour: str, number: int) -> list[str]:
    places = [axes.place(x, y) for x, y in series.points if x > 0 and y > 0]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    y = TOP + 10 + 20 * number
    left = WIDTH - RIGHT + 15
    return [
        f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>',
        *(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places),
        f'<path d="M{left} {y}h18" stroke="{colour}" stroke-width="2"/>',
        f'<text x="{left + 24}" y="{y + 4}">{escape(series.name)}</text>',
    ]
