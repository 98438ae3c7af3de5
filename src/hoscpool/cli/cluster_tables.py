"""What ``hoscpool cluster`` prints."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from hoscpool.report.clustering.summary import Clustering

MAX_ROWS = 20
"""Clusters up to which the table shows every one."""


def print_result(console: Console, result: Clustering) -> None:
    """Clusters, scores, and which run was kept and why."""
    from hoscpool.report.clustering.cluster_page import RUN_COLUMNS, cluster_table, run_table
    from hoscpool.report.clustering.summary import why_kept

    model = result.model
    console.print(table(*cluster_table(result, MAX_ROWS)))
    if len(result.clusters) > MAX_ROWS:
        console.print(f"the {MAX_ROWS} largest of {len(result.clusters):,} clusters are shown\n")
    console.print(table(("score", "value"), result.scores.lines()))
    if hasattr(model, "selection_"):
        tried = f"{model.selection_.k[0]} to {model.selection_.k[-1]}"
        console.print(f"K = {model.n_clusters_} had the best score of {tried}\n")
    console.print(table(RUN_COLUMNS, run_table(model)))
    console.print(why_kept(model))


def print_files(console: Console, folder: Path, files: Sequence[Path]) -> None:
    """Where everything went."""
    names = ", ".join(str(path.relative_to(folder)) for path in files)
    console.print(f"wrote {folder}: {names}", soft_wrap=True, markup=False)


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """A table as other commands print them: the first column bold, numbers to the right."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    shown = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for number, column in enumerate(columns):
        text = column in ("start", "method", "")
        justify = "left" if number == 0 or text else "right"
        style = "bold" if number == 0 else ""
        shown.add_column(column, justify=justify, style=style, no_wrap=text, overflow="fold")  # type: ignore[arg-type]
    for row in rows:
        shown.add_row(*(escape(cell) for cell in row))
    return shown
