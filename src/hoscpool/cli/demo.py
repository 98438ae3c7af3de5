"""``hoscpool demo``: motifs and clusterings of built-in graphs, in half a minute."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

    from hoscpool.graph import Graph
    from hoscpool.report import DemoRun

SEED = 0


DESCRIPTION = (
    "Count motifs of the Karate club and of Syn1, and cluster both by edges and by motifs. Print tables and "
    "write a page with pictures. This needs no files and no network."
)
EXAMPLES = ("hoscpool demo", "hoscpool demo -o my-demo")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "-o", "--output", type=Path, default=Path("demo"), metavar="DIR", help="folder for report.html (default: demo)"
    )


def run(args: argparse.Namespace) -> int:
    """Print the tables and write the page."""
    from hoscpool import datasets
    from hoscpool.cli.console import Console
    from hoscpool.report import (
        COLUMNS,
        SCORE_COLUMNS,
        check_writable,
        existing_folder,
        motif_statistics,
        write_demo_page,
    )

    check_writable(existing_folder(args.output))
    console = Console()
    graphs = [datasets.load("karate"), datasets.load("syn1")]
    statistics, runs = {}, {}
    for graph in graphs:
        name = str(graph.name)
        statistics[name] = motif_statistics(graph)
        console.print(_table(COLUMNS, statistics[name], title=str(graph)))
        runs[name] = _cluster(graph)
        console.print(_table(SCORE_COLUMNS, [found.row for found in runs[name]]))
    console.print(
        "In one community, by chance: how many instances lie inside one community, and how many would by chance.\n"
        "NMI: agreement with the communities; 1 is perfect. Conductance: the share of a cluster's volume, in edges or "
        "in triangles, that is cut; 0 is perfect. HOSC is HoscClustering from two starts.\n"
        "In the Karate club, edges and triangles give almost the same answer. In Syn1 the edges say nothing about the "
        "communities, but the triangles do: only methods that use triangles find them."
    )
    args.output.mkdir(parents=True, exist_ok=True)
    page = write_demo_page(args.output / "report.html", graphs, statistics, runs)
    console.print(f"The same with pictures, to open in a browser: {page}", markup=False, soft_wrap=True)
    return 0


def _cluster(graph: Graph) -> list[DemoRun]:
    """Two methods, each by edges and by motifs. K is the number of communities."""
    import warnings

    import numpy as np

    from hoscpool.cluster import HoscClustering, MotifSpectralClustering
    from hoscpool.report import DemoRun, score
    from hoscpool.support.errors import GraphWarning
    from hoscpool.support.progress import Progress

    k = len(np.unique(np.asarray(graph.labels)))
    quick: dict[str, Any] = {"starts": ("spectral", "motif-spectral"), "random_state": SEED}
    models = (
        ("spectral", "edges", MotifSpectralClustering(k, "edge", random_state=SEED)),
        ("HOSC", "edges", HoscClustering(k, {"edge": 1.0}, **quick)),
        ("motif spectral", "triangles", MotifSpectralClustering(k, "triangle", random_state=SEED)),
        ("HOSC", "edges, triangles", HoscClustering(k, {"edge": 0.5, "triangle": 0.5}, **quick)),
    )
    found = []
    with Progress(f"clustering {graph.name}", len(models)) as progress, warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphWarning)  # about nodes in no triangle, which the first table counts
        for method, sees, model in models:
            labels = model.fit(graph).labels_
            found.append(DemoRun(method, sees, labels, score(graph, labels, ["triangle"])))
            progress.advance(1)
    return found


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]], title: str | None = None) -> Table:
    from rich.table import Table

    table = Table(title=title, title_justify="left")
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number == 0 or column == "sees" else "right")
    for row in rows:
        table.add_row(*row)
    return table
