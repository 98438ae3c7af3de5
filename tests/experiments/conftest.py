"""An experiment that costs nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hoscpool.experiments import targets as catalog
from hoscpool.experiments import targets as plan
from hoscpool.experiments.running import cell_run as worker
from hoscpool.experiments.running.cell import Cell
from hoscpool.experiments.tables import summaries as results


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> dict[str, Callable[[Cell], Any]]:
    """An experiment ``toy`` in place of all others: what a dataset named here does, or else its seed as the score."""
    actions: dict[str, Callable[[Cell], Any]] = {}

    def run(cell: Cell, _data_root: str | Path | None) -> dict[str, Any]:
        if cell.dataset in actions:
            actions[cell.dataset](cell)
        return {"metrics": {"score": cell.seed}, "seconds": {"wall": 0.0, "cpu": 0.0}, "info": {}}

    module = SimpleNamespace(run=run, settings=lambda _dataset, method: {"method": method, "mu": 0.1})
    for user in (catalog, plan, results, worker):
        monkeypatch.setattr(user, "experiment_module", lambda _name: module)
    return actions
