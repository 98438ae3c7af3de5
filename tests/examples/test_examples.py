"""Every example runs as its reader would run it, and does what it promises."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(script: Path) -> str:
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1"}  # the graphs are small, and other tests run beside
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=300, check=False, env=one_thread
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


@pytest.mark.parametrize("script", sorted(EXAMPLES.glob("*.py")), ids=lambda path: str(path.stem))
def test_an_example_is_short(script: Path) -> None:
    assert len(script.read_text().splitlines()) <= 100


def test_pooling_layer() -> None:
    script = EXAMPLES / "pooling_layer.py"
    output = run(script)
    losses = [float(value) for value in re.findall(r"loss (-?[\d.]+)", output)]
    accuracy = float(re.findall(r"test accuracy: ([\d.]+)", output)[0])
    assert losses[-1] < losses[0]
    assert accuracy >= 0.9
    assert len(script.read_text().splitlines()) < 80
