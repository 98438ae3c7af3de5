"""``hoscpool report`` from records to a page that a browser opens, alone."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from experiments.made_up import make_record
from hoscpool.cli import main
from hoscpool.experiments.running.store import Store

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync")  # fmt: skip


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    store = Store(folder)
    for dataset, score in (("cora", 0.4321), ("karate", 0.8764), ("syn1", 0.1234)):
        for seed in range(2):
            store.append(make_record("clustering", dataset, "hosc", seed, {"nmi": score}))
    return folder


@pytest.fixture(scope="module")
def page(results: Path) -> Path:
    path = results / "report.html"
    assert main(["report", str(results), "-o", str(path)]) == 0
    return path


def test_the_page_has_every_table_and_asks_nobody(page: Path) -> None:
    text = page.read_text()
    for number in range(1, 8):
        assert f">Table {number}: " in text
    assert "<td class='differs'>0.432 (0.502) ≠</td>" in text
    assert "<td class='absent'>not run (0.260)</td>" in text
    own = re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL)
    assert not re.search(r"(src|href)=['\"](?!#)", own)
    assert text.count("Plotly.newPlot") >= 1
    assert [path.name for path in page.parent.glob(".*")] == []


def test_pages_of_the_documentation(results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(results), "--docs", str(tmp_path)]) == 0
    named = capsys.readouterr().out.splitlines()
    for name in ("reproduction.md", "reproduction/table1.md", "results.md", "images/syn1-correlation.svg"):
        assert str(tmp_path / name) in named
    assert sorted(named) == sorted(str(path) for path in tmp_path.rglob("*.*"))
    assert "0.432 (0.502) ≠" in (tmp_path / "reproduction" / "table1.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing"], "results: there is no folder 'missing'"),
        (["."], "results: no records (*.jsonl) in '.'"),
        (["RESULTS", "-o", "page.txt"], "--output: expected a file name ending in .html"),
        (["RESULTS", "-o", "missing/page.html"], "--output: there is no folder 'missing'"),
        (["RESULTS", "--docs", "missing"], "--docs: there is no folder 'missing'"),
    ],
)
def test_bad_arguments_are_named(
    arguments: list[str], message: str, results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(["report", *(str(results) if word == "RESULTS" else word for word in arguments)]) == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("needs Chromium (Debian: apt install chromium)")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        profile = str(tmp_path_factory.mktemp("profile"))
        options = {"executable_path": CHROMIUM, "headless": True, "args": list(FLAGS)}
        context = driver.chromium.launch_persistent_context(profile, **options)
        context.set_default_timeout(120_000)  # a busy machine takes its time
        yield context
        context.close()


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_a_browser_sorts_a_table_and_asks_nobody(browser: Any, page: Path, width: int) -> None:
    requests: list[str] = []
    errors: list[Any] = []
    tab = browser.new_page()
    tab.set_viewport_size({"width": width, "height": 800})
    tab.on("request", lambda request: requests.append(request.url))
    tab.on("pageerror", lambda error: errors.append(error))
    tab.goto(page.as_uri())
    tab.wait_for_selector(".figure .main-svg")
    table = tab.locator("h2#table-1-nmi-of-clusterings ~ div.scroll table").first
    column = table.locator("th", has_text="HoscPool")
    number = column.evaluate("(head) => head.cellIndex")
    cells = table.locator(f"tbody tr td:nth-child({number + 1})")
    assert cells.first.inner_text() == "0.432 (0.502) ≠"  # Cora comes first in the paper
    column.locator("button").click()
    assert column.get_attribute("aria-sort") == "ascending"
    assert cells.all_inner_texts()[:3] == ["0.123 (1.000) ≠", "0.432 (0.502) ≠", "0.876 (0.894) ="]
    column.locator("button").click()
    assert cells.all_inner_texts()[:3] == ["0.876 (0.894) =", "0.432 (0.502) ≠", "0.123 (1.000) ≠"]
    assert cells.last.inner_text().startswith("not run")
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")  # wide tables scroll by themselves
    tab.close()
    assert errors == []
    assert requests == [page.as_uri()]
