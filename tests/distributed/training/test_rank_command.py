"""``torchrun -m hoscpool …``: one answer, printed and written once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rank_processes import start_ranks

pytestmark = pytest.mark.slow


def torchrun(*args: str) -> subprocess.CompletedProcess[str]:
    """The command on two ranks, started by torchrun."""
    start = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "-m", "hoscpool"]
    return subprocess.run(
        [*start, *args], capture_output=True, text=True, timeout=120, env={**os.environ, "OMP_NUM_THREADS": "1"}
    )


@pytest.fixture
def tu_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twenty cycles and twenty stars of five nodes, in the TU format."""
    folder = tmp_path_factory.mktemp("shapes")
    edges, owner = [], []
    for graph in range(40):
        first = 5 * graph + 1
        ends = [(i, (i + 1) % 5) for i in range(5)] if graph % 2 else [(0, i) for i in range(1, 5)]
        edges += [f"{first + u}, {first + v}\n{first + v}, {first + u}" for u, v in ends]
        owner += [str(graph + 1)] * 5
    (folder / "S_A.txt").write_text("\n".join(edges))
    (folder / "S_graph_indicator.txt").write_text("\n".join(owner))
    (folder / "S_graph_labels.txt").write_text("\n".join(str(graph % 2) for graph in range(40)))
    return folder


def test_cluster_prints_and_writes_once(tmp_path: Path) -> None:
    done = torchrun(
        "cluster", "karate", "-k", "2", "--preset", "paper", "--max-epochs", "30", "-o", str(tmp_path / "out")
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("34 nodes") == done.stdout.count("wrote ") == 1
    assert json.loads((tmp_path / "out" / "summary.json").read_text())["ranks"] == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]


MAIN = "import os, sys; from hoscpool.cli import main; sys.exit(main(sys.argv[1:]{}))"


def test_classify_says_how_many_ranks_there_were(tmp_path: Path, tu_folder: Path) -> None:
    options = ("--splits", "1", "--max-epochs", "2", "-o", str(tmp_path / "out"))
    first, second = start_ranks(MAIN.format(""), ["classify", str(tu_folder), *options], 2)
    assert first.returncode == second.returncode == 0, first.stderr + second.stderr
    assert second.stdout == second.stderr == ""
    assert json.loads((tmp_path / "out" / "summary.json").read_text())["ranks"] == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]


def test_ranks_with_other_arguments_are_refused_once() -> None:
    code = MAIN.format(" + ['--seed', os.environ['RANK']]")
    first, second = start_ranks(code, ["cluster", "karate", "-k", "2"], 2)
    assert (first.returncode, second.returncode) == (2, 1)
    assert "ranks: rank 1 has other arguments than rank 0; start all with the same arguments" in first.stderr
    assert second.stderr == ""


def test_jobs_are_refused_once() -> None:
    first, second = start_ranks(MAIN.format(""), ["classify", "x", "--jobs", "2"], 2)
    assert "--jobs: torchrun has started the processes already; leave --jobs out" in first.stderr
    assert second.stderr == ""
