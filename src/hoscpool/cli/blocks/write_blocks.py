"""``hoscpool blocks``: write a graph as a folder of blocks, on which motifs are counted beyond memory."""

from __future__ import annotations

import argparse
from pathlib import Path

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
