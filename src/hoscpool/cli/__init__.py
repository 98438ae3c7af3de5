"""The command line: argument parsing only; every command imports what it needs when it runs."""

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
    "demo": "show on two embedded graphs what motifs reveal",
    "cluster": "cluster the nodes of a graph, respecting motifs",
    "classify": "classify graphs with any pooling operator",
    "motifs": "count motifs, show the heaviest edges, write the motif adjacency matrix",
    "datasets": "list the datasets and what of them is on this machine",
    "reproduce": "run the paper's tables and figures again",
    "report": "published beside measured numbers, as a page",
    "bench": "measure HoscPool against other libraries",
}
"""What every command does. The module of its name has ``DESCRIPTION``, ``add_arguments(parser)`` and ``run(args)``."""


class CommandParser(argparse.ArgumentParser):
    """A parser that is filled when it is first used, and that says which name was meant.

    Attributes:
        module: The module of its command, imported when the command is called; empty: there is nothing to add.
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
        """Say what is wrong, and which name is near to an unknown one; then exit."""
        if found := re.search(r"invalid choice: '(.*)' \(choose from (.*)\)", message):
            message += did_you_mean(found[1], [name.strip(" '") for name in found[2].split(",")])
        super().error(message)


def build_parser() -> argparse.ArgumentParser:
    """The parser of ``hoscpool`` with one sub-parser per command, still without arguments."""
    parser = CommandParser(
        prog="hoscpool", description="Higher-order graph clustering and pooling: communities that respect motifs."
    )
    parser.add_argument("--version", action="version", version=f"hoscpool {__version__}")
    subparsers = parser.add_subparsers(title="commands", dest="command", required=True, metavar="COMMAND")
    for name, summary in COMMANDS.items():
        subparsers.add_parser(name, help=summary).module = f"hoscpool.cli.{name}"
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``hoscpool``; returns the exit code: 0 done, 1 interrupted or failed, 2 bad input."""
    args = build_parser().parse_args(argv)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", GraphWarning)
            warnings.showwarning = _Sayer()  # type: ignore[assignment]
            return int(args.run(args) or 0)
    except KeyboardInterrupt:
        print("hoscpool: interrupted", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # the reader of our output went away (`hoscpool … | head`): not an error, and nobody left to tell
        sys.stderr.close()
        return 0
    except (ValueError, OSError, MemoryError, ImportError) as error:
        print(f"hoscpool: error: {error}", file=sys.stderr)
        return 2


class _Sayer:
    """Says a warning once a command: a user wants the sentence, not the line of our code that it came from."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def __call__(self, message: Warning | str, category: type[Warning], *_: Any) -> None:
        kind = "note" if issubclass(category, GraphWarning) else "warning"
        line = f"hoscpool: {kind}: {message}"
        if line not in self._said:
            self._said.add(line)
            print(line, file=sys.stderr)
