"""``hoscpool blocks``: write a graph as a folder of blocks, and ``hoscpool motifs FOLDER``, which counts on it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hoscpool.cli.output_options import open_console, print_json

if TYPE_CHECKING:
    from hoscpool.distributed import BlockedMatrix


DESCRIPTION = (
    "Write a graph as a folder of blocks. Edge lists (.csv .tsv .txt, also .gz), .parquet and .npz files of any size "
    "are read piece by piece. hoscpool motifs FOLDER then counts in little memory, also on a Dask cluster."
)

EXAMPLES = (
    "hoscpool blocks friends.csv.gz -o friends-blocks",
    "hoscpool blocks friends.parquet -o friends-blocks --memory 4GB",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("graph", metavar="GRAPH", help="a graph file, or the name of a dataset")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER", help="the new folder")
    parser.add_argument(
        "--memory",
        default="2GB",
        metavar="SIZE",
        help="what the build, and later every worker that counts, may take (default: 2GB)",
    )
    parser.add_argument("--data-root", metavar="DIR", help="folder of the datasets (default: HOSCPOOL_DATA)")


def run(args: argparse.Namespace) -> int:
    """Build the blocks and say what is in them."""
    from hoscpool.cli.console import Console
    from hoscpool.cli.sources import load_dataset
    from hoscpool.distributed import build_blocks

    is_file = Path(args.graph).is_file()
    source = args.graph if is_file else load_dataset(args.graph, args.data_root)
    blocks = build_blocks(source, args.output, args.memory)
    console = Console()
    console.print(str(blocks), markup=False)
    console.print(
        f"wrote {args.output}; count with: hoscpool motifs {args.output} --motif triangle", soft_wrap=True, markup=False
    )
    return 0


MEMORY_ONLY = {
    "--profile": "profile",
    "--nodes": "nodes",
    "--weights": "weights",
    "--motif-file": "motif_file",
    "--directed and --undirected": "directed",
}
"""Options that need the graph in memory, and where argparse puts them."""


def run_on_blocks(args: argparse.Namespace, names: Sequence[str]) -> int:
    """Print the counts and the heaviest edges, and write the matrix with ``-o``."""
    from hoscpool.cli.motifs import edges_json, print_counts, print_heaviest
    from hoscpool.distributed import countable, open_blocks
    from hoscpool.motifs import check_target, write_matrix

    for option, key in MEMORY_ONLY.items():
        if getattr(args, key) not in (None, False, []):
            raise ValueError(f"{option}: not for a folder of blocks; use the graph's own file")
    if args.output is not None:
        check_target(args.output)
        if len(names) != 1:
            raise ValueError(f"-o: writes one matrix, got {len(names)} motifs; give exactly one --motif")
    blocks, console = open_blocks(args.graph), open_console(args)
    console.print(str(blocks), markup=False)
    options = {"scheduler": args.scheduler, "memory": args.memory, "workers": args.threads}
    found = [
        blocks.motif_adjacency(name, induced=args.induced, on_edges=args.on_edges or args.output is None, **options)
        for name in names or countable(args.induced)
    ]
    rows = [_counted(matrix) for matrix in found]
    print_counts(console, rows, args.induced)
    heaviest = {matrix.motif: _heaviest(matrix, args.top) for matrix in found if len(found) <= 2}
    for name, edges in heaviest.items():
        print_heaviest(console, edges, name)
    if args.json:
        graph = {"folder": blocks.folder, "nodes": blocks.num_nodes, "edges": blocks.num_edges}
        print_json({"graph": graph, "motifs": rows, "heaviest_edges": edges_json(heaviest)})
    if args.output is not None:
        named = None if isinstance(blocks.names, range) else blocks.names
        written = write_matrix(args.output, found[0].to_matrix(), named)
        console.print("wrote " + ", ".join(map(str, written)), soft_wrap=True, markup=False)
    return 0


def _counted(matrix: BlockedMatrix) -> dict[str, Any]:
    """What there is to say of one motif, in numbers."""
    import numpy as np

    from hoscpool.motifs import get_motif

    is_in, edges = np.zeros(matrix.shape[0], np.bool_), 0
    for part in matrix:
        is_in[part.rows] = is_in[part.cols] = True
        edges += len(part.counts)
    return {
        "motif": matrix.motif,
        "count": matrix.count_instances(),
        "edges": edges,
        "nodes": int(is_in.sum()),
        "description": get_motif(matrix.motif).description,
    }


def _heaviest(matrix: BlockedMatrix, top: int) -> list[tuple[Any, Any, Any]]:
    """The edges that lie in most instances, under the user's node names. Ties are in node order."""
    import numpy as np

    best: Any = np.empty((3, 0), np.int64)
    for part in matrix:
        low, high = np.minimum(part.rows, part.cols), np.maximum(part.rows, part.cols)
        best = np.concatenate([best, [part.counts, low, high]], axis=1)
        best = best[:, np.lexsort((best[2], best[1], -best[0]))[:top]]
    names = matrix.graph.names if best.size else ()
    return [(names[i], names[j], count) for count, i, j in best.T.tolist()]
