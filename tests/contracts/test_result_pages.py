"""The pages of results say what the committed records say, no more and no less."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoscpool.cli import main

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    assert main(["report", str(ROOT / "results"), "--docs", str(folder)]) == 0
    return folder


def names(folder: Path) -> set[str]:
    """The generated pages in a folder."""
    there = [*folder.glob("re*.md"), *(folder / "reproduction").iterdir(), folder / "images" / "syn1-correlation.svg"]
    return {path.relative_to(folder).as_posix() for path in there if path.name != "reliability.md"}


def test_pages_are_those_of_the_records(pages: Path) -> None:
    assert names(ROOT / "docs") == names(pages)
    for name in names(pages):
        committed = (ROOT / "docs" / name).read_text(encoding="utf-8")
        generated = (pages / name).read_text(encoding="utf-8")
        assert committed == generated, f"docs/{name} is out of date: hoscpool report results --docs docs"
