"""The command line: argument parsing only; a command builds its parser when it is called."""

from __future__ import annotations

import argparse
import importlib
import sys
import warnings
from collections.abc import Sequence
from typing import Any

from hoscpool import __version__
from hoscpool.support.errors import GraphWarning

COMMANDS = ("demo", "cluster", "classify", "motifs", "datasets", "reproduce", "report", "bench")
"""Every command is a module of its name in this folder, with ``add_parser`` and ``run``."""


def build_parser(command: str | None = None) -> argparse.ArgumentParser:
    """The parser of ``hoscpool`` with the sub-parser of one command, or of all commands if it is none of them."""
    parser = argparse.ArgumentParser(
        prog="hoscpool", description="Higher-order graph clustering and pooling: communities that respect motifs."
    )
    parser.add_argument("--version", action="version", version=f"hoscpool {__version__}")
    subparsers = parser.add_subparsers(title="commands", dest="command", required=True, metavar="COMMAND")
    for name in (command,) if command in COMMANDS else COMMANDS:
        importlib.import_module(f"hoscpool.cli.{name}").add_parser(subparsers)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``hoscpool``; returns the exit code: 0 done, 1 interrupted or failed, 2 bad input."""
    words = sys.argv[1:] if argv is None else argv
    args = build_parser(words[0] if words else None).parse_args(words)
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
