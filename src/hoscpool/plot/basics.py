"""What all figures share: layout, names, lines."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from hoscpool.support.errors import MissingDependencyError
from hoscpool.support.plain_text import one_line, shortened


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
