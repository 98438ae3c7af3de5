"""The demo: right numbers, and a page that a real browser draws without asking anyone."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from hoscpool.cli import main
from hoscpool.report.page import Page

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "new" / "folder"
    assert main(["demo", "-o", str(folder)]) == 0
    return folder


def test_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "-o", str(tmp_path)]) == 0
    cells = [[cell.strip() for cell in line.split("│")[1:-1]] for line in capsys.readouterr().out.splitlines()]
    assert ["triangle", "45", "32 of 34", "91.1%", "22.7%"] in cells  # the Karate club has 45 triangles
    assert ["edge", "6,243", "1,000 of 1,000", "33.3%", "33.3%"] in cells
    assert any(row[:1] == ["triangle"] and row[3:] == ["100.0%", "11.0%"] for row in cells)


def test_output_must_be_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["demo", "-o", str(tmp_path / "file")]) == 2
    assert "is a file" in capsys.readouterr().err


def test_page_is_self_contained(demo: Path) -> None:
    html = (demo / "report.html").read_text()
    assert "<script src" not in html
    assert "<link" not in html
    assert [path.name for path in demo.iterdir()] == ["report.html"]


def test_page_escapes_what_it_shows(tmp_path: Path) -> None:
    page = Page("a <b> & c")
    page.table(["<i>"], [["</td><script>alert(1)</script>"]])
    page.text("<u>")
    html = page.write(tmp_path / "p.html").read_text()
    assert "<title>a &lt;b&gt; &amp; c</title>" in html
    assert "<script>alert" not in html
    assert "<u>" not in html


@pytest.mark.browser
@pytest.mark.skipif(BROWSER is None, reason="needs Chromium")
def test_a_browser_draws_all_figures(demo: Path, tmp_path: Path) -> None:
    """After the scripts ran, the page has four drawn plots and the table's numbers."""
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
    options += ["--disable-component-update", "--disable-sync", f"--user-data-dir={tmp_path}"]
    command = [str(BROWSER), *options, "--virtual-time-budget=10000", "--dump-dom", (demo / "report.html").as_uri()]
    dom = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    assert dom.count('class="main-svg"') >= 4
    assert dom.count("js-plotly-plot") >= 4
    assert "<td>6,243</td>" in dom
