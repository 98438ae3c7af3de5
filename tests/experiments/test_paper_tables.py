from __future__ import annotations

from dataclasses import replace

import pytest

from hoscpool.cluster.presets import PRESETS
from hoscpool.datasets import dataset_info
from hoscpool.experiments.experiment import find_experiment
from hoscpool.experiments.paper_tables import PAPER_TABLES, find_tables
from hoscpool.experiments.running.cell import plan_cells, settings_hash


def test_tables_of_the_same_fits_share_their_cells() -> None:
    one = plan_cells(find_tables("table1"), seeds=10)
    three = plan_cells([PAPER_TABLES[name] for name in ("table1", "table2", "table7", "figure2")], seeds=10)
    assert {cell.key for cell in three} == {cell.key for cell in one}
    assert len(one) == len({cell.key for cell in one}) == 12 * 8 * 10


def test_base_of_the_ablations_is_hoscpool_of_table_3() -> None:
    base = plan_cells(find_tables("table5"), ["mutag"], ["hosc"], 1)
    assert base == plan_cells(find_tables("table3"), ["mutag"], ["hosc"], 1)


def test_seeds_come_before_datasets() -> None:
    cells = plan_cells(find_tables("table1"), ["karate", "syn1"], ["sc"], 2)
    assert [(cell.dataset, cell.seed) for cell in cells] == [("karate", 0), ("syn1", 0), ("karate", 1), ("syn1", 1)]


def test_unknown_names_are_listed() -> None:
    with pytest.raises(ValueError, match=r"--datasets: expected some of cora, .*citeseer.*, got 'moon'"):
        plan_cells(find_tables("table1"), ["moon"])
    with pytest.raises(ValueError, match=r"--methods: expected some of sc, .*dmon.*, got 'moon'"):
        plan_cells(find_tables("table1"), None, ["moon"])
    with pytest.raises(ValueError, match=r"got 'kora'; did you mean 'cora'\?"):
        plan_cells(find_tables("table1"), ["kora"])
    with pytest.raises(ValueError, match=r"got 'hsoc'; did you mean 'hosc'\?"):
        plan_cells(find_tables("table1"), None, ["hsoc"])
    with pytest.raises(
        ValueError, match=r"unknown table 'tabel1'. Did you mean 'table1'\? Valid tables: table1, table2"
    ):
        find_tables("tabel1")


def test_with_all_a_name_need_be_in_one_table_only() -> None:
    cells = plan_cells(find_tables("all"), ["karate"], ["edge+cycle4", "sc"], 1)
    assert [(cell.experiment, cell.method) for cell in cells] == [("clustering", "sc"), ("four-node", "edge+cycle4")]
    with pytest.raises(ValueError, match="no table has one of these datasets"):
        plan_cells(find_tables("all"), ["karate"], ["gmt"], 1)


@pytest.mark.parametrize("name", PAPER_TABLES)
def test_every_method_has_settings_of_its_own(name: str) -> None:
    table = PAPER_TABLES[name]
    experiment, dataset = find_experiment(table.experiment), table.datasets[0]
    methods = (*table.methods, *table.more_methods)
    assert len({settings_hash(experiment.settings(dataset, method)) for method in methods}) == len(methods)


def test_a_changed_default_makes_new_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {method: _hash(method) for method in ("hosc", "robust", "sc")}
    monkeypatch.setitem(PRESETS, "paper", replace(PRESETS["paper"], clip=3.0))
    after = {method: _hash(method) for method in before}
    assert [method for method in before if before[method] != after[method]] == ["hosc"]
    monkeypatch.setattr("hoscpool.cluster.views.feature_map.COMPONENTS", 64)
    assert _hash("robust") != after["robust"]
    assert _hash("hosc") == after["hosc"]


def _hash(method: str) -> str:
    return settings_hash(find_experiment("clustering").settings("karate", method))


def test_names_are_written_as_in_the_paper() -> None:
    table1, table3, table5 = (PAPER_TABLES[name] for name in ("table1", "table3", "table5"))
    assert [table1.method_title(name) for name in ("sc", "diffpool", "hp-1", "hosc")] == [
        "SC",
        "DiffPool",
        "HP-1",
        "HoscPool",
    ]
    assert [table3.method_title(name) for name in ("none", "sag", "hosc-tuned", "edge")] == [
        "NoPool",
        "SAGPool",
        "HoscPool, tuned",
        "edge",
    ]
    assert [table5.method_title(name) for name in ("hosc", "mu-0", "gat", "c-ratio")] == [
        "Base",
        "μ = 0",
        "GAT",
        "c-ratio",
    ]
    assert [dataset_info(name).label for name in ("pc", "email-eu", "bench-hard", "enzymes")] == [
        "PC",
        "Email-eu",
        "b-hard",
        "enzymes",
    ]


@pytest.mark.parametrize("name", PAPER_TABLES)
def test_every_table_says_how_to_read_it(name: str) -> None:
    table = PAPER_TABLES[name]
    assert table.note
    assert all(dataset_info(dataset) for dataset in (*table.datasets, *table.more_datasets))
    shown = (*table.titles, table.paired_with, *(table.plot.methods if table.plot else ()))
    assert {*shown, *(number.method for number in table.numbers)} <= {"", *table.methods, *table.more_methods}


def test_a_run_of_everything_begins_with_what_is_cheap() -> None:
    cells = plan_cells(find_tables("all"), seeds=1)
    order = list(dict.fromkeys(cell.experiment for cell in cells))
    assert order == ["clustering", "two-layer", "four-node", "properties", "classification"]
