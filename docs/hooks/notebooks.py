"""A hook of MkDocs: every notebook in ``docs/notebooks`` becomes a page, with the outputs that are stored in it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.structure.files import Files

FOLDER = "notebooks"


def on_files(files: Files, config: Any) -> Files:
    """Add a page for every notebook, beside the notebook itself."""
    from mkdocs.structure.files import File

    for path in sorted((Path(config.docs_dir) / FOLDER).glob("*.ipynb")):
        files.append(File.generated(config, f"{FOLDER}/{path.stem}.md", content=as_markdown(path)))
    return files


def as_markdown(path: Path) -> str:
    """The cells of a notebook, one below the other."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    source = f"*This page is a notebook: [{path.name}]({path.name}).*"
    shown = [part for cell in cells for part in (_cell(cell), *map(_output, cell.get("outputs", []))) if part]
    return "\n\n".join([*shown[:1], source, *shown[1:]]) + "\n"


def _cell(cell: dict[str, Any]) -> str:
    text = _joined(cell["source"]).strip()
    if cell["cell_type"] == "markdown" or not text:
        return text
    return f"```python\n{text}\n```"


def _output(output: dict[str, Any]) -> str:
    """The richest form of an output that needs no script."""
    if output["output_type"] == "stream":
        return _text(_joined(output["text"])) if output["name"] == "stdout" else ""
    data = output.get("data", {})
    if "image/svg+xml" in data:
        return _block(_joined(data["image/svg+xml"]))
    if "image/png" in data:
        return _block(f'<img alt="" src="data:image/png;base64,{_joined(data["image/png"]).strip()}">')
    html = _joined(data.get("text/html", ""))
    if html and "<script" not in html:
        return _block(html)
    return _text(_joined(data.get("text/plain", "")))


def _block(html: str) -> str:
    inside = re.sub(r"\n\s*\n", "\n", html.strip())  # an empty line would end the block
    inside = re.sub(r'<table border="\d+" class="dataframe">', "<table>", inside)  # pandas' own look is no look
    return f'<div class="output">{inside}</div>'


def _text(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```" if text.strip() else ""


def _joined(lines: str | list[str]) -> str:
    return lines if isinstance(lines, str) else "".join(lines)
