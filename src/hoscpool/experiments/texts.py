"""The hand-written parts of generated pages, all of them in ``text/``."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files


def page_text(name: str) -> str:
    """A piece of Markdown."""
    return files("hoscpool.experiments").joinpath("text", name).read_text(encoding="utf-8")


@cache
def _notes() -> dict[str, str]:
    return tomllib.loads(page_text("notes.toml"))


def note(name: str) -> str:
    """What to know about a table or figure."""
    return _notes()[name]
