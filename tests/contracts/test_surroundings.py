"""Commands in surroundings without comfort: no home, no place to write, an ASCII locale, no terminal, 40 columns."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CODE = """
import sys
from hoscpool.cli import main
for command in (["cluster", sys.argv[1], "-k", "2"], ["motifs", sys.argv[1], "--motif", "triangle"],
                ["local", sys.argv[1], "--node", "cid", "--motif", "triangle"], ["datasets"]):
    assert main(command) == 0, command
"""
EDGES = "änn,bób\nbób,cid\ncid,änn\ncid,dän\ndän,eve\neve,fay\nfay,dän\n"


@pytest.mark.slow
def test_commands_run_where_nothing_is_as_usual(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "graph.csv").write_text(EDGES, encoding="utf-8")
    (tmp_path / "a file").write_text("no folder can be made below it, not even by an administrator")
    nowhere = str(tmp_path / "a file" / "cache")
    comfort = ("HOME", "XDG_CACHE_HOME", "TERM", "COLORTERM", "FORCE_COLOR", "PYTHONUTF8", "PYTHONIOENCODING")
    kept = {name: value for name, value in os.environ.items() if name not in comfort}
    bare = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "NO_COLOR": "1", "COLUMNS": "40",
            "HOSCPOOL_CACHE": nowhere, "NUMBA_CACHE_DIR": nowhere, "PYTHONPATH": os.pathsep.join(sys.path)}  # fmt: skip
    data.chmod(0o555)
    command = [sys.executable, "-X", "utf8=0", "-c", CODE, str(data / "graph.csv")]
    done = subprocess.run(
        command, env=kept | bare, cwd=data, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert b"\x1b" not in done.stdout + done.stderr
    assert b"Traceback" not in done.stderr
    table = [line for line in done.stdout.decode("ascii").splitlines() if line.startswith(("|", "+"))]
    assert table
    assert max(map(len, table)) <= 40
    assert [path.name for path in data.iterdir()] == ["graph.csv"]
