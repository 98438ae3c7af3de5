"""The console of all commands, imported when a command runs."""

from __future__ import annotations

import os

from rich.console import Console as RichConsole


class Console(RichConsole):
    """Plain output. A closed pipe does not end the command.

    Args:
        quiet: Print nothing.
        stderr: Print on stderr, because stdout is for the result of ``--json``.
    """

    def __init__(self, quiet: bool = False, stderr: bool = False) -> None:
        super().__init__(highlight=False, quiet=quiet, stderr=stderr)

    def on_broken_pipe(self) -> None:
        """Print nothing more. Nobody reads the output (``hoscpool … | head``), but the files are still wanted."""
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), self.file.fileno())
