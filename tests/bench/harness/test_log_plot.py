from __future__ import annotations

from xml.etree import ElementTree

import pytest

from hoscpool.bench.harness.log_plot import Series, growth, log_plot


def test_a_power_law_is_found() -> None:
    found = growth([(10**k, 3 * 10 ** (1.5 * k)) for k in range(3, 7)])
    assert found.exponent == pytest.approx(1.5)
    assert found.at(1e8) == pytest.approx(3e12, rel=1e-4)


def test_points_lie_where_the_axes_say() -> None:
    text = log_plot([Series("a < b", [(10, 1), (1000, 100)])], "edges", "seconds")
    root = ElementTree.fromstring(text)
    circles = [(float(c.get("cx", 0)), float(c.get("cy", 0))) for c in root.iter("{http://www.w3.org/2000/svg}circle")]
    assert circles == [(70, 370), (530, 30)]  # the corners
    assert "a &lt; b" in text


def test_nothing_to_draw() -> None:
    assert log_plot([], "edges", "seconds") == ""
    assert log_plot([Series("a", [(0, 1)])], "edges", "seconds") == ""
