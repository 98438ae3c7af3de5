"""``hoscpool local``: the cluster around a node."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hoscpool.cli.output_options import add_output_options, check_quiet, graph_json, open_console, print_json
from hoscpool.cli.sources import GRAPH_FILES, add_node_data, add_node_table_option, add_source_options, load_graph
from hoscpool.support.names import positive_int

if TYPE_CHECKING:
    from hoscpool.graph import Graph
    from hoscpool.science import LocalCluster

DESCRIPTION = (
    "Find the cluster around one node or several, by personalised PageRank on the motif graph. The work "
    "depends on the size of the answer, not on the size of the graph."
)
EXAMPLES = (
    "hoscpool local friends.csv --node Ann",
    "hoscpool local friends.csv --node Ann --node Bob --motif clique4 -o around-ann.html",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("graph", metavar="GRAPH", help=GRAPH_FILES)
    parser.add_argument(
        "--node", action="append", required=True, metavar="NAME", help="a node of the cluster; repeat for several"
    )
    parser.add_argument("--motif", default="triangle", metavar="NAME", help="the motif (default: triangle)")
    parser.add_argument(
        "--restart", type=float, default=0.02, metavar="P", help="chance of a return to the node (default: 0.02)"
    )
    parser.add_argument(
        "--epsilon", type=float, default=0.01, metavar="E", help="precision; smaller looks further (default: 0.01)"
    )
    parser.add_argument("--max-size", type=positive_int, metavar="N", help="largest number of members")
    parser.add_argument("--top", type=int, default=20, metavar="N", help="how many members to show (default: 20)")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="write all members and scores (.csv .tsv .txt), or a page to explore (.html)",
    )
    add_node_table_option(parser)
    add_source_options(parser)
    add_output_options(parser, "print nothing, only write the file")


def run(args: argparse.Namespace) -> int:
    """Print the cluster, and write it with ``-o``."""
    from rich.markup import escape

    from hoscpool.motifs import check_place
    from hoscpool.plot import require_plotly
    from hoscpool.science import local_cluster
    from hoscpool.support.text_tables import Grid, to_rich

    if args.output is not None:
        if args.output.suffix not in (*DELIMITERS, PAGE):
            valid = ", ".join((*DELIMITERS, PAGE))
            raise ValueError(f"-o: cannot write {args.output.name!r}; valid extensions here: {valid}")
        check_place(args.output)
        if args.output.suffix == PAGE:
            require_plotly()
    if args.top < 0:
        raise ValueError(f"--top: expected a whole number ≥ 0, got {args.top}")
    check_quiet(args)
    console = open_console(args)
    graph = add_node_data(load_graph(args), args)
    console.print(str(graph), markup=False)
    found = local_cluster(
        graph, args.node, args.motif, restart=args.restart, epsilon=args.epsilon, max_size=args.max_size
    )
    titles = None if graph.node_titles is None else [graph.node_titles[node] for node in found.nodes.tolist()]
    rows: list[tuple[str, ...]] = [
        (escape(str(name)), *(() if titles is None else (escape(titles[place]),)), f"{found.scores[place]:.3g}")
        for place, name in enumerate(found.members[: args.top])
    ]
    console.print(f"the cluster around {', '.join(args.node)}, by {found.motif}", markup=False, highlight=False)
    if rows:
        console.print(to_rich(Grid("", ("node", "score") if titles is None else ("node", "title", "score"), rows)))
    size, motif = len(found.members), found.motif
    console.print(
        f"{size:,} {'node' if size == 1 else 'nodes'}; the cut takes {found.conductance:.1%} of the cluster's {motif} "
        f"volume\n{found.edges_read:,} entries of the graph were read",
        soft_wrap=True,
        markup=False,
        highlight=False,
    )
    if args.json:
        print_json({"graph": graph_json(graph), **_as_json(found)})
    if args.output is not None:
        if args.output.suffix == PAGE:
            _write_page(args.output, graph, found)
        else:
            _write(args.output, found.members, found.scores.tolist())
        console.print(f"wrote {args.output}", soft_wrap=True, markup=False)
    return 0


def _as_json(found: LocalCluster) -> dict[str, Any]:
    members = zip(found.members, found.scores.tolist(), strict=True)
    return {
        "motif": found.motif,
        "conductance": found.conductance,
        "edges_read": found.edges_read,
        "members": [{"node": name, "score": score} for name, score in members],
    }


DELIMITERS = {".csv": ",", ".tsv": "\t", ".txt": " "}
PAGE = ".html"
MOST_SHOWN = 20_000
"""Up to this number of nodes a page shows the whole graph, of a larger one the cluster and its neighbours."""


def _write(path: Path, members: list[object], scores: list[float]) -> None:
    from hoscpool.graph import write_rows
    from hoscpool.support.files import whole_file

    with whole_file(path, text=True) as file:
        write_rows(file, [("node", "score"), *zip(members, scores, strict=True)], DELIMITERS[path.suffix])


def _write_page(path: Path, graph: Graph, found: LocalCluster) -> None:
    """The explorer, with the cluster as community 1 and all others as community 0."""
    import numpy as np

    from hoscpool.motifs import get_motif
    from hoscpool.report import explore

    labels = found.labels(graph.num_nodes)
    if graph.num_nodes > MOST_SHOWN:
        near = np.asarray(graph.undirected().adjacency @ labels > 0) | (labels == 1)
        graph, labels = graph.subgraph(near), labels[near]
    motif = "edge" if get_motif(found.motif).is_directed else found.motif
    explore(graph, {"the cluster (1) and the others (0)": labels}, path=path, motif=motif)
