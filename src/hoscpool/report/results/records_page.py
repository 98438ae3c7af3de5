"""The records as one self-contained page."""

from __future__ import annotations

from pathlib import Path

from hoscpool.bench.harness.result_tables import Grid
from hoscpool.datasets.dataset_catalog import dataset_info
from hoscpool.experiments.protocols.node_clustering import base_name
from hoscpool.experiments.tables import View, make_views
from hoscpool.experiments.tables.clustering_tables import cpu_seconds
from hoscpool.experiments.tables.grids import PAIRED, long_grid, overview_grid, paired_grid
from hoscpool.experiments.tables.loss_curves import loss_curves
from hoscpool.experiments.tables.published import note
from hoscpool.experiments.tables.summaries import Results
from hoscpool.experiments.targets import TARGETS, title
from hoscpool.report.page import require_plotly
from hoscpool.report.results.quality import peers_grid, quality_grid
from hoscpool.report.results.reproduction import circumstances, glance_grid, impossible_grid
from hoscpool.report.results.result_figures import Point, comparison_figure, curves_figure, time_figure
from hoscpool.report.results.results_page import ResultsPage

TITLE = "HoscPool: the paper run again"
FIGURE2, CONTRADICTIONS, QUALITY = "Figure 2: loss curves", "Contradictions in the paper", "Default clustering"
_POINTS = {
    "table1": ("NMI", ("sc", "mincut", "hp-2", "hosc", "robust")),
    "table3": ("accuracy, %", ("none", "random", "mincut", "hosc")),
    "table5": ("accuracy, %", ("hosc", "mu-0", "not-ada", "no-diag")),
    "table6": ("NMI", ("mincut", "hosc")),
}
"""What a figure of a table shows: title of its axis, and methods."""


def write_report(results: Results, path: Path) -> Path:
    """Write the page, whole or not at all.

    Raises:
        MissingDependencyError: Plotly is not installed.
    """
    require_plotly()
    views = make_views(results)
    headings = {view.name: f"{view.place}: {view.title}" if view.place else view.title for view in views}
    page = ResultsPage(TITLE, ["At a glance", QUALITY, *headings.values(), FIGURE2, CONTRADICTIONS])
    page.text(note("report"))
    page.heading("At a glance")
    _add_grid(page, glance_grid(views))
    page.text(circumstances(results))
    page.heading(QUALITY)
    _add_grid(page, quality_grid(results))
    _add_grid(page, peers_grid(results))
    for view in views:
        page.heading(headings[view.name])
        _add_view(page, view, results)
    page.heading(FIGURE2)
    page.figures(
        *(curves_figure(p.title or f"{p.run}: not run", p.measured, p.published) for p in loss_curves(results))
    )
    page.heading(CONTRADICTIONS)
    page.text(note("contradictions"))
    _add_grid(page, impossible_grid())
    page.finish()
    return page.write(path)


def _add_view(page: ResultsPage, view: View, results: Results) -> None:
    page.text(view.note)
    if view.name in _POINTS:
        axis, methods = _POINTS[view.name]
        page.figures(comparison_figure("● measured, ○ published", axis, _points(view, methods)))
    if view.name == "table2":
        page.figures(time_figure("Processor time of a fit by graph size", _times(results)))
    _add_grid(page, overview_grid(view))
    if view.name in PAIRED:
        page.text(note("paired"))
        _add_grid(page, paired_grid(results, view.name))
    grid = long_grid(view)
    page.sortable(grid.columns, grid.rows, summary=f"Every number, with spread and seeds ({len(grid.rows)} rows)")


def _add_grid(page: ResultsPage, grid: Grid) -> None:
    page.sortable(grid.columns, grid.rows)


def _points(view: View, methods: tuple[str, ...]) -> dict[str, list[Point]]:
    """The numbers of some columns; Table 5 calls HoscPool its base."""
    names = ["Base" if (view.name, method) == ("table5", "hosc") else title(method) for method in methods]
    return {name: [_point(view, row, name) for row in view.rows] for name in names if name in view.columns}


def _point(view: View, row: str, column: str) -> Point:
    found = view.at(row, column)
    measured, printed = (None, None) if found is None else (found.measured, found.published)
    return Point(
        row,
        measured.mean if measured else None,
        measured.sd if measured else 0.0,
        printed.value if printed else None,
        (printed.sd or 0.0) if printed else 0.0,
    )


def _times(results: Results) -> dict[str, list[tuple[str, int, float]]]:
    target, times = TARGETS["table1"], {}
    for method in target.methods:
        points = []
        for dataset in (*target.datasets, *target.more_datasets):
            summary = results.summary(target.experiment, dataset, method, cpu_seconds)
            if summary is not None:
                points.append((title(dataset), dataset_info(base_name(dataset)).edges, max(summary.mean, 1e-3)))
        times[title(method)] = points
    return times
