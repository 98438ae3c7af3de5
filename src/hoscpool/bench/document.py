"""Writes results to files: a section of a markdown page that several suites share, or JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hoscpool.writing import write_text

TITLE = "# Benchmarks\n\nWritten by `hoscpool bench NAME -o FILE`; a section is replaced when its suite runs again.\n"
SUFFIXES = (".md", ".json")


def check_output(path: Path) -> Path:
    """The path, if results can be written there.

    Raises:
        ValueError: The extension is not known.
        FileNotFoundError: The folder is not there.
    """
    if path.suffix not in SUFFIXES:
        raise ValueError(f"--output: expected a file name ending in {' or '.join(SUFFIXES)} (got {str(path)!r})")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"--output: the folder {str(path.parent)!r} does not exist")
    return path


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write everything that was measured."""
    write_text(path, json.dumps(content, indent=2, ensure_ascii=False) + "\n")


def write_section(path: Path, name: str, body: str) -> None:
    """Put a section into a markdown page, in place of its previous version; a new page gets a title first."""
    page = path.read_text(encoding="utf-8") if path.exists() else TITLE
    write_text(path, with_section(page, name, body))


def with_section(page: str, name: str, body: str) -> str:
    r"""The page with a section between its two markers, in place of what was there, or at the end.

    Raises:
        ValueError: The page has only one of the two markers.

    Examples:
        >>> with_section("# Page\n", "toy", "new")
        '# Page\n\n<!-- bench:toy:start -->\n\nnew\n\n<!-- bench:toy:end -->\n'
    """
    start, end = f"<!-- bench:{name}:start -->", f"<!-- bench:{name}:end -->"
    section = f"{start}\n\n{body.strip()}\n\n{end}"
    before, found_start, rest = page.partition(start)
    _, found_end, after = rest.partition(end)
    if not found_start and end not in page:
        return f"{page.rstrip()}\n\n{section}\n"
    if not found_end:
        raise ValueError(f"expected both {start} and {end}, in this order; repair the page or remove what is there")
    return f"{before}{section}{after}"
