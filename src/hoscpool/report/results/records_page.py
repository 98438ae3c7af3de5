"""The records as one self-contained page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

from hoscpool.datasets import dataset_info
from hoscpool.experiments import (
    PAPER_TABLES,
    PaperTable,
    Plot,
    Results,
    long_grid,
    loss_curves,
    overview_grids,
    paired_grid,
)
from hoscpool.experiments.tables import View, make_views
from hoscpool.plot import require_plotly
from hoscpool.report.page import Page
from hoscpool.report.results.quality import page_text, peers_grids, quality_grid
from hoscpool.report.results.reproduction import (
    CHOICES,
    CONTRADICTIONS,
    PAIRED,
    ROWS,
    circumstances,
    glance_grid,
    impossible_grid,
)
from hoscpool.report.results.result_figures import Point, comparison_figure, curves_figure, time_figure
from hoscpool.report.results.row_verdicts import choice_sentence, mu_grid, verdict_grid, verdict_summary
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
    page.text(verdict_summary(results).strip("*"))
    _add_grid(page, verdict_grid(results))
    page.text(f"{CHOICES.replace('**', '')} {choice_sentence(results)}")
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
    for overview in overview_grids(view):
        _add_grid(page, overview)
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


_STYLE = """<style>
nav.contents { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: 1rem 0; }
nav.contents a { color: #3b6fb6; text-decoration: none; padding: .2rem 0; }
body { max-width: 1400px; }
table.sortable th { padding: 0; white-space: normal; vertical-align: bottom; }
table.sortable td { padding: .3rem .6rem; }
table.sortable th button { all: unset; box-sizing: border-box; cursor: pointer; padding: .3rem .6rem; width: 100%; }
table.sortable th button:focus-visible { outline: 2px solid #3b6fb6; }
table.sortable th button::after { content: '\\00a0↕'; color: #b9c2cd; }
table.sortable th[aria-sort=ascending] button::after { content: '\\00a0↑'; color: #1d2733; }
table.sortable th[aria-sort=descending] button::after { content: '\\00a0↓'; color: #1d2733; }
td.differs { background: #fdecea; } td.agrees { background: #e8f4ec; } td.absent { color: #8a97a8; }
details { margin: .5rem 0 1rem; } summary { cursor: pointer; color: #3b6fb6; padding: .3rem 0; }
@media (max-width: 40rem) {
  body { padding: .8rem; font-size: 15px; } th, td, table.sortable th button { padding: .25rem .5rem; }
  th:first-child, td:first-child { position: sticky; left: 0; background: #fff; }
  th, td:first-child { white-space: normal; min-width: 4.2rem; } td:first-child { max-width: 7.5rem; }
}
@media print {
  nav.contents { display: none; } .scroll { overflow: visible; } table { font-size: 8pt; } th, td { padding: 2px 4px; }
  table.sortable th button { padding: 2px 4px; } table.sortable th button::after { content: ''; }
  tr, .figure { break-inside: avoid; } h2 { break-after: avoid; }
}
</style>"""

# Numbers sort by their first number, "not run" and dashes come last, equal rows stay in their order.
_SORT = """
const numberOf = (text) => {
  const found = text.replace(/,/g, '').replace(/−/g, '-').match(/^[-+]?\\d*\\.?\\d+/);
  return found ? parseFloat(found[0]) : null;
};
const compare = (a, b) => {
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x !== null && y !== null) return x - y;
  if (x !== null || y !== null) return x !== null ? -1 : 1;
  return a.localeCompare(b);
};
for (const table of document.querySelectorAll('table.sortable')) {
  table.querySelectorAll('th').forEach((head, column) => head.querySelector('button').addEventListener('click', () => {
    const down = head.getAttribute('aria-sort') === 'ascending';
    table.querySelectorAll('th').forEach((other) => other.removeAttribute('aria-sort'));
    head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const text = (row) => row.cells[column].textContent;
    const rows = [...table.tBodies[0].rows];
    const there = rows.filter((row) => numberOf(text(row)) !== null || !/^(–|not run.*|failed.*|)$/.test(text(row)));
    const absent = rows.filter((row) => !there.includes(row));
    there.sort((a, b) => (down ? -1 : 1) * compare(text(a), text(b)));
    table.tBodies[0].append(...there, ...absent);
  }));
}
addEventListener('beforeprint', () => document.querySelectorAll('details').forEach((part) => part.open = true));
"""


class SortablePage(Page):
    """A page with a list of its sections, sortable tables, and parts that unfold.

    Args:
        title: Title of the window and first heading.
        sections: Titles of the sections to come, for the list at the top.
    """

    def __init__(self, title: str, sections: Sequence[str]) -> None:
        super().__init__(title)
        links = "".join(f"<a href='#{anchor(name)}'>{escape(name)}</a>" for name in sections)
        self._parts += [_STYLE, f"<nav class='contents' aria-label='Contents'>{links}</nav>"]

    def heading(self, text: str) -> None:
        """Begin a section that the list at the top leads to."""
        self._parts.append(f"<h2 id='{anchor(text)}'>{escape(text)}</h2>")

    def sortable(self, columns: Sequence[str], rows: Sequence[Sequence[str]], summary: str | None = None) -> None:
        """Add a table whose rows sort by a click on a column; with a summary it is folded away under it."""
        head = "".join(
            f"<th scope='col'><button type='button'>{escape(name) or '&nbsp;'}</button></th>" for name in columns
        )
        body = "".join(f"<tr>{''.join(_cell(cell) for cell in row)}</tr>" for row in rows)
        parts = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
        table = f"<div class='scroll'><table class='sortable'>{parts}</table></div>"
        folded = f"<details><summary>{escape(summary)}</summary>{table}</details>" if summary else table
        self._parts.append(folded)

    def finish(self) -> None:
        """Add what makes the tables sort; call it last."""
        self.script(_SORT)


def anchor(text: str) -> str:
    """The name of a section in links.

    Examples:
        >>> anchor("Table 1: NMI")
        'table-1-nmi'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def _cell(text: str) -> str:
    kind = (
        "differs" if "≠" in text else "agrees" if text.endswith("=") else "absent" if text.startswith("not run") else ""
    )
    return f"<td class='{kind}'>{escape(text)}</td>" if kind else f"<td>{escape(text)}</td>"
