"""The demo: right numbers, and a page that a real browser draws without asking anyone."""

from __future__ import annotations

import contextlib
import io
import json
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from hoscpool.cli import main
from hoscpool.cluster import match_numbers
from hoscpool.report.page import Page
from report.browser import drawn, needs_browser


class Demo(NamedTuple):
    folder: Path
    lines: list[str]

    @property
    def cells(self) -> list[list[str]]:
        """The rows of all tables, one after the other."""
        return [re.split(r"\s{2,}", line.strip()) for line in self.lines]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """The demo, run once."""
    folder, out = tmp_path_factory.mktemp("demo") / "new[/b]" / "folder", io.StringIO()  # not markup of the console
    with contextlib.redirect_stdout(out):
        assert main(["demo", "-o", str(folder)]) == 0
    return Demo(folder, out.getvalue().splitlines())


def test_tables(demo: Demo) -> None:
    cells = demo.cells
    assert max(map(len, demo.lines[:-1])) <= 80  # the last one is a path
    assert ["edge", "6,243", "1,000 of 1,000", "33.3%", "33.3%"] in cells
    assert any(row[:1] == ["triangle"] and row[3:] == ["100.0%", "11.0%"] for row in cells)


def test_only_who_sees_triangles_finds_the_communities_of_syn1(demo: Demo) -> None:
    runs = [row for row in demo.cells if row[:1] in (["spectral"], ["motif spectral"], ["HOSC"])]
    assert len(runs) == 4
    for _, sees, nmi, triangles, _ in runs:
        assert (float(nmi) > 0.9, float(triangles) < 0.05) == ("triangles" in sees, "triangles" in sees)


def test_the_second_graph_has_names(demo: Demo) -> None:
    text = " ".join(" ".join(demo.lines).split())
    assert "Valjean" in text
    assert "The communities are clearly separated" in text


@pytest.mark.parametrize("width", ["40"])
def test_machine_readable_and_narrow(
    width: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    monkeypatch.chdir(tmp_path)
    assert main(["demo", "--json"]) == 0
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert [run["nmi"] > 0.9 for run in found["syn1"]] == [False, False, True, True]
    assert found["lesmis"]["communities"][0]["central"]
    assert max(map(len, captured.err.splitlines())) <= int(width)


def test_output_must_be_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    for output in ("file", "file/demo"):
        assert main(["demo", "-o", str(tmp_path / output)]) == 2
        assert f"output: {tmp_path / 'file'} is a file" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that nobody can write")
def test_output_that_nobody_may_write(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "-o", "/proc/demo"]) == 2
    captured = capsys.readouterr()
    assert "output: the folder /proc cannot be written" in captured.err
    assert captured.out == "", "refused before any work"


def test_clusters_take_the_colours_of_their_communities() -> None:
    classes = np.array([0, 0, 0, 1, 1, 2])
    assert match_numbers(classes, np.array([2, 2, 0, 1, 1, 0])).tolist() == [0, 0, 2, 1, 1, 2]
    assert match_numbers(classes, np.array([1, 1, 1, 0, 0, 0])).tolist() == [0, 0, 0, 1, 1, 1], "fewer than classes"
    more = match_numbers(classes, np.array([3, 3, 2, 1, 1, 0]))
    assert more[[0, 1, 3, 4, 5]].tolist() == [0, 0, 1, 1, 2]
    assert more[2] == 3, "one more than classes: a number of its own"


def test_page_is_self_contained(demo: Demo) -> None:
    html = (demo.folder / "report.html").read_text()
    assert "<script src" not in html
    assert "<link" not in html
    assert [path.name for path in demo.folder.iterdir()] == ["report.html"]


def test_page_escapes_what_it_shows(tmp_path: Path) -> None:
    page = Page("a <b> & c")
    page.table(["<i>"], [["</td><script>alert(1)</script>"]])
    page.text("<u>")
    html = page.write(tmp_path / "p.html").read_text()
    assert "<title>a &lt;b&gt; &amp; c</title>" in html
    assert "<script>alert" not in html
    assert "<u>" not in html


@pytest.mark.browser
@needs_browser
def test_a_browser_draws_all_figures(demo: Demo, tmp_path: Path) -> None:
    """After the scripts ran, the page has the drawn plots, the table's numbers and the names."""
    dom = drawn(demo.folder / "report.html", tmp_path)
    assert dom.count('class="main-svg"') >= 4
    assert dom.count("js-plotly-plot") >= 4
    assert "Valjean" in dom
    assert "<td>6,243</td>" in dom
