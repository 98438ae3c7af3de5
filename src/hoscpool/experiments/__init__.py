"""Runs the paper again: cells, their records, and tables that compare measured and published numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hoscpool.support.lazy import lazy_door

if TYPE_CHECKING:
    from hoscpool.experiments.experiment import Experiment as Experiment
    from hoscpool.experiments.experiment import find_experiment as find_experiment
    from hoscpool.experiments.experiment import register_experiment as register_experiment
    from hoscpool.experiments.paper_tables import ALL as ALL
    from hoscpool.experiments.paper_tables import MU_VALUES as MU_VALUES
    from hoscpool.experiments.paper_tables import PAPER_TABLES as PAPER_TABLES
    from hoscpool.experiments.paper_tables import Measure as Measure
    from hoscpool.experiments.paper_tables import Number as Number
    from hoscpool.experiments.paper_tables import PaperTable as PaperTable
    from hoscpool.experiments.paper_tables import Plot as Plot
    from hoscpool.experiments.paper_tables import find_tables as find_tables
    from hoscpool.experiments.paper_tables import register_table as register_table
    from hoscpool.experiments.running.cell import Cell as Cell
    from hoscpool.experiments.running.cell import plan_cells as plan_cells
    from hoscpool.experiments.running.estimator import Estimator as Estimator
    from hoscpool.experiments.running.progress_board import Board as Board
    from hoscpool.experiments.running.progress_board import duration as duration
    from hoscpool.experiments.running.scheduler import Options as Options
    from hoscpool.experiments.running.scheduler import run_cells as run_cells
    from hoscpool.experiments.running.scheduler import unfinished as unfinished
    from hoscpool.experiments.running.store import Store as Store
    from hoscpool.experiments.tables.grids import MARKS as MARKS
    from hoscpool.experiments.tables.grids import NOTHING as NOTHING
    from hoscpool.experiments.tables.grids import long_grid as long_grid
    from hoscpool.experiments.tables.grids import measured_text as measured_text
    from hoscpool.experiments.tables.grids import overview_grids as overview_grids
    from hoscpool.experiments.tables.grids import paired_grid as paired_grid
    from hoscpool.experiments.tables.loss_curves import TERMS as TERMS
    from hoscpool.experiments.tables.loss_curves import LossCurves as LossCurves
    from hoscpool.experiments.tables.loss_curves import loss_curves as loss_curves
    from hoscpool.experiments.tables.published import Curve as Curve
    from hoscpool.experiments.tables.published import impossible_pairs as impossible_pairs
    from hoscpool.experiments.tables.published import published as published
    from hoscpool.experiments.tables.summaries import Results as Results

_EXPORTS = {
    "ALL": "paper_tables",
    "Board": "running.progress_board",
    "Cell": "running.cell",
    "Curve": "tables.published",
    "Estimator": "running.estimator",
    "LossCurves": "tables.loss_curves",
    "MARKS": "tables.grids",
    "MU_VALUES": "paper_tables",
    "Measure": "paper_tables",
    "NOTHING": "tables.grids",
    "Options": "running.scheduler",
    "PAPER_TABLES": "paper_tables",
    "Number": "paper_tables",
    "register_table": "paper_tables",
    "PaperTable": "paper_tables",
    "Plot": "paper_tables",
    "Results": "tables.summaries",
    "Store": "running.store",
    "TERMS": "tables.loss_curves",
    "duration": "running.progress_board",
    "Experiment": "experiment",
    "register_experiment": "experiment",
    "find_experiment": "experiment",
    "find_tables": "paper_tables",
    "impossible_pairs": "tables.published",
    "long_grid": "tables.grids",
    "loss_curves": "tables.loss_curves",
    "measured_text": "tables.grids",
    "overview_grids": "tables.grids",
    "paired_grid": "tables.grids",
    "plan_cells": "running.cell",
    "published": "tables.published",
    "run_cells": "running.scheduler",
    "unfinished": "running.scheduler",
}

__getattr__ = lazy_door(__name__, _EXPORTS)
