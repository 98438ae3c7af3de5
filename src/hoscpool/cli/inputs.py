"""What several commands take: a graph by path or by dataset name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hoscpool.graph import Graph


def load_graph(source: str, data_root: str | None = None, directed: bool | None = None) -> Graph:
    """The graph in a file, or the dataset of that name when there is no such file.

    Raises:
        FileNotFoundError: It is neither.
        ValueError: The file is not a graph.
    """
    from hoscpool.datasets.catalog import list_datasets
    from hoscpool.graph import as_graph

    if not Path(source).exists() and source.lower() in list_datasets("node"):
        from hoscpool.datasets import load

        return as_graph(load(source, data_root), directed=directed)
    if not Path(source).exists() and not Path(source).suffix:
        names = ", ".join(list_datasets("node"))
        raise FileNotFoundError(f"{source!r} is neither a file nor a dataset; datasets: {names}")
    return as_graph(source, directed=directed)
