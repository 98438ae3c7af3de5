"""``hoscpool demo``: the main job on embedded data, in half a minute."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add_parser(subparsers: Any) -> None:
    """Add the sub-command and its arguments."""
    parser = subparsers.add_parser(
        "demo",
        help="show on two embedded graphs what motifs reveal",
        description="Motif statistics of the Karate club and of Syn1, as tables and as a page with pictures. "
        "Needs no files and no network.",
    )
    parser.add_argument(
        "-o", "--output", type=Path, default=Path("demo"), metavar="DIR", help="folder for report.html (default: demo)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the tables and write the page."""
    from rich.console import Console
    from rich.table import Table

    from hoscpool import datasets
    from hoscpool.report.demo import COLUMNS, motif_statistics, write_demo_page

    if args.output.exists() and not args.output.is_dir():
        raise NotADirectoryError(f"output: {args.output} is a file; give the name of a folder")
    args.output.mkdir(parents=True, exist_ok=True)
    console = Console(highlight=False)
    graphs = [datasets.load("karate"), datasets.load("syn1")]
    statistics = {}
    for graph in graphs:
        rows = statistics[str(graph.name)] = motif_statistics(graph)
        table = Table(title=str(graph), title_justify="left")
        for column in COLUMNS:
            table.add_column(column, justify="left" if column == "motif" else "right")
        for row in rows:
            table.add_row(*row)
        console.print(table)
    console.print(
        "Last two columns: how many of the instances lie inside one community, and how many would by chance. "
        "In Syn1 the edges say nothing about the communities; the triangles say everything."
    )
    page = write_demo_page(args.output / "report.html", graphs, statistics)
    console.print(f"The same with pictures, for a browser: {page}", soft_wrap=True)
    return 0
