"""``torchrun -m hoscpool …``: one answer, printed and written once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


def torchrun(*args: str) -> subprocess.CompletedProcess[str]:
    """The command on two ranks, started by torchrun."""
    start = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "-m", "hoscpool"]
    return subprocess.run(
        [*start, *args], capture_output=True, text=True, timeout=120, env={**os.environ, "OMP_NUM_THREADS": "1"}
    )


def test_cluster_prints_and_writes_once(tmp_path: Path) -> None:
    done = torchrun(
        "cluster", "karate", "-k", "2", "--preset", "paper", "--max-epochs", "30", "-o", str(tmp_path / "out")
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("34 nodes") == done.stdout.count("wrote ") == 1
    assert json.loads((tmp_path / "out" / "summary.json").read_text())["ranks"] == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]


def test_bad_input_is_said_once(tmp_path: Path) -> None:
    failed = torchrun("cluster", str(tmp_path / "missing.csv"), "-k", "2")
    assert failed.returncode == 1
    assert failed.stderr.count("hoscpool: error:") == 1
    assert "missing.csv" in failed.stderr
