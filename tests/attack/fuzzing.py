"""Attack all readers with damaged files, each format in processes of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from attack.reports import Attack, Budget, Report

PROCESSES = 2
START = 20.0
"""Seconds that a process needs to start, at most. It may take these longer than its time."""


def run(budget: Budget) -> Report:
    """Attack every format for the same time."""
    from attack.formats import FORMATS

    share = budget.seconds * PROCESSES / len(FORMATS)
    with ThreadPoolExecutor(PROCESSES) as pool:
        reports = pool.map(lambda name: _attack(name, share, budget), FORMATS)
    total = Report()
    for report in reports:
        print(
            *(f"  {name}: {count:,} files, {len(report.failures)} failures" for name, count in report.tried.items()),
            file=sys.stderr,
            flush=True,
        )
        total.tried += report.tried
        total.failures += report.failures
    return total


def _attack(name: str, seconds: float, budget: Budget) -> Report:
    """Attack one format. A process that dies is a failure; then another one goes on."""
    report, end, seed = Report(), time.monotonic() + seconds, budget.seed
    folder = budget.folder / name.replace(" ", "-")
    while (left := end - time.monotonic()) > 2:
        shutil.rmtree(folder / "now", ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "attack.worker", name, str(folder), str(left), str(seed)]
        environment = os.environ | {"OMP_NUM_THREADS": "1", "HOSCPOOL_CACHE": str(folder / "cache")}
        with (folder / "log").open("w") as log:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment, check=False)
        lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
        for failure in map(json.loads, lines):
            report.failures.append(f"{name}: {failure['wrong']} (case: {failure['case']})")
        tried = folder / "tried"
        report.tried[name] += int(tried.read_text()) if tried.exists() else 0
        tried.unlink(missing_ok=True)
        if done.returncode == 0:
            break
        report.failures.append(_death(name, folder, done.returncode, seed))
        seed += 1
    return report


def _death(name: str, folder: Path, code: int, seed: int) -> str:
    kept = folder / f"died-{seed}"
    shutil.copytree(folder / "now", kept, dirs_exist_ok=True)
    last = ([line for line in (folder / "log").read_text(errors="replace").splitlines() if line.strip()] or [""])[-1]
    why = {-14: "it took too long", -11: "memory was corrupted", -6: "it was aborted"}.get(code, last[:200])
    return f"{name}: the process died, exit code {code}: {why} (case: {kept})"


FILES = Attack("files", "damaged files of every format", share=5, run=run)
