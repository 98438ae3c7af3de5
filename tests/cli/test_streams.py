"""Help and messages can be printed on a terminal without Unicode."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from hoscpool.cli import COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_help_on_an_ascii_terminal(command: str) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "COLUMNS": "40"}
    run = [sys.executable, "-m", "hoscpool", command, "--help"]
    done = subprocess.run(run, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert b"Traceback" not in done.stderr
    assert done.stdout.decode("ascii").startswith("usage:")


def test_characters_of_our_texts_keep_their_meaning() -> None:
    code = "from hoscpool.cli.streams import print_plainly_where_needed as p; p(); print('K ≥ 2 – é 日')"
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
    assert done.stdout.decode("ascii").strip() == "K >= 2 - e ?"
