"""Loads the graphs of several commands: from a path, or by the name of a dataset."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hoscpool.graph import Graph


GRAPH_FILES = (
    "a graph file (.csv .tsv .txt .xlsx .parquet .npz .mtx .graphml .gexf .gml .net .json .adjlist), - for an edge "
    "list on standard input, or a dataset; a file is tried first"
)
"""What can stand for ``GRAPH``."""


def add_node_table_option(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--nodes``; see `add_node_data`."""
    parser.add_argument(
        "--nodes",
        type=Path,
        metavar="FILE",
        help="a table about the nodes with a header (.csv .tsv .txt .xlsx .parquet .json), in any order: numbers and "
        "categories become features, a column of titles is shown",
    )


def add_source_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how and from where a graph is read."""
    group = parser.add_argument_group("how to read the graph")
    direction = group.add_mutually_exclusive_group()
    direction.add_argument(
        "--directed", action="store_const", const=True, default=None, dest="directed", help="read edges as directed"
    )
    direction.add_argument(
        "--undirected", action="store_const", const=False, dest="directed", help="ignore the directions of edges"
    )
    add = group.add_argument
    add("--source", metavar="COLUMN", help="column of one end of an edge, by name or number from 1; needs --target")
    add("--target", metavar="COLUMN", help="column of the other end; needs --source")
    weight = group.add_mutually_exclusive_group()
    weight.add_argument(
        "--weight",
        metavar="COLUMN",
        help="column or attribute of the weight, by name or number from 1 (default: what is called weight, value, "
        "count, amount, …; other columns, such as years, are no weights)",
    )
    weight.add_argument("--no-weights", action="store_true", help="ignore all weights")
    add(
        "--on-bad-rows",
        choices=["error", "skip"],
        default="error",
        help="what to do with rows that lack a cell: refuse the file (default), or skip and count them",
    )
    add("--data-root", metavar="DIR", help="folder of the datasets (default: the environment variable HOSCPOOL_DATA)")


def load_graph(args: argparse.Namespace) -> Graph:
    """The graph in a file, or the dataset of that name if there is no such file.

    What was decided about columns is printed on stderr.

    Args:
        args: The options of `add_source_options`, and ``graph``.

    Raises:
        FileNotFoundError: It is neither.
        ValueError: The file is not a graph.
    """
    from hoscpool.datasets import list_datasets
    from hoscpool.graph import as_graph
    from hoscpool.support.plain_text import printable

    source, options, path = args.graph, _reading(args), Path(args.graph)
    is_name = not path.is_file() and source.lower() in list_datasets("node")  # a folder is not a graph
    if is_name or not (path.exists() or path.suffix or source == "-"):
        return as_graph(load_dataset(source, args.data_root), directed=args.directed, **options)
    if path.is_dir():
        _refuse_blocks(path)
    graph = as_graph(source, directed=args.directed, **options)
    said = next((note for note in graph.notes if note.startswith("columns: ") and "if it is a weight" not in note), "")
    if not args.quiet and ("its weight" in said or "not used" in said):
        print(printable(f"hoscpool: {said}"), file=sys.stderr)
    return graph


def _refuse_blocks(folder: Path) -> None:
    from hoscpool.distributed import is_blocks

    if is_blocks(folder):
        raise ValueError(
            f"{folder}: is a folder of blocks; hoscpool motifs counts on it and hp.distributed.fit trains on it, but "
            "this command needs the graph's own file"
        )


def add_node_data(graph: Graph, args: argparse.Namespace, **data: Any) -> Graph:
    """The graph with the table of ``--nodes``, and with features and classes. What was made of the table is printed."""
    from hoscpool.graph import as_graph
    from hoscpool.support.plain_text import printable

    found = as_graph(graph, nodes=args.nodes, **data)
    if args.nodes is not None and not args.quiet:
        print(printable(f"hoscpool: {found.notes[-1]}"), file=sys.stderr)
    return found


def load_dataset(name: str, data_root: str | None) -> Graph:
    """The dataset of this name.

    Raises:
        FileNotFoundError: There is none.
    """
    from hoscpool.datasets import list_datasets, load
    from hoscpool.support.names import did_you_mean

    names = list_datasets("node")
    if name.lower() not in names:
        hint = did_you_mean(name, names)
        raise FileNotFoundError(f"{name!r} is neither a file nor a dataset; datasets: {', '.join(names)}{hint}")
    return load(name, data_root)


def _reading(args: argparse.Namespace) -> dict[str, Any]:
    """The arguments of `as_graph` that say what columns and rows mean."""
    if (args.source is None) != (args.target is None):
        raise ValueError("--source, --target: expected both or neither, got one of them")
    found = {name: _column(getattr(args, name)) for name in ("source", "target", "weight")}
    given: dict[str, Any] = {name: column for name, column in found.items() if column is not None}
    if args.no_weights:
        given["weight"] = None
    return {**given, "on_bad_rows": args.on_bad_rows}


def _column(text: str | None) -> str | int | None:
    """A column by name, or by its place. On the command line places are counted from 1.

    >>> _column("amount"), _column("3")
    ('amount', 2)
    """
    return int(text) - 1 if text is not None and text.isdecimal() and int(text) > 0 else text


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
