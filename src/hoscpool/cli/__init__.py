"""The command line. This module only parses arguments; a command imports what it needs when it runs."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from typing import Any

from hoscpool.cli.output_options import print_plainly_where_needed
from hoscpool.cli.parser import COMMANDS as COMMANDS
from hoscpool.cli.parser import build_parser as build_parser
from hoscpool.support.errors import GraphWarning
from hoscpool.support.files import FULL
from hoscpool.support.plain_text import printable, shortened
from hoscpool.support.processes import INTERRUPTED, TERMINATED, EndingSignals, is_follower
from hoscpool.support.progress import silent


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``hoscpool``. Returns the exit code, which means the same for every command.

    They are 0 done, 1 failed, 2 bad input, 130 interrupted by Ctrl-C (SIGINT), 143 ended by SIGTERM.
    """
    print_plainly_where_needed()
    with EndingSignals() as signals:
        try:
            code = _run(argv)
        except KeyboardInterrupt:
            _say("interrupted")
            code = INTERRUPTED
        except SystemExit:
            if signals.exit_code == TERMINATED:
                _say("ended by SIGTERM")
            raise
        return signals.exit_code or code


def _say(words: str) -> None:
    if not is_follower():
        print(f"hoscpool: {words}", file=sys.stderr)


def _run(argv: Sequence[str] | None) -> int:
    args = build_parser().parse_args(argv)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", GraphWarning)
            warnings.showwarning = _WarningPrinter()  # type: ignore[assignment]
            with silent(getattr(args, "quiet", False)):
                return int(args.run(args) or 0)
    except BrokenPipeError:
        # the reader closed our output (`hoscpool … | head`), which is no error
        sys.stderr.close()
        return 0
    except (ValueError, OSError, MemoryError, ImportError) as error:
        if not is_follower() or isinstance(error, ConnectionError):  # rank 0 says the same, unless it is lost
            print(f"hoscpool: error: {shortened(printable(_explain(error)))}", file=sys.stderr)
        return 2


def _explain(error: Exception) -> str:
    if isinstance(error, MemoryError) and not str(error):
        return "the memory is used up; use a smaller graph or fewer jobs, or a machine with more memory"
    if isinstance(error, OSError) and error.errno in FULL:
        return f"{error.filename or 'the disk'}: {error.strerror}; make room, and run the command again"
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
