"""``hoscpool datasets``: the list of datasets, and which of them are on this machine."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from hoscpool.cli.output_options import add_output_options, open_console, print_json

if TYPE_CHECKING:
    from rich.table import Table

    from hoscpool.datasets import DatasetInfo


DESCRIPTION = "List the datasets with their counts, and say which are on this machine. Nothing is loaded."
EXAMPLES = ("hoscpool datasets", "hoscpool datasets cora", "hoscpool datasets --json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="show everything about one dataset")
    parser.add_argument(
        "--data-root",
        metavar="DIR",
        help="folder in PyG's raw layout (default: the environment variable HOSCPOOL_DATA)",
    )
    add_output_options(parser, "print only the names, one in a line")


def run(args: argparse.Namespace) -> int:
    """Print the tables, or one entry."""
    from hoscpool.datasets import CATALOG, dataset_info

    wanted = list(CATALOG.values()) if args.name is None else [dataset_info(args.name)]
    if args.json:
        described = [_as_json(info, args.data_root) for info in wanted]
        print_json(described if args.name is None else described[0])
        return 0
    if args.quiet:
        print(*(info.name for info in wanted), sep="\n")
        return 0
    console = open_console(args)
    if args.name is not None:
        _print_entry(console, wanted[0], args.data_root)
        return 0
    entries = [info for info in CATALOG.values() if not info.reading_of]
    readings = [info for info in CATALOG.values() if info.reading_of]
    console.print(_table("One graph, mostly with classes of nodes: load(NAME)", "node", entries, args.data_root))
    console.print(_table("Many graphs; each has a class: load_graphs(NAME)", "graph", entries, args.data_root))
    console.print(_table("Graphs above with other features, to test the paper", "node", readings, args.data_root))
    _print_legend(console, args.data_root)
    return 0


def _as_json(info: DatasetInfo, data_root: str | None) -> dict[str, Any]:
    names = (
        "name",
        "kind",
        "title",
        "nodes",
        "edges",
        "features",
        "classes",
        "graphs",
        "directed",
        "citation",
        "licence",
    )
    return {**{name: getattr(info, name) for name in names}, "here": _is_here(info, data_root)}


def _table(title: str, kind: str, entries: list[DatasetInfo], data_root: str | None) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("name", no_wrap=True, style="bold")
    counts = ["nodes", "edges", "feat.", "cl."]
    for column in counts if kind == "node" else ["count", *counts]:
        table.add_column(column, justify="right", overflow="fold")
    table.add_column("here", no_wrap=True)
    table.add_column("citation", overflow="fold")
    for info in entries:
        if info.kind == kind:
            table.add_row(info.name, *_counts(info), "yes" if _is_here(info, data_root) else "no", info.citation_key)
    return table


def _counts(info: DatasetInfo) -> list[str]:
    numbers = [info.nodes, info.edges, info.features, info.classes]
    if info.graphs is not None:
        numbers.insert(0, info.graphs)
    return [f"{number:,}" if number else "–" for number in numbers]


def _is_here(info: DatasetInfo, data_root: str | None) -> bool:
    from hoscpool.datasets import missing_files, raw_folder

    return info.built_in or not missing_files(info, raw_folder(info, data_root))


def _print_legend(console: Any, data_root: str | None) -> None:
    from hoscpool.datasets import cache_folder, given_data_root

    root = given_data_root(data_root)
    console.print(
        "count: graphs; feat.: features; cl.: classes. Every edge is counted once. Sets of graphs show totals."
    )
    if root is not None:
        origin = "--data-root" if data_root is not None else "HOSCPOOL_DATA"
        console.print(f"Searched in ({origin}):", style="dim")
        console.print(str(root), style="dim", soft_wrap=True, markup=False)
    else:
        console.print("No data root is set (--data-root, HOSCPOOL_DATA). The first use downloads into:", style="dim")
        console.print(str(cache_folder() / "downloads"), style="dim", soft_wrap=True, markup=False)
    console.print("hoscpool datasets NAME: files, citation and licence of one dataset.", style="dim")


def _print_entry(console: Any, info: DatasetInfo, data_root: str | None) -> None:
    call = "load" if info.kind == "node" else "load_graphs"
    lines = [
        (info.name, info.title),
        ("load with", f"hoscpool.datasets.{call}({info.name!r})"),
        ("counts", _describe_counts(info)),
        ("in the paper", ", ".join(f"{value:,} {what}" for what, value in info.paper.items())),
        ("note", info.note),
        ("warning", "the features were made from the classes" if info.uses_labels else ""),
        ("read by", f"torch_geometric.datasets.{info.pyg_class}" if info.pyg_class else ""),
        ("files", _describe_files(info, data_root)),
        ("citation", info.citation),
        ("licence", info.licence),
    ]
    for label, text in lines:
        if text:
            console.print(f"{label:<13} {text}", soft_wrap=True, markup=False)


def _describe_counts(info: DatasetInfo) -> str:
    graphs = f"{info.graphs:,} graphs, " if info.graphs is not None else ""
    arcs = "directed edges" if info.directed else "edges"
    features = f"{info.features:,} features" if info.features else "no features"
    return f"{graphs}{info.nodes:,} nodes, {info.edges:,} {arcs}, {features}, {info.classes or 'no'} classes"


def _describe_files(info: DatasetInfo, data_root: str | None) -> str:
    from hoscpool.datasets import missing_files, raw_folder

    if info.built_in:
        return "none needed: built in"
    folder = raw_folder(info, data_root)
    missing = missing_files(info, folder)
    return f"{folder} lacks {', '.join(missing)}" if missing else f"{folder} (complete)"
