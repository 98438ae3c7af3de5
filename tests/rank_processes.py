"""Starts the processes of one run as torchrun does, but at once and without its seconds of start-up."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
TRACED = "import coverage; coverage.process_startup(); "
"""Comes first if this run measures coverage, because the work is done in the other processes."""


def start_ranks(
    code: str, arguments: Sequence[str], size: int, *, traced: bool = True
) -> list[subprocess.CompletedProcess[str]]:
    """Run Python code in so many processes, with coverage if ``traced``. Returns how they ended, rank 0 first."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    given = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": str(size), "OMP_NUM_THREADS": "1"}
    if traced and _is_traced():
        given["COVERAGE_PROCESS_START"] = str(ROOT / "pyproject.toml")
        code = TRACED + code
    command = [sys.executable, "-c", code, *arguments]
    processes = [
        subprocess.Popen(
            command,
            env={**os.environ, **given, "RANK": str(rank), "COVERAGE_FILE": str(ROOT / f".coverage.{port}-{rank}")},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in range(size)
    ]
    try:
        ends = [process.communicate(timeout=300) for process in processes]
    finally:
        for process in processes:
            process.kill()
    return [
        subprocess.CompletedProcess(command, process.returncode, *end)
        for process, end in zip(processes, ends, strict=True)
    ]


def _is_traced() -> bool:
    coverage = sys.modules.get("coverage")
    return coverage is not None and coverage.Coverage.current() is not None
