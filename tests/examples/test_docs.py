"""The code in the documentation runs: every page from top to bottom, and every command as a reader would type it."""

from __future__ import annotations

import ast
import json
import re
import runpy
import shlex
import shutil
import tomllib
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hoscpool.cli import build_parser
from hoscpool.motifs import MOTIFS
from hoscpool.nn.pools.registry import POOLS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
TOLD = [
    DOCS / "faq.md",
    *sorted((DOCS / "concepts").glob("*.md")),
    *sorted((DOCS / "howto").glob("*.md")),
]
SLOW = ("choose-k", "big-graphs", "choose-motifs")
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
PLACEHOLDERS = {"GRAPH", "NAME", "RESULTS"}


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with the files that the pages speak of. What a page registers is taken out again."""
    for name in ("emails.csv", "people.csv", "teams.csv"):
        shutil.copy(ROOT / "examples" / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    known = set(MOTIFS)
    with POOLS.restored():
        yield tmp_path
    for name in set(MOTIFS) - known:
        del MOTIFS[name]


def run(page: Path) -> dict[str, object]:
    names: dict[str, object] = {}
    for number, block in enumerate(blocks(page, "python")):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(block, f"{page.name}, block {number + 1}", "exec"), names)
    return names


def pages() -> Iterator[object]:
    for page in TOLD:
        if blocks(page, "python"):
            yield pytest.param(page, id=page.stem, marks=[pytest.mark.slow] if page.stem in SLOW else [])


@pytest.mark.parametrize("page", list(pages()))
def test_the_code_of_a_page_runs(page: Path, folder: Path) -> None:
    assert folder
    run(page)


@pytest.mark.slow
def test_the_code_of_the_front_page_runs(folder: Path) -> None:
    (folder / "examples").mkdir()
    shutil.copy(folder / "emails.csv", folder / "examples")
    assert run(ROOT / "README.md")["edge_index"] is not None
    assert (folder / "page.html").exists()


def test_the_tutorial_says_what_comes_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert folder
    names = run(DOCS / "tutorial.md")
    found, triangles, place = names["found"], names["triangles"], names["place"]
    assert len(found.communities) == 5  # type: ignore[attr-defined]
    between = found.table[found.model.between_]  # type: ignore[attr-defined]
    assert between["node"].tolist() == ["Bianca Costa"]
    assert "93% of the ties (by chance 24%) and 100% of the triangles (by chance 35%)" in capsys.readouterr().out
    assert triangles[place["Chloe Diaz"], place["Dario Conti"]] == 10  # type: ignore[index]


def commands(page: Path) -> Iterator[str]:
    """The hoscpool commands of a page, without what the shell does with them."""
    for block in blocks(page, "console"):
        for line in block.splitlines():
            if found := re.match(r"(?:\$ )?(hoscpool [^#>|]*)", line):
                yield found[1].strip()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_commands_of_a_page_are_valid(page: Path) -> None:
    for command in commands(page):
        words = shlex.split(command.replace("…", ""))[1:]
        if words and not {"--help", "--version", "-h"} & set(words) and not PLACEHOLDERS & set(words):
            build_parser().parse_args(words)


def test_python_in_all_pages_parses() -> None:
    for page in PAGES:
        for block in blocks(page, "python"):
            ast.parse(block, page.name)


def test_every_page_is_in_the_navigation() -> None:
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    named = set(re.findall(r"([\w/.-]+\.(?:md|ipynb))$", text, re.MULTILINE))
    there = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
    there |= {f"notebooks/{page.stem}.md" for page in (DOCS / "notebooks").glob("*.ipynb")}  # made by a hook
    assert there - named == set()
    assert named - there == set()


def test_the_front_page_is_short_and_names_what_is_there() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(readme.splitlines()) <= 150
    for target in re.findall(r"\]\(([^)#:]+)(?:#[\w-]+)?\)", readme):
        assert (ROOT / target).exists(), target


def test_every_extra_is_named_where_it_is_missed() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    asked = set(re.findall(r"hoscpool\[(\w+)\]", (DOCS / "faq.md").read_text(encoding="utf-8")))
    assert asked == set(extras) - {"dev", "docs", "report"}


def test_the_scores_of_the_front_page_are_those_of_the_results() -> None:
    """Every number of its first table stands in the row of that graph in docs/results.md."""
    results = (DOCS / "results.md").read_text(encoding="utf-8").split("**ARI**")[0]
    table = (ROOT / "README.md").read_text(encoding="utf-8").split("## Measured")[1].split("Speed, one thread")[0]
    rows = [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in table.splitlines() if "| 0." in line]
    assert len(rows) >= 5
    for name, *scores in rows:
        measured = " ".join(line for line in results.splitlines() if line.startswith(f"| {name} |"))
        assert all(score == "–" or score in measured for score in scores), name


def test_the_times_of_the_front_page_are_those_of_the_benchmarks() -> None:
    benchmarks = (DOCS / "benchmarks.md").read_text(encoding="utf-8")
    table = (ROOT / "README.md").read_text(encoding="utf-8").split("Speed, one thread")[1].split("## When")[0]
    found = re.findall(r"\d+(?:\.\d+)?(?=×| ms)", table)
    assert len(found) >= 8
    assert [number for number in found if number not in benchmarks] == []


def hook(name: str) -> dict[str, Any]:
    """The names of a hook of the documentation."""
    return runpy.run_path(str(DOCS / "hooks" / f"{name}.py"))


def test_a_notebook_becomes_a_page(tmp_path: Path) -> None:
    outputs = [
        {"output_type": "stream", "name": "stdout", "text": ["one\n", "two\n"]},
        {"output_type": "stream", "name": "stderr", "text": "a bar"},
        {"output_type": "execute_result", "data": {"text/html": "<table>\n\n<tr></tr></table>", "text/plain": "t"}},
        {"output_type": "display_data", "data": {"text/html": "<script>alert(1)</script>", "text/plain": "figure"}},
        {"output_type": "display_data", "data": {"image/png": "iVBOR\n", "text/plain": "picture"}},
    ]
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "words"]},
        {"cell_type": "code", "source": "1 + 1", "outputs": outputs},
        {"cell_type": "code", "source": "", "outputs": []},
    ]
    path = tmp_path / "n.ipynb"
    path.write_text(json.dumps({"cells": cells}))
    assert hook("notebooks")["as_markdown"](path).split("\n\n") == [
        "# Title\nwords",
        "*This page is a notebook: [n.ipynb](n.ipynb).*",
        "```python\n1 + 1\n```",
        "```text\none\ntwo\n```",
        '<div class="output"><table>\n<tr></tr></table></div>',
        "```text\nfigure\n```",
        '<div class="output"><img alt="" src="data:image/png;base64,iVBOR"></div>\n',
    ]


def test_formulas_are_set_without_scripts() -> None:
    pytest.importorskip("latex2mathml")
    page = '<p><span class="arithmatex">\\(a &lt; b\\)</span></p><div class="arithmatex">\\[x_i\\]</div>'
    html = hook("formulas")["on_page_content"](page)
    assert html.count("<math") == 2
    assert "<msub><mi>x</mi><mi>i</mi></msub>" in html
    assert '<div class="formula">' in html
    assert "arithmatex" not in html
