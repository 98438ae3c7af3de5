"""Tables of text, for the terminal and for Markdown alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table


@dataclass(frozen=True)
class Grid:
    """A table as text: a title, the column names, and the rows; the first column is aligned left."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]


def to_rich(grid: Grid) -> Table:
    """The table for the terminal."""
    from rich import box
    from rich.table import Table

    table = Table(title=grid.title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for number, column in enumerate(grid.columns):
        left = number == 0 or column == "result"
        table.add_column(column, justify="left" if left else "right", overflow="fold")
    for row in grid.rows:
        table.add_row(*row)
    return table


def to_markdown(grid: Grid) -> str:
    """The table in markdown, under its title in bold."""
    lines = [grid.columns, ("---", *("---:" for _ in grid.columns[1:])), *grid.rows]
    table = "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
    return f"**{grid.title}**\n\n{table}\n" if grid.rows else f"**{grid.title}**\n"
