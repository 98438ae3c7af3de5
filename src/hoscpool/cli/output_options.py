"""The options of all commands that print a result: ``--json`` for programs, ``--quiet`` for scripts."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hoscpool.cli.console import Console
    from hoscpool.graph import Graph


def add_output_options(parser: Any, quiet: str = "print no tables and no progress bars, only write files") -> None:
    """Add ``--json`` and ``--quiet``.

    Args:
        parser: A parser, or a group of one.
        quiet: What ``--quiet`` does.
    """
    parser.add_argument(
        "--json", action="store_true", help="print the result as JSON on stdout; everything else goes to stderr"
    )
    parser.add_argument("--quiet", action="store_true", help=quiet)


def open_console(args: argparse.Namespace) -> Console:
    """The console of the command: on stderr with ``--json``, silent with ``--quiet``."""
    from hoscpool.cli.console import Console

    return Console(args.quiet, stderr=args.json)


def check_quiet(args: argparse.Namespace) -> None:
    """Refuse ``--quiet`` where nothing would be left of the result.

    Args:
        args: With ``quiet``, ``json`` and ``output``: a path or several, or none.

    Raises:
        ValueError: There is neither ``-o`` nor ``--json``.
    """
    if args.quiet and not args.json and not args.output:
        raise ValueError("--quiet: without -o or --json there would be no result; give one of them")


def graph_json(graph: Graph) -> dict[str, Any]:
    """What a graph is, for JSON."""
    return {
        "name": graph.name,
        "nodes": graph.num_nodes,
        "edges": graph.num_edges,
        "directed": graph.is_directed,
        "weighted": graph.is_weighted,
    }


def print_json(value: Any) -> None:
    """Print the result on stdout as JSON, in ASCII, so that every terminal and pipe takes it.

    Raises:
        TypeError: A value is neither a number, text, list nor mapping.
        ValueError: A number is not finite.
    """
    json.dump(value, sys.stdout, indent=1, allow_nan=False, default=_plain)
    sys.stdout.write("\n")
    sys.stdout.flush()


def _plain(value: Any) -> Any:
    """NumPy's numbers and arrays as Python's; paths as text."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "__fspath__"):
        return str(value)
    raise TypeError(f"{type(value).__name__} is not JSON")
