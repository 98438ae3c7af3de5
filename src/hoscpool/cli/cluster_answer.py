"""What ``hoscpool cluster`` prints: the communities first, and with ``-v`` how they were found."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from hoscpool.report import Answer, Clustering

MAX_ROWS = 20
"""A table shows at most this many clusters."""
NARROW = 60
"""On a narrower terminal fewer members are named, and the share of ties is left out."""


def print_answer(console: Console, result: Clustering) -> None:
    """Print every community with its size and most central members, and one sentence on how clear they are."""
    answer, model = result.answer, result.model
    found = len(answer.communities)
    console.print(f"\n[bold]{found:,} {'community' if found == 1 else 'communities'}[/bold]{_of_auto(model)}")
    console.print(_communities(answer, console.width))
    if found > MAX_ROWS:
        console.print(f"the {MAX_ROWS} largest are shown\n")
    console.print(answer.quality)
    if result.scores.nmi is not None and result.scores.accuracy is not None:
        console.print(
            f"{result.scores.accuracy:.0%} of the nodes are in the community that matches their known class "
            f"(NMI {result.scores.nmi:.2f})."
        )


def _of_auto(model: Any) -> str:
    if not hasattr(model, "selection_"):
        return ""
    tried = model.selection_.k
    return f": K = {model.n_clusters_} has the best score of K = {tried[0]} to {tried[-1]}"


def _communities(answer: Answer, width: int) -> Table:
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    from hoscpool.report import named_members

    narrow = width < NARROW
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("no." if narrow else "community", justify="right", style="bold")
    table.add_column("nodes", justify="right")
    if not narrow:
        table.add_column("ties inside", justify="right")
    table.add_column("most central members", overflow="fold")
    for community in answer.communities[:MAX_ROWS]:
        members = ", ".join(named_members(answer, community, 3 if narrow else 6, 20 if narrow else 40))
        share = "–" if community.inside is None else f"{community.inside:.0%}"
        middle = [] if narrow else [share]
        rest = ", …" if community.size > 3 + 3 * (not narrow) else ""
        table.add_row(str(community.number), f"{community.size:,}", *middle, escape(members) + rest)
    return table


def print_details(console: Console, result: Clustering) -> None:
    """Print the clusters with their scores, and which run was kept and why."""
    from hoscpool.report import cluster_table, run_table, why_kept, why_solver

    model = result.model
    for columns, rows in (
        cluster_table(result, MAX_ROWS),
        (("score", "value"), result.scores.lines()),
        run_table(model),
    ):
        fits = _narrowest(columns, rows) <= console.width
        console.print(_table(columns, rows) if fits else _lines(columns, rows))
    console.print(why_solver(model), markup=False)
    console.print(why_kept(model))


def warn_unstable(model: Any) -> None:
    """Warn if the restarts agree poorly."""
    from hoscpool.report import is_unstable
    from hoscpool.support.errors import GraphWarning

    if is_unstable(model):
        message = "the restarts agree poorly, so another seed may give other clusters; raise --n-init or try another -k"
        warnings.warn(message, GraphWarning, stacklevel=2)


def _narrowest(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """The width of a table in which no word is broken."""
    words = (
        max((len(word) for cell in column for word in cell.split()), default=0)
        for column in zip(columns, *rows, strict=True)
    )
    return sum(width + 2 for width in words)


def _lines(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table for a narrow terminal: a line for every row, with the names of the columns."""
    from rich.markup import escape

    lines = [
        "",
        *(", ".join(f"{name} {cell}".strip() for name, cell in zip(columns, row, strict=True)) for row in rows),
        "",
    ]
    return escape("\n".join(lines))


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """A table in the style of the other commands: first column bold, numbers right-aligned."""
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
