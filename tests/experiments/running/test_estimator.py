from __future__ import annotations

from typing import Any

import pytest

from experiments.made_up import make_record
from hoscpool.experiments.experiment import find_experiment
from hoscpool.experiments.running.cell import Cell
from hoscpool.experiments.running.estimator import Estimator


def cell(dataset: str, method: str, seed: int = 9, experiment: str = "clustering") -> Cell:
    return Cell(experiment, dataset, method, seed, find_experiment(experiment).settings(dataset, method))


def record(dataset: str, method: str, cpu: float, seed: int = 0, wall: float = 0.0, **more: Any) -> dict[str, Any]:
    return make_record("clustering", dataset, method, seed, seconds={"wall": wall or cpu, "cpu": cpu}, **more)


def test_other_seeds_of_a_cell_say_how_long_it_takes() -> None:
    estimator = Estimator([record("cora", "hosc", cpu, seed) for seed, cpu in enumerate((3.0, 5.0, 90.0))])
    assert estimator.is_known(cell("cora", "hosc"))
    assert estimator.seconds(cell("cora", "hosc")) == 5.0


def test_records_of_other_settings_are_a_guess_only() -> None:
    estimator = Estimator([record("cora", "hosc", 3.0, hash="of other settings")])
    assert not estimator.is_known(cell("cora", "hosc"))
    assert estimator.seconds(cell("cora", "hosc")) == pytest.approx(3.0)


def test_failed_cells_say_nothing() -> None:
    estimator = Estimator([record("cora", "hosc", 3.0, status="failed")])
    assert not estimator.is_known(cell("cora", "hosc"))
    assert estimator.seconds(cell("cora", "hosc")) == Estimator([]).seconds(cell("cora", "hosc"))


def test_a_missing_cell_takes_its_method_and_its_dataset_from_others() -> None:
    """Photo takes twice the time of Cora with every method, and msc four times the time of hosc on every graph."""
    without = Estimator([])
    size = {name: without.seconds(cell(name, "hosc")) for name in ("cora", "photo", "cs")}
    seen = {("cora", "hosc"): 1.0, ("cora", "mincut"): 1.0, ("cora", "msc"): 4.0, ("photo", "hosc"): 2.0,
            ("photo", "mincut"): 2.0, ("cs", "hosc"): 1.0, ("cs", "mincut"): 1.0, ("cs", "msc"): 4.0}  # fmt: skip
    estimator = Estimator([record(d, m, factor * size[d]) for (d, m), factor in seen.items()])
    assert not estimator.is_known(cell("photo", "msc"))
    assert estimator.seconds(cell("photo", "msc")) == pytest.approx(8 * size["photo"])


def test_a_method_seen_on_one_slow_dataset_is_not_taken_for_slow_itself() -> None:
    """Photo is slow with the known methods too, so msc takes the time of the others on Cora."""
    without = Estimator([])
    size = {name: without.seconds(cell(name, "hosc")) for name in ("cora", "photo", "cs")}
    methods = ("hosc", "mincut", "hp-1")
    seen = {(d, m): 50.0 if d == "photo" else 1.0 for d in size for m in methods} | {("photo", "msc"): 50.0}
    estimator = Estimator([record(d, m, factor * size[d]) for (d, m), factor in seen.items()])
    assert estimator.seconds(cell("cora", "msc")) == pytest.approx(size["cora"])


def test_a_loaded_machine_takes_longer_on_the_clock() -> None:
    estimator = Estimator([record("cora", "hosc", 4.0, wall=40.0)])
    assert estimator.seconds(cell("cora", "hosc")) == 4.0, "how busy the machine was then is no news"
    assert estimator.seconds_on_the_clock(cell("cora", "hosc")) == 40.0, "but a budget is one of the clock"
    assert estimator.seconds_on_the_clock(cell("cora", "mincut")) == 0.0
    estimator.learn(record("cora", "mincut", 2.0, wall=6.0))
    assert estimator.seconds(cell("cora", "hosc")) == 12.0


def test_without_records_big_graphs_take_longer_and_cheap_methods_less() -> None:
    estimator = Estimator([])
    assert estimator.seconds(cell("photo", "hosc")) > estimator.seconds(cell("karate", "hosc")) > 1
    assert estimator.seconds(cell("cora", "sc")) == estimator.seconds(cell("cora", "hosc")) / 50
