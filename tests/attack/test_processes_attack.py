"""A small sample of the attacks on processes. The whole attack is ``make attack``."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="the attack forks")]
SAMPLE = """
import sys
from pathlib import Path
from attack.disk import fill
from attack.kills import attack
from attack.reports import Budget
from attack.victims import VICTIMS
folder = Path(sys.argv[1])
for victim in VICTIMS:
    if victim.name in ("motifs with output", "cluster with checkpoint"):
        report = attack(victim, Budget(300, 1, folder), points=2)
        assert report.tried
        assert not report.failures, report.failures
    if victim.name == "motifs with output":
        assert not (said := fill(victim, folder / "disk", 1)), said
"""


def _run(code: str, folder: Path) -> None:
    """Run in a process of its own: the attacks fork, and pytest has threads."""
    path = os.pathsep.join([str(Path(__file__).parent.parent), *sys.path])
    command = [sys.executable, "-c", code, str(folder)]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_killed_commands_go_on_to_the_same_result(tmp_path: Path) -> None:
    _run(SAMPLE, tmp_path)


def test_a_sweep_that_is_killed_has_every_cell_once_and_pools_leak_nothing(tmp_path: Path) -> None:
    _run("import sys; from pathlib import Path; from attack.load import main; main(Path(sys.argv[1]))", tmp_path)
