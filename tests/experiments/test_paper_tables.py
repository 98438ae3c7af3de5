from __future__ import annotations

from dataclasses import replace

import pytest

from hoscpool.cluster.presets import PRESETS
from hoscpool.experiments import targets as catalog
from hoscpool.experiments.running.cell import settings_hash
from hoscpool.experiments.targets import TARGETS, experiment_module, find_targets, plan_cells


def test_tables_of_the_same_fits_share_their_cells() -> None:
    one = plan_cells(find_targets("table1"), seeds=10)
    three = plan_cells([TARGETS[name] for name in ("table1", "table2", "table7", "figure2")], seeds=10)
    assert {cell.key for cell in three} == {cell.key for cell in one}
    assert len(one) == len({cell.key for cell in one}) == 12 * 8 * 10


def test_base_of_the_ablations_is_hoscpool_of_table_3() -> None:
    base = plan_cells(find_targets("table5"), ["mutag"], ["hosc"], 1)
    assert base == plan_cells(find_targets("table3"), ["mutag"], ["hosc"], 1)


def test_seeds_come_before_datasets() -> None:
    cells = plan_cells(find_targets("table1"), ["karate", "syn1"], ["sc"], 2)
    assert [(cell.dataset, cell.seed) for cell in cells] == [("karate", 0), ("syn1", 0), ("karate", 1), ("syn1", 1)]


def test_unknown_names_are_listed() -> None:
    with pytest.raises(ValueError, match=r"--datasets: expected some of cora, .*citeseer.*, got 'moon'"):
        plan_cells(find_targets("table1"), ["moon"])
    with pytest.raises(ValueError, match=r"--methods: expected some of sc, .*dmon.*, got 'moon'"):
        plan_cells(find_targets("table1"), None, ["moon"])
    with pytest.raises(ValueError, match=r"got 'kora'; did you mean 'cora'\?"):
        plan_cells(find_targets("table1"), ["kora"])
    with pytest.raises(ValueError, match=r"got 'hsoc'; did you mean 'hosc'\?"):
        plan_cells(find_targets("table1"), None, ["hsoc"])
    with pytest.raises(ValueError, match="name: expected one of table1"):
        find_targets("table9")


def test_with_all_a_name_need_be_in_one_table_only() -> None:
    cells = plan_cells(find_targets("all"), ["karate"], ["edge+cycle4", "sc"], 1)
    assert [(cell.experiment, cell.method) for cell in cells] == [("clustering", "sc"), ("four-node", "edge+cycle4")]
    with pytest.raises(ValueError, match="none of the tables has one of"):
        plan_cells(find_targets("all"), ["karate"], ["gmt"], 1)


@pytest.mark.parametrize("name", TARGETS)
def test_every_method_has_settings_of_its_own(name: str) -> None:
    target = TARGETS[name]
    module, dataset = experiment_module(target.experiment), target.datasets[0]
    methods = (*target.methods, *target.more_methods)
    assert len({settings_hash(module.settings(dataset, method)) for method in methods}) == len(methods)


def test_a_changed_default_makes_new_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {method: _hash(method) for method in ("hosc", "robust", "sc")}
    monkeypatch.setitem(PRESETS, "paper", replace(PRESETS["paper"], clip=3.0))
    after = {method: _hash(method) for method in before}
    assert [method for method in before if before[method] != after[method]] == ["hosc"]
    monkeypatch.setattr("hoscpool.cluster.views.feature_map.COMPONENTS", 64)
    assert _hash("robust") != after["robust"]
    assert _hash("hosc") == after["hosc"]


def _hash(method: str) -> str:
    return settings_hash(experiment_module("clustering").settings("karate", method))


def test_titles_cover_the_paper() -> None:
    names = {*catalog.GRAPHS, *catalog.MORE_GRAPHS, *catalog.GRAPH_SETS, *catalog.CLUSTERING, *catalog.POOLINGS}
    assert names <= set(catalog.TITLES)
