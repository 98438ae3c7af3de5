"""What the explorer holds, and what a person can do with it in a browser."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import hoscpool as hp
from hoscpool.report.explorer import explorer_page
from hoscpool.report.explorer.explorer_page import explorer_block, tie_shares
from hoscpool.report.page import Page
from report.browser import BROWSER, needs_browser

HOSTILE = "<img src=x onerror=\"document.title='hacked'\">"
NAMES = {0: HOSTILE, 1: "=cmd|' /C calc'!A0", 2: "Ann & <b>co</b>", 3: "\u202eabc\x1b[31m", 4: "x" * 300}


def ring() -> tuple[hp.Graph, np.ndarray]:
    """Three cliques of five in a ring, with features, classes and names that try to break out."""
    graph = nx.ring_of_cliques(3, 5)
    features = np.zeros((15, 2))
    features[:5, 0] = 1
    found = hp.as_graph(
        nx.relabel_nodes(graph, {i: NAMES.get(i, f"node {i}") for i in range(15)}),
        features=features,
        labels=np.repeat([0, 1, 1], 5),
    )
    return found, np.repeat([0, 1, 2], 5)


def test_shares_of_ties_are_the_direct_sums() -> None:
    rng = np.random.default_rng(0)
    half = np.triu(rng.random((12, 12)) < 0.4, 1) * rng.random((12, 12))
    A = half + half.T
    A[:, 3] = A[3] = 0
    labels = rng.integers(4, size=12)
    shares, second = tie_shares(sp.csr_array(A), labels)
    for i in range(12):
        ties = np.array([A[i, labels == k].sum() for k in range(4)])
        if not ties.sum():
            assert (shares[i].tolist(), second[i]) == ([1, 0], -1)
            continue
        assert shares[i, 0] == pytest.approx(ties[labels[i]] / ties.sum())
        others = np.where(np.arange(4) == labels[i], -1, ties)
        assert shares[i, 1] == pytest.approx(max(others.max(), 0) / ties.sum())
        assert second[i] == (others.argmax() if others.max() > 0 else -1)


def test_a_large_graph_keeps_the_heaviest_ties_of_every_node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explorer_page, "MOST_EDGES", 60)
    graph = hp.as_graph(nx.gnp_random_graph(30, 0.4, seed=1))
    counted = hp.motif_adjacency(graph, "triangle")
    pairs, weight = explorer_page._ties(graph.adjacency, counted)
    assert 60 <= len(pairs) < graph.num_edges
    assert len(np.unique(pairs, axis=0)) == len(pairs)
    dense = counted.toarray()
    np.testing.assert_array_equal(weight, dense[pairs[:, 0], pairs[:, 1]])
    kept = {tuple(pair) for pair in pairs.tolist()}
    for i in range(30):
        most = dense[i].max()
        best = [j for j in range(30) if most and dense[i, j] == most]
        assert not best or any((min(i, j), max(i, j)) in kept for j in best)


def test_graphs_without_edges_features_or_triangles() -> None:
    for graph in (hp.as_graph(sp.csr_array((3, 3))), hp.as_graph(nx.star_graph(4)), hp.as_graph(nx.path_graph(1))):
        labels = np.zeros(graph.num_nodes, np.int64)
        assert explorer_block(graph, {"one": labels}).data
        assert explorer_block(graph, {"one": labels}, motif="edge").data


@pytest.fixture(scope="module")
def browser_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The page in a browser, with what it asked for and complained about."""
    from playwright.sync_api import sync_playwright

    graph, labels = ring()
    block = explorer_block(graph, {"3 communities": labels, "2 communities": np.minimum(labels, 1)})
    page = Page("ring")
    page.block(block.html, block.style, block.script, block.data, "explorer")
    path = page.write(tmp_path_factory.mktemp("explorer") / "page.html")
    with sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader"]
        browser = playwright.chromium.launch(executable_path=BROWSER, args=options)
        opened: Any = browser.new_page(viewport={"width": 1400, "height": 1000})
        opened.asked, opened.said = [], []
        opened.on("request", lambda request: opened.asked.append(request.url))
        opened.on("console", lambda message: opened.said.append((message.type, message.text)))
        opened.on("pageerror", lambda error: opened.said.append(("error", str(error))))
        opened.goto(path.as_uri())
        opened.wait_for_selector("#explorer[data-ready=yes]", timeout=60_000)
        yield opened
        browser.close()


def part(page: Any, name: str) -> Any:
    return page.locator(f"#explorer [data-part={name}]")


@pytest.mark.browser
@needs_browser
def test_a_person_explores_the_page(browser_page: Any, tmp_path: Path) -> None:
    page = browser_page
    assert part(page, "communities").locator(".card").count() == 3

    part(page, "search").fill("node 7")
    part(page, "results").locator("li").first.wait_for()
    page.keyboard.press("Enter")
    detail = part(page, "detail")
    assert detail.locator("h3").inner_text() == "node 7"
    assert "community 1" in detail.inner_text()
    assert "triangles it is in\n6" in detail.inner_text(), "a clique of five: C(4, 2)"
    assert part(page, "members-title").inner_text() == "Members of community 1"

    detail.get_by_text("Compare with another node").click()
    part(page, "search").fill("node 8")
    page.keyboard.press("Enter")
    assert "both in community 1" in detail.inner_text()
    assert "3 triangles contain both" in detail.inner_text()

    part(page, "search").fill("img src")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert detail.locator("h3").inner_text() == HOSTILE
    assert page.locator("#explorer img").count() == 0

    part(page, "communities").locator(".card").nth(1).click()
    assert detail.locator("h3").inner_text().startswith("Community 1")
    detail.get_by_text("Show only this community").click()
    assert "5 of 15 nodes are shown" in part(page, "notice").inner_text()
    detail.get_by_text("Show all communities").click()

    part(page, "all").click()
    part(page, "filter").fill("node")
    assert part(page, "pages").inner_text().startswith("10 nodes")
    part(page, "members").get_by_text("neighbours").click()
    part(page, "filter").fill("")
    with page.expect_download() as caught:
        part(page, "download").click()
    caught.value.save_as(tmp_path / "nodes.csv")
    rows = list(csv.reader((tmp_path / "nodes.csv").read_bytes().decode().splitlines()))
    assert rows[0] == ["node", "community", "ties_inside", "next_community", "neighbours", "triangles"]
    assert len(rows) == 16
    assert any(row[0] == "'=cmd|' /C calc'!A0" for row in rows), "a formula is marked as text"

    for choice in ("share", "class", "feature-0", "community"):
        part(page, "colour").select_option(choice)
    for choice in ("motifs", "none", "ties"):
        part(page, "ties").select_option(choice)
    part(page, "theme").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    part(page, "level").fill("1")
    assert part(page, "level-name").inner_text() == "2 communities"
    assert part(page, "communities").locator(".card").count() == 2


@pytest.mark.browser
@needs_browser
def test_it_asks_for_nothing_and_complains_about_nothing(browser_page: Any) -> None:
    assert [url for url in browser_page.asked if not url.startswith(("file:", "blob:", "data:"))] == []
    assert [text for kind, text in browser_page.said if kind == "error"] == []
    assert browser_page.title() == "ring"


@pytest.mark.browser
@needs_browser
def test_it_fits_a_phone(browser_page: Any) -> None:
    browser_page.set_viewport_size({"width": 390, "height": 800})
    browser_page.wait_for_timeout(500)
    assert browser_page.evaluate("document.documentElement.scrollWidth") <= 390
