"""An experiment that costs nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hoscpool.experiments.experiment import Experiment, experiments, register_experiment
from hoscpool.experiments.running.cell import Cell


@pytest.fixture
def toy() -> Iterator[dict[str, Callable[[Cell], Any]]]:
    """An experiment ``toy``: what a dataset named here does, or else its seed as the score."""
    actions: dict[str, Callable[[Cell], Any]] = {}

    def run(cell: Cell, _data_root: str | Path | None) -> dict[str, Any]:
        if cell.dataset in actions:
            actions[cell.dataset](cell)
        return {"metrics": {"score": cell.seed}, "seconds": {"wall": 0.0, "cpu": 0.0}, "info": {}}

    with experiments().restored():
        register_experiment(Experiment("toy", lambda _dataset, method: {"method": method, "mu": 0.1}, run))
        yield actions
