"""What the explorer holds, and what a person can do with it in a browser."""

from __future__ import annotations

import base64
import csv
import json
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp

import hoscpool as hp
from hoscpool.report.explorer import explorer_page
from hoscpool.report.explorer.explorer_page import Shown, explorer_block, pack, smallest_unsigned, tie_shares
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
        labels=np.repeat(["red", "<i>blue</i>", "<i>blue</i>"], 5),
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


def test_titles_are_shown_and_names_are_kept() -> None:
    graph = replace(hp.as_graph(nx.path_graph(3), node_names=["a", "b", "c"]), node_titles=("Ann", "Ben", HOSTILE))
    with_titles, without = (held(graph, titles) for titles in (None, ["a", "b", "c"]))
    assert with_titles["names"] == ["Ann", "Ben", HOSTILE]
    assert with_titles["ids"] == ["a", "b", "c"]
    assert without["names"] == ["a", "b", "c"]
    assert without["ids"] is None
    figure = hp.plot.graph(graph)
    assert figure.data[1].text[0].startswith("Ann")
    assert "<title>Ben</title>" in graph._repr_html_()


def held(graph: hp.Graph, titles: Any) -> dict[str, Any]:
    """The texts in the data of the page."""
    whole = zlib.decompress(base64.b64decode(explorer_block(graph, {"": np.zeros(3, int)}, titles=titles).data))
    found: dict[str, Any] = json.loads(whole[4 : 4 + int.from_bytes(whole[:4], "little")])["texts"]
    return found


