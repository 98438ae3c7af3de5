"""The command line. This module only parses arguments; a command imports what it needs when it runs."""

from __future__ import annotations

import argparse
import importlib
import re
import sys
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn

from hoscpool import __version__
from hoscpool.support.errors import GraphWarning
from hoscpool.support.names import did_you_mean

COMMANDS = {
    "demo": "show on two built-in graphs what motifs reveal",
    "cluster": "cluster the nodes of a graph so that few motifs are cut",
    "classify": "classify graphs with any pooling operator",
    "motifs": "count motifs, show the heaviest edges, write the motif adjacency matrix",
    "datasets": "list the datasets and say which are on this machine",
    "reproduce": "run the paper's tables and figures again",
    "report": "write a page that compares published and measured numbers",
    "bench": "measure HoscPool against other libraries",
}
"""Every command with its summary. The module of that name has ``DESCRIPTION``, ``add_arguments`` and ``run``."""


class CommandParser(argparse.ArgumentParser):
    """A parser that adds its arguments when it is first used, and suggests a name for a misspelt one.

    Attributes:
        module: The module of its command, imported when the command is called; empty: no arguments are added.
    """

    module = ""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Add the arguments, then parse."""
        if self.module:
            command, self.module = importlib.import_module(self.module), ""
            self.description = command.DESCRIPTION
            self.set_defaults(run=command.run)
            command.add_arguments(self)
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Print what is wrong, with a suggestion for a misspelt name, and exit."""
        if found := re.search(r"invalid choice: '(.*)' \(choose from (.*)\)", message):
            message += did_you_mean(found[1], [name.strip(" '") for name in found[2].split(",")])
        super().error(message)


def build_parser() -> argparse.ArgumentParser:
    """The parser of ``hoscpool`` with one sub-parser per command. They have no arguments yet."""
    parser = CommandParser(
        prog="hoscpool", description="Higher-order graph clustering and pooling: clusters that cut few motifs."
    )
    parser.add_argument("--version", action="version", version=f"hoscpool {__version__}")
    subparsers = parser.add_subparsers(title="commands", dest="command", required=True, metavar="COMMAND")
    for name, summary in COMMANDS.items():
        subparsers.add_parser(name, help=summary).module = f"hoscpool.cli.{name}"
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``hoscpool``. Returns the exit code: 0 done, 1 interrupted or failed, 2 bad input."""
    args = build_parser().parse_args(argv)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", GraphWarning)
            warnings.showwarning = _WarningPrinter()  # type: ignore[assignment]
            return int(args.run(args) or 0)
    except KeyboardInterrupt:
        print("hoscpool: interrupted", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # the reader closed our output (`hoscpool … | head`), which is no error
        sys.stderr.close()
        return 0
    except (ValueError, OSError, MemoryError, ImportError) as error:
        print(f"hoscpool: error: {error}", file=sys.stderr)
        return 2


class _WarningPrinter:
    """Prints each warning once per command, without the line of code that it came from."""

    def __init__(self) -> None:
        self._printed: set[str] = set()

    def __call__(self, message: Warning | str, category: type[Warning], *_: Any) -> None:
        kind = "note" if issubclass(category, GraphWarning) else "warning"
        line = f"hoscpool: {kind}: {message}"
        if line not in self._printed:
            self._printed.add(line)
            print(line, file=sys.stderr)
