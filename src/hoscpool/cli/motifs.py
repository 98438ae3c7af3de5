"""``hoscpool motifs``: count the motifs of a graph, show where they are, and write the matrix."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hoscpool.cli.motif_questions import answer, explain_motifs, read_motif_files
from hoscpool.cli.output_options import add_output_options, check_quiet, graph_json, open_console, print_json
from hoscpool.cli.sources import GRAPH_FILES, add_source_options, load_graph
from hoscpool.support.names import positive_int

if TYPE_CHECKING:
    import scipy.sparse as sp
    from rich.console import Console

    from hoscpool.graph import Graph
    from hoscpool.motifs import Motif

NARROW = 60
"""On a narrower terminal the table of counts has no descriptions."""


DESCRIPTION = (
    "Count the motifs of a graph, show the edges that lie in most of them, and write the motif "
    "adjacency matrix: its entry (i, j) is the number of instances that contain both i and j. "
    "With --profile compare the counts with chance; with --nodes count at every node."
)
EXAMPLES = (
    "hoscpool motifs friends.csv",
    "hoscpool motifs friends.csv --motif triangle -o triangles.npz",
    "hoscpool motifs friends.csv --profile",
    "hoscpool motifs friends.csv --nodes --json --quiet",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "graph",
        metavar="GRAPH",
        help=f"{GRAPH_FILES}; or a folder of hoscpool blocks",
    )
    parser.add_argument(
        "--motif", action="append", metavar="NAME", help="a motif; repeat for several (default: all that fit the graph)"
    )
    parser.add_argument(
        "--motif-file",
        action="append",
        type=Path,
        metavar="FILE",
        help="a motif of your own: a small graph in a file, such as an edge list; its name is that of the file",
    )
    parser.add_argument(
        "--anchors", metavar="A,B", help="nodes of the motif file; only pairs of them count in the matrix"
    )
    question = parser.add_mutually_exclusive_group()
    question.add_argument(
        "--profile", action="store_true", help="compare the counts with random graphs of the same degrees"
    )
    question.add_argument("--nodes", action="store_true", help="count the instances at every node; -o writes a table")
    parser.add_argument(
        "--samples", type=positive_int, default=100, metavar="N", help="random graphs of --profile (default: 100)"
    )
    parser.add_argument("--random-state", type=int, default=0, metavar="SEED", help="seed of --profile (default: 0)")
    parser.add_argument("--keep-mutual", action="store_true", help="--profile keeps the mutual edges of every node")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="write the matrix: .npz (SciPy), .mtx, an edge list .csv .tsv .txt; or the table of --profile or --nodes",
    )
    parser.add_argument(
        "--max-seconds",
        type=float,
        default=60.0,
        metavar="S",
        help="refuse a count that is estimated to take longer (default: 60; 0: no limit)",
    )
    parser.add_argument(
        "--induced", action="store_true", help="count only instances without further edges among their nodes"
    )
    parser.add_argument(
        "--on-edges", action="store_true", help="write only pairs that have an edge; far smaller for open motifs"
    )
    parser.add_argument(
        "--weights", choices=["mean", "product"], help="sum the mean or product of each instance's edge weights"
    )
    parser.add_argument(
        "--top", type=int, default=10, metavar="N", help="how many of the heaviest edges to show (default: 10)"
    )
    parser.add_argument("--threads", "--jobs", type=int, metavar="N", help="number of threads (default: one per core)")
    parser.add_argument(
        "--memory", metavar="SIZE", help="blocks: what a worker may take, such as 2GB (default: what is free)"
    )
    parser.add_argument("--scheduler", metavar="URL", help="blocks: count on the workers of this Dask scheduler")
    add_source_options(parser)
    add_output_options(parser, "print nothing, only write the file")


def run(args: argparse.Namespace) -> int:
    """Print the counts and the heaviest edges, or the answer to another question, and write a file with ``-o``."""
    from hoscpool.motifs import check_target, get_motif, write_matrix

    motifs = [get_motif(name) for name in args.motif or []] + read_motif_files(args.motif_file or [], args.anchors)
    names = [motif.name for motif in motifs]
    if len(set(names)) < len(names):
        raise ValueError(f"--motif: expected every motif only once, got {', '.join(names)}")
    if args.threads is not None and args.threads < 1:
        raise ValueError(f"--threads: expected at least 1, got {args.threads}; leave it out to use every core")
    if args.top < 0:
        raise ValueError(f"--top: expected a whole number ≥ 0, got {args.top}")
    if args.max_seconds < 0:
        raise ValueError(f"--max-seconds: expected a number ≥ 0, got {args.max_seconds}")
    check_quiet(args)
    if Path(args.graph).is_dir():
        from hoscpool.cli.blocks import run_on_blocks

        return run_on_blocks(args, names)
    if args.memory or args.scheduler:
        raise ValueError(f"--memory, --scheduler: {args.graph} is no folder of blocks; make one with hoscpool blocks")
    if args.profile or args.nodes:
        return answer(args, motifs)
    if args.output is not None:
        check_target(args.output)
        if len(names) != 1:
            raise ValueError(f"-o: writes one matrix, got {len(names)} motifs; give exactly one --motif")
    console = open_console(args)
    graph = load_graph(args)
    console.print(str(graph), markup=False)
    explain_motifs(console, motifs)
    matrices = _matrices(console, graph, motifs, args)
    rows = [_counted(graph, motif, matrix, args) for motif, matrix in matrices.items()]
    print_counts(console, rows, args.induced)
    heaviest = {
        motif.name: _heaviest(graph, matrix, args.top) for motif, matrix in matrices.items() if len(matrices) <= 2
    }
    for name, edges in heaviest.items():
        print_heaviest(console, edges, name)
    if args.json:
        print_json({"graph": graph_json(graph), "motifs": rows, "heaviest_edges": edges_json(heaviest)})
    if args.output is not None:
        written = write_matrix(args.output, matrices[motifs[0]], graph.node_names)
        console.print("wrote " + ", ".join(map(str, written)), soft_wrap=True, markup=False)
    return 0


def edges_json(heaviest: Mapping[str, list[tuple[Any, Any, Any]]]) -> dict[str, Any]:
    """The heaviest edges of every motif, for JSON."""
    return {
        name: [dict(zip(("source", "target", "weight"), edge, strict=True)) for edge in edges]
        for name, edges in heaviest.items()
    }


def _matrices(
    console: Console, graph: Graph, motifs: list[Motif], args: argparse.Namespace
) -> dict[Motif, sp.csr_array]:
    """The matrices of these motifs; without any, of all that fit the graph and can be counted in time."""
    from hoscpool.support.errors import TimeEstimateError

    found = {}
    for motif in motifs or _fitting(graph):
        try:
            found[motif] = _matrix(graph, motif, args)
        except TimeEstimateError as error:
            if motifs:
                raise
            console.print(f"left out: {error}", soft_wrap=True, markup=False)
    return found


def _fitting(graph: Graph) -> list[Motif]:
    from hoscpool.motifs import MOTIFS

    return [motif for motif in MOTIFS.values() if motif.is_directed == graph.is_directed]


def _matrix(graph: Graph, motif: Motif, args: argparse.Namespace) -> sp.csr_array:
    """The matrix to write; without ``-o`` only its entries on edges, for the tables."""
    from hoscpool.motifs import motif_adjacency

    on_edges = args.on_edges or args.output is None
    return motif_adjacency(
        graph,
        motif,
        induced=args.induced,
        on_edges=on_edges,
        weights=args.weights,
        n_threads=args.threads,
        max_seconds=args.max_seconds or None,
    )


def _counted(graph: Graph, motif: Motif, matrix: sp.csr_array, args: argparse.Namespace) -> dict[str, Any]:
    """What there is to say of one motif, in numbers."""
    from hoscpool.motifs import motif_count

    limit = args.max_seconds or None
    count = motif_count(graph, motif, induced=args.induced, n_threads=args.threads, max_seconds=limit)
    on_edges = matrix.multiply(graph.undirected().adjacency != 0)
    nodes = int((on_edges.sum(axis=1) != 0).sum())
    edges = int(on_edges.nnz // 2)
    return {"motif": motif.name, "count": count, "edges": edges, "nodes": nodes, "description": motif.description}


def print_counts(console: Console, rows: list[dict[str, Any]], induced: bool) -> None:
    """Print the table of counts."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("motif", style="bold", no_wrap=True)
    for column in ("induced instances" if induced else "instances", "edges in one", "nodes in one"):
        table.add_column(column, justify="right", overflow="fold")
    told = console.width >= NARROW
    if told:
        table.add_column("what it is", overflow="fold")
    for row in rows:
        numbers = [f"{row[name]:,}" for name in ("count", "edges", "nodes")]
        table.add_row(row["motif"], *numbers, *([row["description"]] if told else []))
    console.print(table)


def _heaviest(graph: Graph, matrix: sp.csr_array, top: int) -> list[tuple[Any, Any, Any]]:
    """The edges that lie in most instances, under the user's node names. Ties are in node order."""
    import numpy as np
    import scipy.sparse as sp

    upper = sp.triu(matrix.multiply(graph.undirected().adjacency != 0), k=1).tocoo()
    best = np.lexsort((upper.col, upper.row, -upper.data))[:top]
    ends = ([graph.names[node] for node in side[best].tolist()] for side in (upper.row, upper.col))
    return list(zip(*ends, upper.data[best].tolist(), strict=True))


def print_heaviest(console: Console, edges: list[tuple[Any, Any, Any]], name: str) -> None:
    """Print both ends and the count of the edges in most instances, if there are any."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    from hoscpool.support.plain_text import one_line

    if not edges:
        return
    table = Table(title=f"edges in most {name}s", title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column in ("node", "node", name):
        table.add_column(column, justify="right" if column == name else "left", no_wrap=True)
    for source, target, value in edges:
        shown = f"{value:,}" if isinstance(value, int) else f"{value:,.4g}"
        table.add_row(*(escape(one_line(str(node))) for node in (source, target)), shown)
    console.print(table)
