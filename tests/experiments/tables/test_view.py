from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from experiments.made_up import make_record
from hoscpool.experiments.running.store import Store
from hoscpool.experiments.tables import make_view, make_views
from hoscpool.experiments.tables.grids import long_grid, measured_text, overview_grids, published_text
from hoscpool.experiments.tables.summaries import Results, Summary


@pytest.fixture
def results(tmp_path: Path) -> Results:
    store = Store(tmp_path)
    for seed, score in enumerate((0.49, 0.50, 0.51)):
        values = {"nmi": score, "homogeneity": 0.3, "modularity": 0.6, "conductance": 9.0, "conductance_share": 0.09}
        values |= {"motif_conductance": 9.0, "motif_conductance_share": 0.03}
        store.append(make_record("clustering", "cora", "hosc", seed, values))
        store.append(make_record("clustering", "cora", "sc", seed, {**values, "nmi": 0.4}))
        store.append(make_record("clustering", "citeseer", "dmon", seed, values))
    failed = make_record("clustering", "karate", "hosc", 0, status="failed", error="E")
    store.append({name: value for name, value in failed.items() if name not in ("metrics", "seconds")})
    store.append(make_record("classification", "proteins", "hosc", 0, {"accuracy": 0.775}))
    store.append(make_record("properties", "proteins", "statistics", 0, {"graphs": 1113, "homophily": 0.5}))
    store.append(make_record("properties", "reddit-b", "statistics", 0, {"graphs": 2000}))
    return Results(tmp_path)


def test_table_1_puts_measured_beside_published(results: Results) -> None:
    view = make_view("table1", results)
    cell = view.at("Cora", "HoscPool")
    assert cell is not None
    assert cell.measured == Summary(pytest.approx(0.5), pytest.approx(0.01), 3)  # type: ignore[arg-type]
    assert cell.published is not None
    assert cell.published.value == 0.502
    assert cell.difference == pytest.approx(-0.002)
    assert cell.mark == "="
    other = view.at("Cora", "SC")
    assert other is not None
    assert other.mark == "≠"  # .400 against .150


def test_a_reading_stands_beside_the_number_of_its_graph(results: Results) -> None:
    results.store.append(make_record("clustering", "syn1-r95", "hp-2-mu-0", 0, {"nmi": 0.97}))
    cell = make_view("syn1-correlation", results).at("Syn1, r = .95", "HP-2, μ = 0")
    assert cell is not None
    assert cell.published is not None
    assert (cell.published.value, cell.published.place) == (1.0, "Table 1")
    assert cell.difference == pytest.approx(-0.03)


def test_extras_appear_when_they_were_run(results: Results) -> None:
    view = make_view("table1", results)
    assert view.rows[-1] == "CiteSeer"
    assert view.columns[-1] == "DMoN"
    assert "JustBalance" not in view.columns


def test_extras_of_another_table_stay_there(results: Results) -> None:
    for dataset in ("er-md-bonds", "enzymes"):
        results.store.append(make_record("classification", dataset, "deep-hosc", 0, {"accuracy": 0.5}))
    assert "HoscPool, deep" not in make_view("motif-sets", results).columns
    assert "enzymes" not in make_view("table3", results).rows
    assert "enzymes" in make_view("deep", results).rows


def test_overview_and_list(results: Results) -> None:
    view = make_view("table1", results)
    overview, others = (
        {row[0]: dict(zip(g.columns, row, strict=True)) for row in g.rows} for g in overview_grids(view)
    )
    assert overview["Cora"]["HoscPool"] == "0.500 (0.502) ="
    assert overview["PubMed"]["HoscPool"] == "not run (0.260)"
    assert overview["Karate"]["HoscPool"] == "failed (0.894)"
    assert others["CiteSeer"]["DMoN"] == "0.500"
    assert overview["Cora"].keys() & others["Cora"].keys() == {""}, "what the paper has, and what it does not have"
    lines = {line[:2]: line[2:] for line in long_grid(view).rows}
    assert lines["Cora", "HoscPool"] == (
        "0.502 ± 0.029",
        "0.500 ± 0.010",
        "3",
        "−0.002 ± 0.025",
        "=",
    )  # 0.0108 · t(10.3) + 0.0005
    assert lines["PubMed", "HoscPool"] == ("0.260 ± 0.054", "not run", "–", "–", "")
    assert lines["Karate", "HoscPool"] == ("0.894 ± 0.039", "1 failed", "–", "–", "")


