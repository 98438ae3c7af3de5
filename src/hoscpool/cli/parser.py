"""The parser of the command line. A command adds its arguments when it is called, so ``--help`` answers at once."""

from __future__ import annotations

import argparse
import importlib
import re
import textwrap
from typing import Any, NoReturn

from hoscpool import __version__
from hoscpool.support.names import did_you_mean

COMMANDS = {
    "demo": "show on two built-in graphs what motifs reveal",
    "cluster": "cluster the nodes of a graph so that few motifs are cut",
    "classify": "classify graphs with any pooling operator",
    "motifs": "count motifs, compare with chance, show the heaviest edges, write the matrix",
    "blocks": "write a graph as blocks on disk, to count motifs beyond memory",
    "local": "find the cluster around a node",
    "datasets": "list the datasets and say which are on this machine",
    "reproduce": "run the paper's tables and figures again",
    "report": "write a page that compares published and measured numbers",
    "bench": "measure HoscPool against other libraries",
    "completion": "print a script that completes commands and options in your shell",
}
"""Every command with its summary. Its module has ``DESCRIPTION``, ``EXAMPLES``, ``add_arguments`` and ``run``."""


EXAMPLES_TITLE = "examples:"
EXIT_CODES = "exit codes: 0 done, 1 failed, 2 bad input, 130 interrupted by Ctrl-C, 143 ended by SIGTERM"


class HelpFormatter(argparse.HelpFormatter):
    """Keeps the lines of examples. A line that is too long goes on further in."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if not text.startswith(EXAMPLES_TITLE):
            return super()._fill_text(text, width, indent)
        return "\n".join(
            textwrap.fill(line, width, subsequent_indent=" " * 6, break_on_hyphens=False, break_long_words=False)
            for line in text.splitlines()
        )


class CommandParser(argparse.ArgumentParser):
    """A parser that adds its arguments when it is first used, and suggests a name for a misspelt one.

    Attributes:
        module: The module of its command, imported when the command is called; empty: no arguments are added.
    """

    module = ""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Add the arguments, then parse."""
        self.load()
        return super().parse_known_args(args, namespace)

    def load(self) -> None:
        """Add the arguments of the command, once."""
        if self.module:
            command, self.module = importlib.import_module(self.module), ""
            self.description, self.formatter_class = command.DESCRIPTION, HelpFormatter
            self.epilog = "\n  ".join((EXAMPLES_TITLE, *command.EXAMPLES))
            self.set_defaults(run=command.run)
            command.add_arguments(self)
            if self._subparsers is None:
                asked = [action for action in self._actions if action.required or not action.option_strings]
                self.usage = " ".join(["%(prog)s [options]", *map(_place, asked)])

    def error(self, message: str) -> NoReturn:
        """Print what is wrong, with a suggestion for a misspelt name, and exit."""
        if found := re.search(r"invalid choice: '(.*)' \(choose from (.*)\)", message):
            message += did_you_mean(found[1], [name.strip(" '") for name in found[2].split(",")])
        super().error(message)


def _place(action: argparse.Action) -> str:
    name = " ".join([*action.option_strings[:1], str(action.metavar or action.dest)])
    return f"[{name}]" if action.nargs == "?" else name


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
