"""The hand-written parts of generated pages, all of them in ``text/``."""

from __future__ import annotations

from importlib.resources import files


def page_text(name: str) -> str:
    """A piece of Markdown."""
    return files("hoscpool.report.results").joinpath("text", name).read_text(encoding="utf-8")
