"""What several commands take: a graph by path or by dataset name."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hoscpool.graph import Graph


def add_source_options(parser: argparse.ArgumentParser) -> None:
    """Options about where a graph comes from and whether its edges have directions: ``directed``, ``data_root``."""
    direction = parser.add_mutually_exclusive_group()
    direction.add_argument(
        "--directed", action="store_const", const=True, default=None, dest="directed", help="read edges as directed"
    )
    direction.add_argument(
        "--undirected", action="store_const", const=False, dest="directed", help="drop the directions of edges"
    )
    parser.add_argument(
        "--data-root", metavar="DIR", help="folder of the datasets (default: the environment variable HOSCPOOL_DATA)"
    )


def load_graph(source: str, data_root: str | None = None, directed: bool | None = None) -> Graph:
    """The graph in a file, or the dataset of that name when there is no such file.

    Raises:
        FileNotFoundError: It is neither.
        ValueError: The file is not a graph.
    """
    from hoscpool.bench.names import did_you_mean
    from hoscpool.datasets.catalog import list_datasets
    from hoscpool.graph import as_graph

    if not Path(source).is_file() and source.lower() in list_datasets("node"):  # a folder of that name is no graph
        from hoscpool.datasets import load

        return as_graph(load(source, data_root), directed=directed)
    if not Path(source).exists() and not Path(source).suffix:
        names = list_datasets("node")
        hint = did_you_mean(source, names)
        raise FileNotFoundError(f"{source!r} is neither a file nor a dataset; datasets: {', '.join(names)}{hint}")
    return as_graph(source, directed=directed)
