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
from hoscpool.cli.streams import print_plainly_where_needed
from hoscpool.support.errors import GraphWarning
from hoscpool.support.names import did_you_mean
from hoscpool.support.plain_text import printable, shortened
from hoscpool.support.processes import INTERRUPTED, TERMINATED, EndingSignals

COMMANDS = {
    "demo": "show on two built-in graphs what motifs reveal",
    "cluster": "cluster the nodes of a graph so that few motifs are cut",
    "classify": "classify graphs with any pooling operator",
    "motifs": "count motifs, compare with chance, show the heaviest edges, write the matrix",
    "local": "find the cluster around a node",
    "datasets": "list the datasets and say which are on this machine",
    "reproduce": "run the paper's tables and figures again",
    "report": "write a page that compares published and measured numbers",
    "bench": "measure HoscPool against other libraries",
}
"""Every command with its summary. The module of that name has ``DESCRIPTION``, ``add_arguments`` and ``run``."""


EXIT_CODES = "exit codes: 0 done, 1 failed, 2 bad input, 130 interrupted by Ctrl-C, 143 ended by SIGTERM"


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
        prog="hoscpool",
        description="Higher-order graph clustering and pooling: clusters that cut few motifs.",
        epilog=EXIT_CODES,
    )
    parser.add_argument("--version", action="version", version=f"hoscpool {__version__}")
    subparsers = parser.add_subparsers(title="commands", dest="command", required=True, metavar="COMMAND")
    for name, summary in COMMANDS.items():
        subparsers.add_parser(name, help=summary).module = f"hoscpool.cli.{name}"
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``hoscpool``. Returns the exit code, which means the same for every command.

    They are 0 done, 1 failed, 2 bad input, 130 interrupted by Ctrl-C (SIGINT), 143 ended by SIGTERM.
    """
    print_plainly_where_needed()
    with EndingSignals() as signals:
        try:
            code = _run(argv)
        except KeyboardInterrupt:
            print("hoscpool: interrupted", file=sys.stderr)
            code = INTERRUPTED
        except SystemExit:
            if signals.exit_code == TERMINATED:
                print("hoscpool: ended by SIGTERM", file=sys.stderr)
            raise
        return signals.exit_code or code


def _run(argv: Sequence[str] | None) -> int:
    args = build_parser().parse_args(argv)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", GraphWarning)
            warnings.showwarning = _WarningPrinter()  # type: ignore[assignment]
            return int(args.run(args) or 0)
    except BrokenPipeError:
        # the reader closed our output (`hoscpool … | head`), which is no error
        sys.stderr.close()
        return 0
    except (ValueError, OSError, MemoryError, ImportError) as error:
        print(f"hoscpool: error: {shortened(printable(_explain(error)))}", file=sys.stderr)
        return 2


def _explain(error: Exception) -> str:
    if isinstance(error, MemoryError) and not str(error):
        return "the memory is used up; use a smaller graph or fewer jobs, or a machine with more memory"
    return str(error)


class _WarningPrinter:
    """Prints each warning once per command, without the line of code that it came from."""

    def __init__(self) -> None:
        self._printed: set[str] = set()

    def __call__(self, message: Warning | str, category: type[Warning], *_: Any) -> None:
        kind = "note" if issubclass(category, GraphWarning) else "warning"
        line = shortened(printable(f"hoscpool: {kind}: {message}"))
        if line not in self._printed:
            self._printed.add(line)
            print(line, file=sys.stderr)
