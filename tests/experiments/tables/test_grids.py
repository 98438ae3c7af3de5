from __future__ import annotations

from pathlib import Path

import pytest

from experiments.made_up import make_record
from hoscpool.experiments.paper_tables import PAPER_TABLES
from hoscpool.experiments.running.store import Store
from hoscpool.experiments.tables.grids import paired_grid
from hoscpool.experiments.tables.summaries import Results
from hoscpool.report.results.records_page import write_report
from hoscpool.report.results.reproduction import reproduction_pages

ACCURACIES = {
    "hosc": (0.70, 0.72, 0.74),
    "none": (0.72, 0.75, 0.78),  # 2, 3, 4 points more: 3 ± 4.303 · 1 / √3
    "random": (0.66, 0.68, 0.71),  # 4, 4, 3 points less: 3.67 ± 4.303 · 0.577 / √3
    "gmt": (0.71, 0.73, 0.75),  # one point more in every split: no spread
    "mincut": (0.71,),
    "eigen": (0.71, 0.7301),  # two splits
    "hosc-tuned": (0.60, 0.72, 0.84),
    "mu-0": (0.70, 0.72, 0.71),
}


@pytest.fixture
def results(tmp_path: Path) -> Results:
    store = Store(tmp_path)
    for method, values in ACCURACIES.items():
        for seed, accuracy in enumerate(values):
            store.append(make_record("classification", "proteins", method, seed, {"accuracy": accuracy}))
    return Results(tmp_path)


def test_methods_are_compared_split_by_split(results: Results) -> None:
    grid = paired_grid(results, PAPER_TABLES["table3"])
    row = dict(zip(grid.columns, grid.rows[0], strict=True))
    assert row[""] == "Proteins"
    assert row["NoPool"] == "+3.0 ± 2.5 (3) ▲"
    assert row["Random"] == "−3.7 ± 1.4 (3) ▼"
    assert row["GMT"] == "+1.0 (3)"
    assert row["MinCutPool"] == "+1.0 (1)"
    assert row["EigPool"] == "+1.0 (2)"
    assert row["HoscPool, tuned"] == "+0.0 ± 24.8 (3)"
    assert row["ASAP"] == "–"
    assert "HoscPool" not in row
    assert len(grid.rows) == 8


def test_ablations_are_compared_with_the_base(results: Results) -> None:
    grid = paired_grid(results, PAPER_TABLES["table5"])
    assert grid.columns[1] == "μ = 0"
    assert grid.rows[0][1] == "−1.0 ± 4.3 (3)"


def test_the_pages_have_them(results: Results, tmp_path: Path) -> None:
    assert reproduction_pages(results)["reproduction/table3.md"].count("+3.0 ± 2.5 (3) ▲") == 1
    pytest.importorskip("plotly")
    page = write_report(results, tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.count("<td>+3.0 ± 2.5 (3) ▲</td>") == 1
