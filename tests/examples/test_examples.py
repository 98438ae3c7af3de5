"""Every example runs as its reader would run it, and does what it promises."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(script: Path, *arguments: str) -> str:
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1"}  # the graphs are small, and other tests run beside
    done = subprocess.run(
        [sys.executable, script, *arguments], capture_output=True, text=True, timeout=300, check=False, env=one_thread
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


def test_replace_pooling() -> None:
    accuracy = dict(re.findall(r"(With\w+): test accuracy ([\d.]+)", run(EXAMPLES / "replace_pooling.py")))
    assert list(accuracy) == ["WithSAGPooling", "WithHoscPool"]
    assert float(accuracy["WithHoscPool"]) >= 0.9


def test_cluster_csv() -> None:
    output = run(EXAMPLES / "cluster_csv.py")
    groups = {frozenset(line.split(": ")[1].split(", ")) for line in output.splitlines() if line.startswith("cluster ")}
    assert groups == {
        frozenset(["Ann", "Bob", "Cid", "Dot", "Eve"]),
        frozenset(["Flo", "Gus", "Hal", "Ida", "Jan"]),
        frozenset(["Kim", "Lee", "Max", "Nan", "Ole"]),
    }
    assert "the same after loading: True" in output


@pytest.mark.slow
def test_cluster_csv_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("a,b\nb,c\nc,a\nc,d\nd,e\ne,f\nf,d\n")
    assert "6 nodes, 7 edges" in run(EXAMPLES / "cluster_csv.py", str(path))


def test_cluster_networkx() -> None:
    output = run(EXAMPLES / "cluster_networkx.py")
    right = [int(share) for share in re.findall(r"(\d+)% on the right side", output)]
    assert len(right) == 3
    assert min(right) >= 90
    leaders = re.findall(r"leaders: (\d) (\d)", output)[0]
    assert leaders[0] != leaders[1]
    assert len(re.findall(r"\d clusters of", output)) == 3


def test_own_motif() -> None:
    output = run(EXAMPLES / "own_motif.py")
    assert "bowties: " in output
    assert "Valjean" in output
    assert int(re.findall(r"clusters by edges and bowties: (\d)", output)[0]) > 1


def test_motif_profile() -> None:
    output = run(EXAMPLES / "motif_profile.py")
    assert re.search(r"most over chance: M5, \d+ times", output)
    assert float(re.findall(r"share with ours: ([\d.]+)%", output)[0]) < 20


def test_local_cluster() -> None:
    output = run(EXAMPLES / "local_cluster.py")
    assert "Gavroche" in output
    right, read, entries = re.findall(r"(\d+)% of them in.*\nread ([\d,]+) of ([\d,]+) entries", output)[0]
    assert int(right) > 90
    assert int(read.replace(",", "")) < int(entries.replace(",", "")) / 10
