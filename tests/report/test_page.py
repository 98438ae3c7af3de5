"""A page shows any name as text and runs no script but its own; seen in a real browser."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest
from plotly.offline import get_plotlyjs

import hoscpool as hp
from hoscpool.graph import read_labels
from hoscpool.plot.figures import name_shown
from hoscpool.report import describe_clusters, score, write_clustering
from hoscpool.report.clustering.summary import Clustering
from hoscpool.report.page import Page
from hoscpool.report.results.records_page import SortablePage
from report.browser import BROWSER, drawn, needs_browser

HOSTILE = [
    "<script>document.title='hacked'</script>",
    "<img src=x onerror=\"document.title='hacked'\">",
    "</script><script>document.title='hacked'</script>",
    "<!--<script>",
    "\"'><svg onload=document.title='hacked'>",
    "<a href='javascript:document.title=1'>x</a>",
    "=cmd|' /C calc'!A0",
    "\x1b[31mred\x1b[0m",
    "\u202eback\u2066",
    "&lt;b&gt;",
    "a" * 100_000,
]
DRAWN = '<svg class="main-svg"'


def _write(page: Page, folder: Path, kind: type = go.Scatter) -> Path:
    for name in HOSTILE:
        page.heading(name)
        page.text(name)
    page.table(HOSTILE[:3], [HOSTILE[:3], HOSTILE[3:6]], text=HOSTILE[:1])
    figure = go.Figure(
        kind(x=[1, 2], y=[1, 2], mode="markers", text=list(map(name_shown, HOSTILE[:2])), hoverinfo="text")
    )
    page.figures(figure)
    return page.write(folder / "page.html")


def test_the_policy_names_every_script_and_nothing_else(tmp_path: Path) -> None:
    page = SortablePage(HOSTILE[0], HOSTILE)
    page.finish()
    html = _write(page, tmp_path, go.Scatter).read_text(encoding="utf-8")
    (policy,) = re.findall(r"<meta http-equiv='Content-Security-Policy' content=\"([^\"]*)\">", html)
    run = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    hashes = [f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in run]
    assert re.search(r"script-src ([^;]*);", policy)[1].split() == hashes  # type: ignore[index]
    assert len(run) == 3
    assert policy.startswith("default-src 'none';")
    assert "'unsafe-eval'" not in policy, "only WebGL needs it"
    assert "http" not in policy
    assert html.index("Content-Security-Policy") < html.index("<script"), "it must come first to count"


def test_every_name_is_text(tmp_path: Path) -> None:
    html = _write(Page(HOSTILE[0]), tmp_path).read_text(encoding="utf-8")
    assert html.count("<script") == 3, "Plotly, the figure's data, and what draws it"
    ours = html.replace(get_plotlyjs(), "")  # old versions of Plotly have control characters in their script
    for never in ("<img", "\x1b", "\u202e"):
        assert ours.count(never) == 0  # `in` would compare megabytes when it fails


@pytest.mark.browser
@needs_browser
@pytest.mark.parametrize("kind", [go.Scatter, go.Scattergl])
def test_the_browser_runs_our_scripts_only(kind: type, tmp_path: Path) -> None:
    page = _write(Page(HOSTILE[0]), tmp_path, kind)
    html = page.read_text(encoding="utf-8")
    injected = "<script>document.title='hacked'</script><img src=x onerror=\"document.title='hacked'\">"
    page.write_text(html.replace("<h1>", f"{injected}<h1>", 1), encoding="utf-8")
    dom = drawn(page, tmp_path)
    assert DRAWN in dom, "the figure is drawn under the policy"
    assert "<title>hacked" not in dom, "a script that was put into the page does not run"


@pytest.mark.browser
@needs_browser
def test_a_clustering_of_hostile_names(tmp_path: Path) -> None:
    names = HOSTILE[:9]
    graph = hp.as_graph(np.ones((9, 9)) - np.eye(9), node_names=names)
    model = hp.HoscClustering(2, solver="multilevel", random_state=0).fit(graph=graph)
    result = Clustering(graph, model, score(graph, model.labels_, model.motifs_), describe_clusters(graph, model), 1.0)
    write_clustering(tmp_path / "out", result, quiet=True)
    assert read_labels(tmp_path / "out" / "labels.csv", names).tolist() == model.labels_.tolist()
    dom = drawn(tmp_path / "out" / "report.html", tmp_path)
    assert DRAWN in dom
    assert "hacked</title>" not in dom


@pytest.mark.browser
@needs_browser
def test_a_browser_draws_webgl_under_the_policy(tmp_path: Path) -> None:
    sync_playwright = pytest.importorskip("playwright.sync_api").sync_playwright

    page = Page("points")
    page.figures(go.Figure(go.Scattergl(x=[1, 2, 3], y=[1, 3, 2], mode="markers")))
    path = page.write(tmp_path / "points.html")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=BROWSER, args=["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader"]
        )
        opened = browser.new_page()
        opened.goto(path.as_uri())
        opened.wait_for_selector(".gl-container canvas, .no-webgl", state="attached")
        assert "WebGL is not supported" not in opened.inner_text("body")
        browser.close()
