from __future__ import annotations

import json
from pathlib import Path

import pytest

from hoscpool.bench.harness.result_files import check_output, with_section, write_json, write_section


def test_a_new_page_has_a_title_and_the_section(tmp_path: Path) -> None:
    path = tmp_path / "benchmarks.md"
    write_section(path, "motifs", "first")
    assert path.read_text().startswith("# Benchmarks\n")
    assert "first" in path.read_text()
    assert list(tmp_path.iterdir()) == [path]


def test_writing_again_replaces_only_its_own_section(tmp_path: Path) -> None:
    path = tmp_path / "benchmarks.md"
    path.write_text("# Mine\n\nAn introduction.\n")
    write_section(path, "motifs", "first")
    write_section(path, "fit", "of another suite")
    write_section(path, "motifs", "second")
    text = path.read_text()
    assert "An introduction." in text
    assert "of another suite" in text
    assert "second" in text
    assert "first" not in text
    write_section(path, "motifs", "second")
    assert path.read_text() == text


def test_text_after_a_section_stays() -> None:
    page = with_section("before\n", "toy", "old") + "\nafter\n"
    assert with_section(page, "toy", "new") == page.replace("old", "new")


@pytest.mark.parametrize(
    "page",
    [
        "<!-- bench:toy:start -->\nlost end",
        "<!-- bench:toy:end -->\nlost start",
        "<!-- bench:toy:end -->\n<!-- bench:toy:start -->",
    ],
)
def test_a_broken_page_is_left_alone(page: str, tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(page)
    with pytest.raises(ValueError, match="expected both"):
        write_section(path, "toy", "new")
    assert path.read_text() == page


def test_json(tmp_path: Path) -> None:
    write_json(tmp_path / "x.json", {"ratio": 2.5})
    assert json.loads((tmp_path / "x.json").read_text()) == {"ratio": 2.5}


def test_output_is_checked_before_the_run(tmp_path: Path) -> None:
    assert check_output(tmp_path / "x.md") == tmp_path / "x.md"
    with pytest.raises(ValueError, match=r"ending in \.md or \.json \(got 'x\.txt'\)"):
        check_output(Path("x.txt"))
    with pytest.raises(FileNotFoundError, match="does not exist"):
        check_output(tmp_path / "no" / "x.md")