@pytest.mark.parametrize(("most", "webgl"), [(34, False), (33, True)])
def test_only_a_page_that_draws_with_webgl_may_evaluate_code(
    most: int, webgl: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(explorer_page, "MOST_VECTORS", most)
    html = hp.explore(nx.karate_club_graph(), np.arange(34) % 2, path=tmp_path / "page.html").read_text(
        encoding="utf-8"
    )
    policy = html[: html.index("<script")]
    assert "script-src 'sha256-" in policy
    assert ("'unsafe-eval'" in policy) == webgl


@pytest.fixture(scope="module")
def browser_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The page in a browser, with what it asked for and complained about."""
    sync_playwright = pytest.importorskip("playwright.sync_api").sync_playwright

    graph, labels = ring()
    sure = np.array([0.9] * 14 + [0.2])
    first = Shown(labels, sure, (labels + 1) % 3, sure < 0.5)
    block = explorer_block(graph, {"3 communities": first, "2 communities": np.minimum(labels, 1)})
    page = Page("ring")
    page.block(block.html, block.style, block.script, block.data, "explorer", webgl=block.webgl)
    path = page.write(tmp_path_factory.mktemp("explorer") / "page.html")
    with sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader"]
        browser = playwright.chromium.launch(executable_path=BROWSER, args=options)
        opened: Any = browser.new_page(viewport={"width": 1400, "height": 1000})
        opened.asked, opened.said = [], []
        opened.on("request", lambda request: opened.asked.append(request.url))
        opened.on("console", lambda message: opened.said.append((message.type, message.text)))
        opened.on("pageerror", lambda error: opened.said.append(("error", str(error))))
        opened.goto(path.as_uri(), timeout=120_000)
        opened.wait_for_selector("#explorer[data-ready=yes]", timeout=120_000)
        yield opened
        browser.close()


def part(page: Any, name: str) -> Any:
    return page.locator(f"#explorer [data-part={name}]")


@pytest.mark.browser
@needs_browser
def test_a_person_explores_the_page(browser_page: Any, tmp_path: Path) -> None:
    page = browser_page
    assert part(page, "communities").locator(".card").count() == 3
    overview = part(page, "detail").locator("li")
    assert overview.count() == 3, "what the colours are"
    assert overview.nth(1).inner_text() == "community 1: node 5 5 nodes"
    assert drawn_names(page) >= {"node 5", "node 12"}

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
    assert next(t["opacity"] for t in drawn_traces(page) if t["mode"] == "markers") == [0.2] * 5 + [1] * 5 + [0.2] * 5
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
    assert rows[0] == [
        "node",
        "community",
        "confidence",
        "ties_inside",
        "second_choice",
        "neighbours",
        "triangles",
        "class",
    ]
    assert len(rows) == 16
    assert any(row[0] == "'=cmd|' /C calc'!A0" for row in rows), "a formula is marked as text"

    part(page, "theme").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    part(page, "level").fill("1")
    assert part(page, "level-name").inner_text() == "2 communities"
    assert part(page, "communities").locator(".card").count() == 2
    assert "confidence" not in part(page, "members").inner_text(), "this clustering comes without"
    part(page, "level").fill("0")


def drawn_names(page: Any) -> set[str]:
    """The names that stand on the map."""
    return set(
        page.evaluate("document.querySelector('#explorer [data-part=map]').layout.annotations.map((one) => one.text)")
    )


def drawn_traces(page: Any) -> list[dict[str, Any]]:
    """Name, points and fill of every trace on the map."""
    found: list[dict[str, Any]] = page.evaluate(
        "document.querySelector('#explorer [data-part=map]').data.map((t) => ({mode: t.mode, fill: t.fill ?? 'none', "
        "points: t.x.filter((x) => x !== null).length, colour: t.marker?.color, opacity: t.marker?.opacity, "
        "text: t.text}))"
    )
    return found


@pytest.mark.browser
@needs_browser
def test_colours_ties_triangles_and_communities_on_the_map(browser_page: Any) -> None:
    page = browser_page
    part(page, "all").click() if part(page, "all").is_visible() else None

    def marks() -> dict[str, Any]:
        return next(trace for trace in drawn_traces(page) if trace["mode"] == "markers")

    colours = {}
    for choice in ("sure", "class", "feature-0", "community"):
        part(page, "colour").select_option(choice)
        colours[choice] = marks()["colour"]
        assert ("<i>blue</i>" in part(page, "legend").inner_text()) == (choice == "class")
    assert colours["community"] == [0] * 5 + [1] * 5 + [2] * 5
    assert colours["class"] == [1] * 5 + [0] * 10
    assert colours["feature-0"] == [1] * 5 + [0] * 10
    assert colours["sure"] == pytest.approx([0.9] * 14 + [0.2], abs=0.01)

    lines = {}
    for choice in ("none", "motifs", "ties"):
        part(page, "ties").select_option(choice)
        lines[choice] = sum(trace["points"] for trace in drawn_traces(page) if trace["mode"] == "lines") // 2
    assert lines == {"none": 0, "motifs": 30, "ties": 33}, "three cliques of ten ties, and three ties between them"
    part(page, "ties").select_option("filled")
    filled = [trace for trace in drawn_traces(page) if trace["fill"] == "toself"]
    assert sum(trace["points"] for trace in filled) == 3 * 10 * 4, "ten triangles a clique, each drawn closed"
    part(page, "ties").select_option("ties")

    part(page, "view").select_option("communities")
    assert marks()["points"] == 3
    assert all("<img" not in text for text in marks()["text"])
    part(page, "view").select_option("nodes")


@pytest.mark.browser
@needs_browser
def test_filters_and_the_flag_of_a_node_between_two_communities(browser_page: Any) -> None:
    page = browser_page
    part(page, "sure").fill("50")
    assert "14 of 15 nodes are shown" in part(page, "notice").inner_text()
    part(page, "sure").fill("0")
    part(page, "smallest").fill("5")
    assert part(page, "notice").inner_text() == ""
    part(page, "search").fill("node 14")
    page.keyboard.press("Enter")
    card = part(page, "detail").inner_text()
    assert "confidence\n20%" in card
    assert "This node is between community 2 and community 0." in card
    assert "20% (between)" in part(page, "members").inner_text()
    assert "4 neighbours" in card, "its own clique"


@pytest.mark.browser
@needs_browser
def test_the_map_is_reached_by_the_keyboard(browser_page: Any) -> None:
    page = browser_page
    part(page, "search").fill("node 14")
    page.keyboard.press("Enter")
    plot = "document.querySelector('#explorer [data-part=map]')"
    page.evaluate(f"Plotly.relayout({plot}, {{'xaxis.range': [8, 9], 'yaxis.range': [8, 9]}})")
    part(page, "search").fill("node 13")
    page.keyboard.press("Enter")
    low, high = page.evaluate(f"{plot}.layout.xaxis.range")
    at = page.evaluate(f"{plot}.data.at(-1).x[0]")
    assert low < at < high, "a node that was searched is in view"
    page.evaluate(f"Plotly.relayout({plot}, {{'xaxis.autorange': true, 'yaxis.autorange': true}})")
    part(page, "map").focus()
    seen = set()
    for key in ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"):
        page.keyboard.press(key)
        seen.add(part(page, "detail").locator("h3").inner_text())
    assert len(seen) > 1
    page.keyboard.press("Escape")
    assert "Click a node" in part(page, "detail").inner_text()


@pytest.mark.browser
@needs_browser
def test_a_click_on_the_map_chooses_the_node(browser_page: Any) -> None:
    page = browser_page
    page.locator("#explorer [data-part=map] .scatterlayer .point").first.scroll_into_view_if_needed()
    page.wait_for_timeout(300)
    box = page.evaluate(
        """() => {
        const plot = document.querySelector('#explorer [data-part=map]'), {xaxis, yaxis} = plot._fullLayout;
        const box = plot.getBoundingClientRect(), marks = plot.data.find((trace) => trace.mode === 'markers');
        return [box.left + xaxis._offset + xaxis.d2p(marks.x[7]), box.top + yaxis._offset + yaxis.d2p(marks.y[7])];
        }"""
    )
    page.mouse.move(*box)
    page.wait_for_timeout(300)
    page.mouse.click(*box)
    page.wait_for_timeout(500)
    assert part(page, "detail").locator("h3").inner_text() == "node 7"
    part(page, "detail").get_by_text("Compare with another node").click()
    part(page, "search").fill("node 12")
    page.keyboard.press("Enter")
    said = part(page, "detail").inner_text()
    assert "in different communities (1 and 2)" in said
    assert "node 7 has 12 triangles on its ties to community 1, and 0 to community 2." in said


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


@pytest.mark.slow
@pytest.mark.browser
@needs_browser
def test_a_reader_who_zooms_in_sees_larger_nodes_and_more_names(browser_page: Any, tmp_path: Path) -> None:
    path = hp.explore(nx.ring_of_cliques(60, 10), np.arange(600) // 10, path=tmp_path / "page.html")
    page = browser_page.context.browser.new_page(viewport={"width": 1400, "height": 1000})
    page.goto(path.as_uri(), timeout=120_000)
    page.wait_for_selector("#explorer[data-ready=yes]", timeout=120_000)
    plot = "document.querySelector('#explorer [data-part=map]')"
    size = f"{plot}.data.find((t) => t.mode === 'markers').marker.size"
    before = page.evaluate(size)
    x, y = page.evaluate(
        f"(() => {{ const t = {plot}.data.find((t) => t.mode === 'markers'); return [t.x[5], t.y[5]]; }})()"
    )
    near = f"{{'xaxis.range': [{x - 0.1}, {x + 0.1}], 'yaxis.range': [{y - 0.1}, {y + 0.1}]}}"
    page.evaluate(f"Plotly.relayout({plot}, {near})")
    for _ in range(100):  # the page allows no script of others, so it is asked again and again
        if page.evaluate(size) > before:
            break
        page.wait_for_timeout(100)
    assert page.evaluate(size) > 1.3 * before
    names = drawn_names(page)
    assert len(names & {str(i) for i in range(10)}) >= 4
    page.close()


def test_what_is_packed_can_be_read_at_the_stated_places() -> None:
    arrays: dict[str, npt.NDArray[Any]] = {
        "a": np.array([1, 2, 3], np.uint8),
        "b": np.array([[0.5, -1]], np.float32),
        "c": np.zeros(0, np.int32),
    }
    data = zlib.decompress(base64.b64decode(pack(arrays, {"names": ["Ann", "</script>"]})))
    length = int.from_bytes(data[:4], "little")
    header = json.loads(data[4 : 4 + length])
    assert header["texts"] == {"names": ["Ann", "</script>"]}
    for name, array in arrays.items():
        place = header["arrays"][name]
        start = 4 + length + place["start"]
        assert start % array.itemsize == 0
        found = np.frombuffer(data[start : start + array.nbytes], place["type"]).reshape(place["shape"])
        np.testing.assert_array_equal(found, array)


def test_types_without_a_javascript_array_are_refused() -> None:
    with pytest.raises(ValueError, match=r"a: expected one of .*, got float64"):
        pack({"a": np.zeros(2)}, {})


@pytest.mark.parametrize(("most", "kind"), [(0, "uint8"), (255, "uint8"), (256, "uint16"), (65_536, "uint32")])
def test_the_smallest_type(most: int, kind: str) -> None:
    assert smallest_unsigned(np.array([0, most])).dtype == kind
    assert smallest_unsigned(np.array([], dtype=np.int64)).dtype == "uint8"


@pytest.mark.browser
@needs_browser
def test_names_on_the_map_hide_neither_each_other_nor_a_node(browser_page: Any) -> None:
    page = browser_page
    page.set_viewport_size({"width": 1400, "height": 1000})
    page.keyboard.press("Escape")
    page.wait_for_timeout(500)
    box = "(e) => { const b = e.getBoundingClientRect(); return [b.left, b.right, b.top + 3, b.bottom - 3]; }"
    map_of = part(page, "map")
    names = map_of.locator(".annotation-text").evaluate_all(f"(all) => all.map({box})")
    nodes = map_of.locator(".scatterlayer .point").evaluate_all(f"(all) => all.map({box})")
    assert len(names) >= 10
    for at, one in enumerate(names):
        for other in [*names[:at], *nodes]:
            assert one[1] <= other[0] or other[1] <= one[0] or one[3] <= other[2] or other[3] <= one[2]
