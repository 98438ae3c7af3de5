"""Loads the graphs of several commands: from a path, or by the name of a dataset."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hoscpool.graph import Graph


def add_source_options(parser: argparse.ArgumentParser) -> None:
    """Add the options ``directed`` and ``data_root``, which say how and from where a graph is read."""
    direction = parser.add_mutually_exclusive_group()
    direction.add_argument(
        "--directed", action="store_const", const=True, default=None, dest="directed", help="read edges as directed"
    )
    direction.add_argument(
        "--undirected", action="store_const", const=False, dest="directed", help="ignore the directions of edges"
    )
    parser.add_argument(
        "--data-root", metavar="DIR", help="folder of the datasets (default: the environment variable HOSCPOOL_DATA)"
    )


def load_graph(source: str, data_root: str | None = None, directed: bool | None = None) -> Graph:
    """The graph in a file, or the dataset of that name if there is no such file.

    Raises:
        FileNotFoundError: It is neither.
        ValueError: The file is not a graph.
    """
    from hoscpool.datasets import list_datasets
    from hoscpool.graph import as_graph
    from hoscpool.support.names import did_you_mean

    if not Path(source).is_file() and source.lower() in list_datasets("node"):  # a folder is not a graph
        from hoscpool.datasets import load

        return as_graph(load(source, data_root), directed=directed)
    if not Path(source).exists() and not Path(source).suffix:
        names = list_datasets("node")
        hint = did_you_mean(source, names)
        raise FileNotFoundError(f"{source!r} is neither a file nor a dataset; datasets: {', '.join(names)}{hint}")
    return as_graph(source, directed=directed)


def load_graph_set(
    source: str, data_root: str | None = None, node_attributes: bool = False, edges: Any = "all"
) -> tuple[str, Any]:
    """The name of the set, and its graphs as PyG `Data`.

    Args:
        source: A folder with ``X_A.txt``, ``X_graph_indicator.txt`` and ``X_graph_labels.txt`` (the TU format), in it
            or in its ``raw/``; otherwise a name of ``list_datasets("graph")``.
        data_root: Folder of the named datasets.
        node_attributes: Put continuous node attributes, if there are any, before the one-hot labels.
        edges: ``"bonds"`` leaves out the edges of a named dataset that are no bonds.

    Raises:
        FileNotFoundError: It is neither.
        ValueError: The files are not in the TU format, or it is not known which edges are bonds.
    """
    from hoscpool.datasets import dataset_info, list_datasets, load_graphs
    from hoscpool.support.names import did_you_mean

    folder = Path(source)
    if folder.is_dir() and edges == "bonds":
        raise ValueError("--edges bonds: works with named datasets only, such as er-md; remove other edges yourself")
    if folder.is_dir():
        return _read_folder(folder, node_attributes)
    if source.strip().lower().replace("_", "-") not in list_datasets("graph"):
        names = ", ".join(list_datasets("graph"))
        hint = did_you_mean(source, list_datasets("graph"))
        raise FileNotFoundError(f"{source!r} is neither a folder nor a dataset of graphs; datasets: {names}{hint}")
    name = dataset_info(source).name
    attributes = {"node_attributes": node_attributes, "edge_attributes": edges == "bonds"}
    return name, load_graphs(name, data_root, **attributes, edges=edges)


def _read_folder(folder: Path, node_attributes: bool) -> tuple[str, Any]:
    found = sorted([*folder.glob("*_A.txt"), *(folder / "raw").glob("*_A.txt")])
    if len(found) != 1:
        got = "none" if not found else ", ".join(path.name for path in found)
        raise ValueError(f"{folder}: expected one dataset in the TU format, that is one file X_A.txt, got {got}")
    prefix = found[0].name.removesuffix("_A.txt")
    for part in ("graph_indicator", "graph_labels"):
        if not found[0].with_name(f"{prefix}_{part}.txt").exists():
            raise ValueError(f"{folder}: expected {prefix}_{part}.txt beside {found[0].name}, got no such file")
    from hoscpool.datasets import read_tu_folder

    return prefix.lower(), read_tu_folder(found[0].parent, prefix, node_attributes=node_attributes)
