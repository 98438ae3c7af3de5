"""Records made up for tests, and cells of an experiment that costs nothing."""

from __future__ import annotations

from typing import Any

from hoscpool.experiments.experiment import find_experiment
from hoscpool.experiments.running.cell import Cell, settings_hash
from hoscpool.experiments.running.store import Record

MACHINE = {"processor": "P", "cores": "1", "memory": "1 GB", "system": "S"}


def make_record(
    experiment: str, dataset: str, method: str, seed: int, metrics: dict[str, Any] | None = None, **more: Any
) -> Record:
    """A record with the settings of today."""
    settings = find_experiment(experiment).settings(dataset, method)
    names = {"experiment": experiment, "dataset": dataset, "method": method, "seed": seed}
    about = {"versions": {"hoscpool": "0"}, "machine": MACHINE, "finished": "2026-01-02T03:04:05Z"}
    rest = {"status": "ok", "metrics": metrics or {}, "seconds": {"wall": 2.0, "cpu": 1.0}, "peak_memory": 1}
    return {**names, "hash": settings_hash(settings), **rest, "settings": settings, **about, **more}


def toy_cells(*datasets: str, seeds: int = 1) -> list[Cell]:
    """Cells of the experiment ``toy``."""
    return [Cell("toy", dataset, "m", seed, {"mu": 0.1}) for seed in range(seeds) for dataset in datasets]
