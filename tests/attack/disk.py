"""Commands on a full disk: nothing half-written, a sentence that says so, and the same result once there is room."""

from __future__ import annotations

import contextlib
import random
import resource
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

from attack.kills import Trial, warm_up
from attack.reports import Attack, Budget, Report
from attack.victims import VICTIMS, Victim, start, wait_for

POINTS = 6
"""Sizes of the disk for every command."""


@contextlib.contextmanager
def small_disk(folder: Path, size: int) -> Iterator[bool]:
    """A file system of that size in memory. Yields ``False`` where it cannot be mounted, as without rights."""
    folder.mkdir(parents=True, exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(folder)]
    try:
        mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except OSError:
        mounted = False
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(folder)], check=False)


def _limit_files(size: int) -> None:
    """Files of this process may not become larger. This is how a full disk looks where none can be mounted."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def fill(victim: Victim, folder: Path, seed: int) -> list[str]:
    """Run a command on a full disk, then again with room. Returns what is wrong."""
    rng = random.Random(seed)
    whole = Trial(victim, folder / "whole")
    if code := whole.finish():
        return [f"exit code {code} with room (see {whole.output})"]
    expected = victim.outcome(whole.folder)
    used = sum(path.stat().st_size for path in whole.folder.rglob("*") if path.is_file())
    room = folder / "room"
    with small_disk(room, 64 << 20) as mounted:
        trial = Trial(victim, room / "there")
        trial.output = folder / "output.txt"
        if mounted:
            size = sum(path.stat().st_blocks * 512 for path in room.rglob("*")) + int(used * rng.random()) + 4096
            subprocess.run(["mount", "-o", f"remount,size={size}", str(room)], check=False)
            ended = wait_for(trial.start())
        else:
            limit = 1 + int(used * rng.random())

            def run() -> int:
                _limit_files(limit)
                return victim.run(trial.folder)

            ended = wait_for(start(run, trial.output))
        said = [] if ended in (0, 1, 2) else [f"exit code {ended} on a full disk"]
        if "Traceback" in trial.output.read_text(errors="replace"):
            said.append(f"a traceback on a full disk (see {trial.output})")
        said += trial.wrong(expected, is_finished=False)
        if mounted:
            subprocess.run(["mount", "-o", "remount,size=64m", str(room)], check=False)
        if code := trial.finish():
            said.append(f"exit code {code} when there is room again")
        said += trial.wrong(expected, is_finished=True)
        shutil.rmtree(trial.folder, ignore_errors=True)
    return said


def run(budget: Budget) -> Report:
    """Fill the disk under every command."""
    report = Report()
    for victim in VICTIMS:
        folder = budget.folder / victim.name.replace(" ", "-")
        if victim.workers:
            continue
        warm_up()
        for point in range(POINTS):
            if budget.left < 0:
                return report
            said = fill(victim, folder / str(point), budget.seed + point)
            report.tried[f"full disks under {victim.name}"] += 1
            report.failures += [f"{victim.name}, point {point}: {what}" for what in said]
    return report


DISK = Attack("disk", "commands on a disk that becomes full", share=1, run=run)