def test_a_table_that_is_not_in_the_paper_shows_spread_and_seeds(results: Results) -> None:
    for seed, accuracy in enumerate((0.6, 0.8)):
        results.store.append(make_record("classification", "motifs-easy", "hosc", seed, {"accuracy": accuracy}))
    view = make_view("motif-sets", results)
    assert not view.has_published
    (grid,) = overview_grids(view)
    assert dict(zip(grid.columns, grid.rows[0], strict=True))["HoscPool"] == "70.0 ± 14.1 (2)"
    assert [(c.row, c.column) for c in view.known.comparisons] == [("motifs, easy", "HoscPool")]


def test_only_what_was_asked_for_and_run(results: Results) -> None:
    view = make_view("table1", results).only({("cora", "hosc"), ("cora", "msc"), ("karate", "hosc")})
    assert [(c.row, c.column) for c in view.comparisons] == [("Cora", "HoscPool"), ("Karate", "HoscPool")]


def test_table_7_takes_the_average_by_volume(results: Results) -> None:
    cell = make_view("table7", results).at("Cora", "HoscPool Cond")
    assert cell is not None
    assert cell.measured is not None
    assert cell.measured.mean == pytest.approx(0.09)
    assert cell.published is not None
    assert cell.published.value == 0.091


def test_table_2_is_processor_time(results: Results) -> None:
    cell = make_view("table2", results).at("Cora", "HoscPool")
    assert cell is not None
    assert cell.measured == Summary(1.0, 0.0, 3)
    assert cell.published is not None
    assert cell.published.value == 24
    assert published_text(cell) == "24"
    inside = replace(cell, measured=Summary(24.3, 0.05, 10))  # the paper prints whole seconds
    assert inside.differs is False


def test_accuracies_are_in_per_cent_and_base_is_hoscpool(results: Results) -> None:
    for name, column in (("table3", "HoscPool"), ("table5", "Base")):
        cell = make_view(name, results).at("Proteins", column)
        assert cell is not None
        assert cell.measured == Summary(77.5, 0.0, 1)
        assert cell.published is not None
        assert cell.published.value == 77.5
        assert cell.mark == ""  # one seed


def test_table_4_collects_its_columns(results: Results) -> None:
    view = make_view("table4", results)
    graphs, nmi = view.at("Proteins", "graphs"), view.at("Proteins", "NMI")
    assert graphs is not None
    assert graphs.measured == Summary(1113.0, 0.0, 1)
    assert nmi is not None
    assert nmi.measured is None
    assert nmi.published is not None
    assert nmi.published.value == 0.46
    assert view.at("Reddit-B", "homo") is None  # it has no labels of nodes, which is not the same as not run
    assert view.at("Reddit-B", "graphs") is not None


def test_all_tables_are_made_of_nothing_too(tmp_path: Path) -> None:
    views = make_views(Results(tmp_path / "nothing"))
    assert len(views) == 14
    for view in views:
        assert all(comparison.measured is None for comparison in view.comparisons)
        assert len(view.comparisons) == len(view.rows) * len(view.columns)
        assert view.table.note
    with pytest.raises(ValueError, match=r"unknown table 'table9'. Did you mean .* Valid tables: table1, table2"):
        make_view("table9", Results(tmp_path))


def test_text_of_numbers() -> None:
    assert measured_text(Summary(1234.5, 0.25, 4), 1) == "1,234.5 ± 0.2"
    assert measured_text(Summary(0.5, 0.0, 1), 3) == "0.500"
