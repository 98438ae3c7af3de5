"""Makes the pictures of the gallery and of the front page: ``python docs/hooks/pictures.py``, with the extra ``dev``.

The library writes figures and pages, and an installed Chromium photographs them. Only the motifs are drawn here.
"""

from __future__ import annotations

import itertools
import shutil
import tempfile
from pathlib import Path
from typing import Any

import hoscpool as hp

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"
FLAGS = ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader"]
WIDTH, HEIGHT = 900, 560


def main() -> None:
    """Make all of them."""
    (IMAGES / "motif.svg").write_text(motif_picture(), encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        pages = write_pages(Path(folder))
        photograph(pages, IMAGES / "gallery")
        photograph_demo(Path(folder), IMAGES / "demo.png")


def write_pages(folder: Path) -> dict[str, Path]:
    """The pages to photograph, by the name of the picture."""
    emails = hp.as_graph(ROOT / "examples" / "emails.csv")
    lesmis = hp.datasets.load("lesmis")
    of_emails = hp.HoscClustering("auto", random_state=0).fit(emails)
    of_lesmis = hp.HoscClustering(6, preset="paper", max_epochs=300, random_state=0).fit(lesmis)
    best = hp.HoscClustering(6, random_state=0).fit(lesmis)
    large = hp.datasets.planted_communities(20_000, 200_000, 20, mixing=0.3, random_state=0)
    of_large = hp.HoscClustering(20, solver="multilevel", random_state=0).fit(large)
    names = ["triangle", "path4", "tailed-triangle", "cycle4", "diamond", "clique4"]
    profile = hp.motif_profile(lesmis, names, samples=50, random_state=0)
    figures = {
        "clusters": hp.plot.clusters(lesmis, best.labels_, title="Its six communities, and the ties between them"),
        "graph": hp.plot.graph(lesmis, best.labels_, title="Les Misérables, coloured by community"),
        "motifs": hp.plot.motifs(profile, title="Motifs of Les Misérables beside chance"),
        "hierarchy": hp.plot.hierarchy(best, [6, 4, 2], title="From six communities to two"),
        "training": hp.plot.training(of_lesmis, title="A training in the set-up of the paper"),
    }
    pages = {
        "explorer": of_emails.report(folder / "explorer.html"),
        "large": hp.explore(large, of_large.labels_, path=folder / "large.html"),
    }
    for name, figure in figures.items():
        figure.update_layout(width=WIDTH, height=HEIGHT)
        pages[name] = folder / f"{name}.html"
        figure.write_html(pages[name], config={"displayModeBar": False})
    return pages


def photograph(pages: dict[str, Path], folder: Path) -> None:
    """A PNG of the upper part of every page."""
    from playwright.sync_api import sync_playwright

    folder.mkdir(exist_ok=True)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for name, path in pages.items():
            whole = name in ("explorer", "large")
            size: Any = {"width": 1200 if whole else WIDTH + 16, "height": 860 if whole else HEIGHT + 16}
            page = browser.new_page(viewport=size)
            page.goto(path.as_uri())
            page.wait_for_timeout(4000)
            page.screenshot(path=folder / f"{name}.png")
        browser.close()


def photograph_demo(folder: Path, target: Path) -> None:
    """The triangles of Syn1 in the order of both kinds of clusters, from the page of the demo."""
    from playwright.sync_api import sync_playwright

    from hoscpool.cli import main as hoscpool

    hoscpool(["demo", "-o", str(folder / "demo"), "--quiet"])
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page(viewport={"width": 1100, "height": 900})
        page.goto((folder / "demo" / "report.html").as_uri())
        page.wait_for_timeout(4000)
        page.locator(".figures").nth(1).screenshot(path=target)
        browser.close()


PLACES = [(40, 60), (100, 30), (110, 100), (50, 120), (200, 50), (260, 30), (270, 105), (205, 120)]
PAIRS = {(0, 1), (0, 2), (0, 3), (1, 2), (2, 3), (4, 5), (4, 6), (4, 7), (5, 6), (6, 7), (1, 4), (2, 7)}
STYLE = """
.t,.n{font:600 15px system-ui,sans-serif;fill:#33475b} .n{font-size:13px} .e{stroke:#8a97a8} .w{stroke:#0b7a75}
.f{fill:#0b7a75;fill-opacity:.22} .b{fill:#fff} .one{fill:#e07a1f;stroke:#fff;stroke-width:2}
.two{fill:#3567c0;stroke:#fff;stroke-width:2}
"""


def motif_picture() -> str:
    """A graph, its triangles, and its triangle graph."""
    triples = [t for t in itertools.combinations(range(8), 3) if all(p in PAIRS for p in itertools.combinations(t, 2))]
    counts = {pair: sum(set(pair) <= set(triple) for triple in triples) for pair in sorted(PAIRS)}
    shapes = "".join(
        f'<polygon class="f" points="{" ".join(f"{PLACES[v][0]},{PLACES[v][1]}" for v in t)}"/>' for t in triples
    )
    thin = "".join(_line(pair, "e", 1.6) for pair in counts)
    thick = "".join(_line(pair, "w", 2.6 * count) + _number(pair, count) for pair, count in counts.items() if count)
    nodes = "".join(
        f'<circle class="{"one" if v < 4 else "two"}" cx="{x}" cy="{y}" r="9"/>' for v, (x, y) in enumerate(PLACES)
    )
    panels = [("A graph", thin), ("Its triangles", shapes + thin), ("Triangles on every edge", thick)]
    drawn = "\n".join(
        f'<g transform="translate({5 + 320 * at},34)"><text x="155" y="-12" text-anchor="middle" class="t">{title}'
        f"</text>{inside}{nodes}</g>"
        for at, (title, inside) in enumerate(panels)
    )
    label = "A graph, its triangles, and the triangles on every edge: ties between the two groups lie in none"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 195" role="img" aria-label="{label}">'
        f'<style>{STYLE}</style><rect class="b" width="960" height="195" rx="8"/>\n{drawn}\n</svg>\n'
    )


def _line(pair: tuple[int, int], kind: str, width: float) -> str:
    (x, y), (u, v) = PLACES[pair[0]], PLACES[pair[1]]
    return f'<line class="{kind}" stroke-width="{width:g}" x1="{x}" y1="{y}" x2="{u}" y2="{v}"/>'


def _number(pair: tuple[int, int], count: int) -> str:
    x, y = ((PLACES[pair[0]][side] + PLACES[pair[1]][side]) / 2 for side in (0, 1))
    box = f'<rect class="b" x="{x - 8:g}" y="{y - 9:g}" width="16" height="17" rx="3"/>'
    return f'{box}<text class="n" x="{x:g}" y="{y + 4.5:g}" text-anchor="middle">{count}</text>'


if __name__ == "__main__":
    main()
