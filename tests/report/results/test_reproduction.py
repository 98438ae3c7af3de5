from __future__ import annotations

import re
from pathlib import Path

import pytest

from experiments.made_up import make_record
from hoscpool.experiments.running.store import Store
from hoscpool.experiments.tables.loss_curves import loss_curves
from hoscpool.experiments.tables.summaries import Results
from hoscpool.report.results.quality import quality_grid, quality_page
from hoscpool.report.results.reproduction import circumstances, reproduction_pages, write_pages

CURVE = {
    "epoch": [1, 2],
    "loss": [9.0, 9.0],
    "objective": [-0.05, -0.95],
    "edge": [-0.2, -1.0],
    "triangle": [-0.1, -1.0],
    "orthogonality": [1.0, 0.5],
}
MINCUT = {
    "epoch": [1, 2],
    "loss": [0.0, 0.0],
    "objective": [0.0, 0.0],
    "cut": [-0.99, -0.9],
    "orthogonality": [1.1, 1.0],
}


def _sizes(live: int, k: int) -> dict[str, float]:
    return {"nmi": 0.5, "live_clusters": live, "n_clusters": k}


@pytest.fixture
def results(tmp_path: Path) -> Results:
    store = Store(tmp_path)
    store.append(make_record("clustering", "cora", "hosc", 0, _sizes(7, 7), curve=CURVE))
    store.append(make_record("clustering", "cora", "mincut", 0, _sizes(6, 7), curve=MINCUT))
    store.append(make_record("clustering", "photo", "mincut", 0, _sizes(2, 8), curve=MINCUT))
    for seed, score in enumerate((0.56, 0.58)):
        store.append(make_record("clustering", "cora", "robust", seed, {"nmi": score}))
    return Results(tmp_path)


def test_figure_2_takes_cora_and_the_most_collapsed_run(results: Results) -> None:
    hosc, mincut, degenerate = loss_curves(results)
    assert hosc.title == "HoscPool on Cora, 7 of 7 clusters in use"
    assert mincut.title == "MinCutPool on Cora, 6 of 7 clusters in use"
    assert degenerate.title == "MinCutPool on Photo, 2 of 8 clusters in use"
    assert hosc.measured["objective"] == ((1, 2), (-0.15, -1.0))  # without μ L_o = 0.1 · L_o
    assert mincut.measured["objective"] == ((1, 2), (-0.99, -0.9))
    assert mincut.measured["regularizer"][1] == (1.1, 1.0)
    assert hosc.published["objective"][1][0] == -0.143021584


def test_figure_2_without_records_has_the_published_curves(tmp_path: Path) -> None:
    panels = loss_curves(Results(tmp_path))
    assert [panel.title for panel in panels] == ["", "", ""]
    assert all(panel.published and not panel.measured for panel in panels)


def test_the_pages_of_the_reproduction(results: Results) -> None:
    pages = reproduction_pages(results)
    front = pages["reproduction.md"]
    assert front.startswith("# Reproduction of the paper")
    assert "<!-- rows -->" not in front
    for number in range(1, 8):
        assert pages[f"reproduction/table{number}.md"].startswith(f"# Table {number}: ")
    curves = "| HoscPool on Cora, 7 of 7 clusters in use | objective | -0.150 (epoch 1) |"
    assert curves in pages["reproduction/figure2.md"]
    assert "| Cora | HoscPool | 0.502 ± 0.029 | 0.500 | 1 | −0.002 |  |" in pages["reproduction/table1.md"]
    assert "| CS | MinCutPool | 0.431 | 0.000 | 0.022 |" in pages["reproduction/contradictions.md"]
    assert "\n| four-node | 0" not in front  # nothing was published
    assert "| Table 1 | 84 | 3 | 0 | 0 | 81 |" in front  # cora hosc and mincut, photo mincut: one seed, no mark
    cells = "| [Table 1: NMI of clusterings](reproduction/table1.md) | `table1` | 5 of 960 |"
    assert cells in front
    assert reproduction_pages(results) == pages
    for page in pages.values():
        for table in re.findall(r"(?:^\|.*\n)+", page, re.MULTILINE):
            assert len({line.count("|") for line in table.splitlines()}) == 1


def test_every_page_is_linked_from_the_front_and_leads_back(results: Results) -> None:
    pages = reproduction_pages(results)
    front = pages.pop("reproduction.md")
    assert all(f"]({name})" in front and "](../reproduction.md)" in page for name, page in pages.items())


def test_quality_page(results: Results) -> None:
    page = quality_page(results)
    row = "| Cora | 0.570 ± 0.014 (2) | 0.600 | ✗ | 0.500 (1) | 0.150 | 0.056 | 0.391 | 0.502 |"
    assert row in page
    assert "| CiteSeer | not run | 0.440 |  | not run | – | – | – | – |" in page
    assert "| Cora | 0.570 ± 0.014 (2) | " + "not run | " * 7 + "0.500 (1) | not run | not run |" in page
    assert page.count("\n| ") == 5 * (1 + 1 + 12)  # head, rule, twelve graphs


def test_circumstances_name_machine_and_versions(results: Results, tmp_path: Path) -> None:
    text = circumstances(results)
    assert text.startswith("5 records, 0.0 hours of processor time, one thread each, 2026-01-02.")
    assert "P, 1 cores, 1 GB, S" in text
    assert circumstances(Results(tmp_path / "nothing")) == "Nothing has been run yet."


def test_pages_are_written_whole(results: Results, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    written = {path.relative_to(folder).as_posix() for path in write_pages(results, folder)}
    assert written == {*reproduction_pages(results), "results.md", "images/syn1-correlation.svg"}
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*.*")} == written


@pytest.mark.parametrize(("score", "mark"), [(0.8299, "✗"), (0.83, "✓")])
def test_a_goal_is_reached_without_rounding(score: float, mark: str, tmp_path: Path) -> None:
    Store(tmp_path).append(make_record("clustering", "karate", "robust", 0, {"nmi": score}))
    row = next(row for row in quality_grid(Results(tmp_path)).rows if row[0] == "Karate")
    assert row[3] == mark
