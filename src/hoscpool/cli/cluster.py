"""``hoscpool cluster``: cluster a graph and write tables, files and a page with pictures."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hoscpool.cli.cluster_answer import print_answer, print_details
from hoscpool.cli.cluster_options import AUTO, check_weight, read_clusters, read_motifs, read_range
from hoscpool.cli.output_options import add_output_options, check_quiet, open_console, print_json
from hoscpool.cli.sources import GRAPH_FILES, add_node_data, add_node_table_option, add_source_options, load_graph
from hoscpool.support.files import unfinished_folder
from hoscpool.support.names import positive_int
from hoscpool.support.processes import number_of_processes

if TYPE_CHECKING:
    from rich.console import Console

    from hoscpool.graph import Graph
    from hoscpool.report import Clustering


PAGE = "report.html"
DESCRIPTION = (
    "Cluster the nodes of a graph so that few motifs are cut. Node features are used when there are any. "
    "With -o, write labels.csv, memberships.csv, coarse_nodes.csv, coarse_edges.csv, graph.gexf, graph.graphml, "
    "model/, summary.json and report.html with pictures."
)
EXAMPLES = (
    "hoscpool cluster friends.csv",
    "hoscpool cluster friends.csv -k 7 -o out",
    "hoscpool cluster friends.csv -k 7 --motif edge=0.5 --motif clique4=0.5 --features people.csv -o out",
    "hoscpool cluster karate -k 2 --json | python -m json.tool",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    _add_inputs(parser)
    _add_settings(parser)
    output = parser.add_argument_group("output")
    add = output.add_argument
    add("-o", "--output", type=Path, metavar="DIR", help="folder for the files; an earlier result is replaced")
    add("--force", action="store_true", help="write into a folder that has other files, and keep those")
    add("-v", "--verbose", action="store_true", help="also print the scores of every cluster, and how they were found")
    add_output_options(output)


def _add_inputs(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "graph",
        metavar="GRAPH",
        help=GRAPH_FILES,
    )
    add(
        "--features",
        type=Path,
        metavar="FILE",
        help="node features: .csv .tsv .txt .npy .npz, by name or in node order; .json as that of MUSAE",
    )
    add_node_table_option(parser)
    add(
        "--labels",
        type=Path,
        metavar="FILE[:COLUMN]",
        help="known classes, only to compare; the fit never sees them; people.csv:team names the column",
    )
    add_source_options(parser)


def _add_settings(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-k", "--clusters", default=AUTO, metavar="K", help="number of clusters (default: auto, which chooses it)"
    )
    add = parser.add_argument_group("how to cluster").add_argument
    add(
        "--k-range",
        metavar="LOW-HIGH",
        help="numbers to choose from with -k auto (default: 2-12, and more where the graph has more)",
    )
    add(
        "--motif",
        action="append",
        metavar="NAME=WEIGHT",
        help="a motif and its weight; repeat for several (default: edge=0.5 and triangle=0.5)",
    )
    add(
        "--solver",
        default="auto",
        help="network: train networks; multilevel: move nodes, for large graphs or in a hurry; "
        "auto: by the size of the graph and its features (default: auto)",
    )
    add(
        "--calibrate",
        action="store_true",
        help="weigh motifs by comparison with a rewired copy of the graph; takes the multilevel solver",
    )
    add("--preset", default="robust", help="robust: runs from many starts; paper: as in the paper (default: robust)")
    add("--method", default="hosc", help="hosc, hp-1, hp-2, mincut, diffpool, dmon or just-balance (default: hosc)")
    add("--mu", type=float, default=0.1, help="weight of the orthogonality term (default: 0.1)")
    add(
        "--feature-weight",
        type=float,
        metavar="SHARE",
        help="share of the cut of similar features (default: 0.2 for robust, 0 for paper)",
    )
    add("--seed", type=int, default=0, metavar="N", help="the same seed gives the same clusters (default: 0)")
    add("--max-epochs", type=int, metavar="N", help="largest number of epochs of a run (default: from the preset)")
    add(
        "--min-size",
        type=positive_int,
        metavar="N",
        help="merge clusters of fewer nodes into the one that fits best (default: keep them)",
    )
    add("--n-init", type=int, metavar="N", help="number of runs from every start (default: from the preset)")
    add(
        "--jobs",
        "--threads",
        type=positive_int,
        metavar="N",
        help="most threads to use; the result does not depend on it (default: 1 to train networks, all cores to count "
        "motifs and move nodes)",
    )


def run(args: argparse.Namespace) -> int:
    """Cluster the graph, print the result and write the files."""
    if number_of_processes() < 2:
        return _run(args)
    from hoscpool.distributed import run_together

    return run_together(args, partial(_run, args), None if args.output is None else unfinished_folder(args.output))


def _run(args: argparse.Namespace) -> int:
    settings = _read_settings(args)
    if args.output is not None:
        from hoscpool.report import check_folder

        check_folder(args.output, args.force)
    console = open_console(args)
    graph = _read_graph(args, settings["n_clusters"])
    console.print(str(graph), markup=False)
    unfinished = None if args.output is None else unfinished_folder(args.output)
    if unfinished is not None and (number_of_processes() > 1 or unfinished.exists()):
        settings["checkpoint"] = unfinished  # any number of processes can go on
    result = _fit(graph, settings, args.quiet)
    _print_result(console, result, args)
    if args.output is not None:
        from hoscpool.report import write_clustering

        files = write_clustering(args.output, result, force=args.force, quiet=args.quiet)
        _print_files(console, args.output, files)
    if unfinished is not None:
        shutil.rmtree(unfinished, ignore_errors=True)
    return 0


def _read_settings(args: argparse.Namespace) -> dict[str, Any]:
    """The parameters of `HoscClustering`.

    Raises:
        ValueError: One of the options is not valid.
    """
    _check_options(args)
    return {
        "n_clusters": read_clusters(args.clusters),
        "k_range": None if args.k_range is None else read_range(args.k_range),
        "motifs": read_motifs(args.motif, args.method),
        "solver": args.solver,
        "calibrate": args.calibrate,
        "preset": args.preset,
        "method": args.method,
        "mu": check_weight("--mu", args.mu),
        "feature_weight": args.feature_weight,
        "random_state": args.seed,
        "max_epochs": args.max_epochs,
        "n_init": args.n_init,
        "n_jobs": args.jobs,
        "min_size": args.min_size,
        "verbose": int(sys.stderr.isatty() and not args.quiet),
    }


def _check_options(args: argparse.Namespace) -> None:
    """Refuse invalid options before anything is loaded."""
    check_quiet(args)
    if args.seed < 0:
        raise ValueError(f"--seed: expected a whole number ≥ 0, got {args.seed}")
    if args.k_range is not None and args.clusters != "auto":
        raise ValueError(f"--k-range: works only with -k auto, got -k {args.clusters}; leave one of them out")
    if args.max_epochs is not None and args.max_epochs < 0:
        raise ValueError(f"--max-epochs: expected a whole number ≥ 0, got {args.max_epochs}")
    if args.n_init is not None and args.n_init < 1:
        raise ValueError(f"--n-init: expected a whole number ≥ 1, got {args.n_init}")
    if args.feature_weight is not None and not 0 <= args.feature_weight < 1:
        raise ValueError(f"--feature-weight: expected a share in [0, 1), got {args.feature_weight:g}")


def _read_graph(args: argparse.Namespace, n_clusters: int | str) -> Graph:
    """The graph with its features and labels.

    Raises:
        OSError: A file is missing.
        ValueError: A file is not valid, or there are too few nodes.
    """
    graph = load_graph(args)
    graph = add_node_data(graph, args, features=args.features, labels=args.labels)
    if graph.num_nodes < 2:
        raise ValueError(
            f"{args.graph}: expected at least two nodes, got {graph.num_nodes}: there is nothing to cluster"
        )
    if isinstance(n_clusters, int) and n_clusters > graph.num_nodes:
        raise ValueError(f"-k: expected at most {graph.num_nodes:,}, the number of nodes, got {n_clusters:,}")
    _warn_constant(graph)
    return graph


def _warn_constant(graph: Graph) -> None:
    """Warn if all nodes have the same features. The edges are clustered anyway."""
    import warnings

    from hoscpool.support.errors import GraphWarning

    x = graph.features
    if x is not None and graph.num_features and not (x.max(axis=0) - x.min(axis=0)).sum():
        warnings.warn("features: equal for all nodes, so only the edges count", GraphWarning, stacklevel=2)


def _fit(graph: Graph, settings: dict[str, Any], quiet: bool) -> Clustering:
    import time

    from hoscpool.cluster import HoscClustering
    from hoscpool.report import Clustering, describe_clusters, score
    from hoscpool.support.progress import Progress

    if settings["n_clusters"] == AUTO:
        low, high = settings["k_range"] or (2, None)
        if low > graph.num_nodes:
            raise ValueError(f"--k-range: expected at most {graph.num_nodes}, the number of nodes, got {low}-{high}")
        if not quiet:
            to = "" if high is None else f" to {min(high, graph.num_nodes)}"
            print(f"hoscpool: choosing K from {low}{to} …", file=sys.stderr)
    start = time.perf_counter()
    model = HoscClustering(**settings).fit(graph)
    seconds = time.perf_counter() - start
    with Progress(None if quiet else "measuring", 2) as progress:
        scores = score(graph, model.labels_, model.motifs_)
        progress.advance(1)
        clusters = describe_clusters(graph, model)
    return Clustering(graph, model, scores, clusters, seconds)


def _print_result(console: Console, result: Clustering, args: argparse.Namespace) -> None:
    print_answer(console, result)
    if args.verbose:
        print_details(console, result)
    else:
        more = "" if args.output is not None else " -o DIR writes files and a page to explore."
        console.print(f"\n-v shows the scores and how they were found.{more}", style="dim")
    if args.json:
        from hoscpool.report import clustering_summary, node_rows

        columns, rows = node_rows(result)
        nodes = [dict(zip(columns, row, strict=True)) for row in rows]
        print_json({**clustering_summary(result), "nodes": nodes})


def _print_files(console: Console, folder: Path, files: Sequence[Path]) -> None:
    """Print the names of the written files."""
    names = ", ".join(str(path.relative_to(folder)) for path in files)
    console.print(f"wrote {folder}: {names}", soft_wrap=True, markup=False)
    if folder / PAGE in files:
        console.print(f"Open {folder / PAGE} in a browser to explore the communities.", soft_wrap=True, markup=False)
