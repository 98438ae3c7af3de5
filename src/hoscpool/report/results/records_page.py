"""The records as one self-contained page."""

from __future__ import annotations

from pathlib import Path

from hoscpool.datasets import dataset_info
from hoscpool.experiments import (
    PAPER_TABLES,
    PaperTable,
    Plot,
    Results,
    long_grid,
    loss_curves,
    overview_grid,
    paired_grid,
)
from hoscpool.experiments.tables import View, make_views
from hoscpool.plot import require_plotly
from hoscpool.report.results.quality import page_text, peers_grids, quality_grid
from hoscpool.report.results.reproduction import (
    CONTRADICTIONS,
    PAIRED,
    ROWS,
    circumstances,
    glance_grid,
    impossible_grid,
)
from hoscpool.report.results.result_figures import Point, comparison_figure, curves_figure, time_figure
from hoscpool.report.results.row_verdicts import mu_grid, verdict_grid
from hoscpool.report.results.sortable_page import SortablePage
from hoscpool.support.text_tables import Grid

TITLE = "HoscPool: the paper run again"
QUALITY, CONTRADICTING = "Default clustering", "Contradictions in the paper"
INTRODUCTION = (
    "Duval & Malliaros, Higher-order Clustering and Pooling for Graph Neural Networks (CIKM 2022): published numbers "
    "beside measured ones. Measured: mean over seeds; the full lists have the standard deviation. ≠: the 95 % "
    "interval of the measured mean excludes the published value. =: it does not, which says little with few seeds; "
    "the full lists have the width of the interval. Click a column to sort a table."
)


def write_report(results: Results, path: Path) -> Path:
    """Write the page, whole or not at all.

    Raises:
        MissingDependencyError: Plotly is not installed.
    """
    require_plotly()
    views = make_views(results)
    headings = [f"{view.table.place}: {view.title}" if view.table.place else view.title for view in views]
    figure = PAPER_TABLES["figure2"]
    curves = f"{figure.place}: {figure.title}"
    page = SortablePage(TITLE, ["At a glance", QUALITY, ROWS, *headings, curves, CONTRADICTING])
    page.text(INTRODUCTION)
    page.heading("At a glance")
    _add_grid(page, glance_grid(views))
    page.text(circumstances(results))
    page.heading(QUALITY)
    _add_grid(page, quality_grid(results))
    for grid in peers_grids(results):
        _add_grid(page, grid)
    page.heading(ROWS)
    for paragraph in page_text("table1_rows.md").replace("**", "").split("\n\n"):
        page.text(paragraph)
    _add_grid(page, verdict_grid(results))
    _add_grid(page, mu_grid(results))
    for view, heading in zip(views, headings, strict=True):
        page.heading(heading)
        _add_view(page, view, results)
    page.heading(curves)
    page.figures(
        *(curves_figure(p.title or f"{p.run}: not run", p.measured, p.published) for p in loss_curves(results))
    )
    page.heading(CONTRADICTING)
    page.text(CONTRADICTIONS)
    _add_grid(page, impossible_grid())
    page.finish()
    return page.write(path)


def _add_view(page: SortablePage, view: View, results: Results) -> None:
    table, plot = view.table, view.table.plot
    page.text(table.note)
    if plot is not None and plot.by_size:
        page.figures(time_figure(plot.axis, _by_size(table, plot, results)))
    elif plot is not None:
        page.figures(comparison_figure("● measured, ○ published", plot.axis, _points(view, plot)))
    _add_grid(page, overview_grid(view))
    if table.paired_with:
        page.text(PAIRED)
        _add_grid(page, paired_grid(results, table))
    grid = long_grid(view)
    page.sortable(grid.columns, grid.rows, summary=f"Every number, with spread and seeds ({len(grid.rows)} rows)")


def _add_grid(page: SortablePage, grid: Grid) -> None:
    page.sortable(grid.columns, grid.rows)


def _points(view: View, plot: Plot) -> dict[str, list[Point]]:
    """The numbers of some columns."""
    names = map(view.table.method_title, plot.methods)
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


def _by_size(table: PaperTable, plot: Plot, results: Results) -> dict[str, list[tuple[str, int, float]]]:
    """Label, number of edges and measured value of every dataset, by method."""
    found: dict[str, list[tuple[str, int, float]]] = {}
    for method in plot.methods:
        points = found[table.method_title(method)] = []
        for dataset in (*table.datasets, *table.more_datasets):
            summary = results.summary(table.experiment, dataset, method, table.numbers[0].measured)
            if summary is not None:
                info = dataset_info(dataset)
                points.append((info.label, info.edges, max(summary.mean, 1e-3)))
    return found
