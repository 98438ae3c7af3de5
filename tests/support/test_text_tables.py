from __future__ import annotations

import io

from rich.console import Console

from hoscpool.support.text_tables import Grid, to_markdown, to_rich

GRID = Grid("Sizes", ("graph", "nodes"), [("a|b", "34"), ("c", "1,000")])


def test_markdown_has_every_cell_and_escapes_bars() -> None:
    table = "| graph | nodes |\n| --- | ---: |\n| a\\|b | 34 |\n| c | 1,000 |"
    assert to_markdown(GRID) == f"**Sizes**\n\n{table}\n"
    assert to_markdown(Grid("Sizes", ("graph",), [])) == "**Sizes**\n"


def test_on_a_terminal_names_stand_left_and_numbers_right() -> None:
    out = io.StringIO()
    Console(file=out, width=40).print(to_rich(GRID))
    lines = out.getvalue().splitlines()
    assert lines[0].strip() == "Sizes"
    assert [line.split() for line in lines[4:6]] == [["a|b", "34"], ["c", "1,000"]]
    assert lines[4].rstrip().endswith("   34")
