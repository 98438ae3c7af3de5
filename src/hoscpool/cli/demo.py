"""``hoscpool demo``: what motifs reveal in two built-in graphs, in half a minute."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hoscpool.cli.cluster_answer import print_answer
from hoscpool.cli.output_options import add_output_options, open_console, print_json, print_table
from hoscpool.support.names import positive_int

if TYPE_CHECKING:
    from rich.console import Console

    from hoscpool.graph import Graph
    from hoscpool.report import Clustering, DemoRun

SEED = 0


DESCRIPTION = (
    "Find the communities of two built-in graphs: Syn1, whose edges hide them and whose triangles show them, and the "
    "characters of Les Misérables, by name. Write a page with pictures. This needs no files and no network."
)
EXAMPLES = ("hoscpool demo", "hoscpool demo -o my-demo")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    add("-o", "--output", type=Path, default=Path("demo"), metavar="DIR", help="folder for report.html (default: demo)")
    add("--jobs", "--threads", type=positive_int, metavar="N", help="most threads to use (default: those of a fit)")
    add_output_options(parser, "print nothing, only write the page")


def run(args: argparse.Namespace) -> int:
    """Print the answers and write the page."""
    from hoscpool import datasets
    from hoscpool.report import check_writable, clustering_summary, existing_folder, motif_statistics, write_demo_page

    check_writable(existing_folder(args.output))
    console = open_console(args)
    graph = datasets.load("syn1")
    statistics, runs = motif_statistics(graph), _cluster(graph, args.jobs)
    _print_hidden(console, graph, statistics, runs)
    named = _cluster_by_name(args.jobs)
    console.print(
        "\nThe same on a graph with names: the characters of Les Misérables. They are tied if they appear in one "
        "chapter."
    )
    print_answer(console, named)
    args.output.mkdir(parents=True, exist_ok=True)
    page = write_demo_page(args.output / "report.html", graph, statistics, runs, named)
    console.print("\nThe same with pictures, and communities to explore. Open this page in a browser:")
    console.print(str(page), markup=False, soft_wrap=True)
    if args.json:
        scores = [{"method": run.method, "sees": run.sees, **asdict(run.scores)} for run in runs]
        print_json({"page": page, "syn1": scores, "lesmis": clustering_summary(named)})
    return 0


def _print_hidden(console: Console, graph: Graph, statistics: Sequence[Sequence[str]], runs: Sequence[DemoRun]) -> None:
    """Say where the communities of Syn1 can be seen, and who finds them."""
    from hoscpool.report import COLUMNS, SCORE_COLUMNS

    console.print(f"{graph}\n", markup=False)
    console.print("Syn1 has three communities. Which small patterns (motifs) lie inside one of them?\n")
    print_table(console, COLUMNS, statistics)
    console.print(
        "Edges lie inside a community no more often than by chance. Triangles always do. So a method that sees only "
        "edges cannot find the communities, and one that sees triangles can:\n"
    )
    print_table(console, SCORE_COLUMNS, [run.row for run in runs])
    console.print(
        "NMI: agreement with the communities; 1 is perfect, 0 is chance. Conductance: the share of a cluster's edges "
        "or triangles that is cut; 0 is perfect. HOSC is HoscClustering from two starts."
    )


def _cluster_by_name(jobs: int | None) -> Clustering:
    """The communities of Les Misérables."""
    import time

    from hoscpool import datasets
    from hoscpool.cluster import HoscClustering
    from hoscpool.report import Clustering, describe_clusters, score

    graph, start = datasets.load("lesmis"), time.perf_counter()
    model = HoscClustering(6, random_state=SEED, n_jobs=jobs).fit(graph)
    seconds = time.perf_counter() - start
    return Clustering(
        graph, model, score(graph, model.labels_, model.motifs_), describe_clusters(graph, model), seconds
    )


def _cluster(graph: Graph, jobs: int | None) -> list[DemoRun]:
    """Two methods, each by edges and by motifs. K is the number of communities."""
    import warnings

    import numpy as np

    from hoscpool.cluster import HoscClustering, MotifSpectralClustering
    from hoscpool.report import DemoRun, score
    from hoscpool.support.errors import GraphWarning
    from hoscpool.support.progress import Progress

    k = len(np.unique(np.asarray(graph.labels)))
    quick: dict[str, Any] = {"starts": ("spectral", "motif-spectral"), "random_state": SEED, "n_jobs": jobs}
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
