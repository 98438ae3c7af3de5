"""Runs one cell and makes its record; this is what joblib sends to other processes and machines."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import IO, Any

from hoscpool.experiments.experiment import find_experiment
from hoscpool.experiments.running.cell import HASH_LENGTH, Cell
from hoscpool.experiments.running.store import Record
from hoscpool.support.errors import DatasetNotFoundError
from hoscpool.support.machine import PeakMemory, machine_summary, versions
from hoscpool.support.threads import one_thread

PACKAGES = ("hoscpool", "numba", "numpy", "scikit-learn", "scipy", "torch", "torch-geometric")
NO_DATA = "no data"
TOO_LATE = "too late"
"""What becomes of a cell that has no record: its dataset is not there, or the time was up before it began."""


class Interruption(BaseException):
    """Ctrl-C while a cell runs: estimators answer KeyboardInterrupt with their best so far, which is no result."""


def run_cell(
    cell: Cell,
    data_root: str | Path | None = None,
    *,
    scratch: Path | None = None,
    until: float | None = None,
    ignores_interrupt: bool = False,
) -> Record:
    """Run a cell on one thread; a failure becomes a record too.

    Args:
        cell: What to run.
        data_root: Where the raw data are; see `hoscpool.datasets.load`.
        scratch: Where unfinished cells are kept, if they are.
        until: Time (as of ``time.time``) after which it is not begun any more.
        ignores_interrupt: Whether another process decides what Ctrl-C means.
    """
    names = {"experiment": cell.experiment, "dataset": cell.dataset, "method": cell.method, "seed": cell.seed}
    if until is not None and time.time() > until:
        return {**names, "hash": cell.hash, "status": TOO_LATE}
    outcome: dict[str, Any]
    experiment = find_experiment(cell.experiment)
    with (
        catch_interrupt(ignores_interrupt),
        one_thread(),
        PeakMemory() as peak,
        open_scratch(scratch if experiment.resumable else None, cell) as folder,
    ):  # counting threads is a C callback too
        kept = {"scratch": folder} if folder else {}
        try:
            outcome = {"status": "ok", **experiment.run(cell, data_root, **kept)}
        except DatasetNotFoundError as error:
            outcome = {"status": NO_DATA, "error": str(error)}
        except Exception as error:  # whatever it is, it belongs to this cell and not to the run
            outcome = {"status": "failed", "error": f"{type(error).__name__}: {error}"}
    return {**names, "hash": cell.hash, **outcome, "peak_memory": peak.n_bytes, **_circumstances(cell)}


def _circumstances(cell: Cell) -> dict[str, Any]:
    now = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"settings": dict(cell.settings), **_about_this_machine(), "finished": now}


@cache
def _about_this_machine() -> dict[str, Any]:
    return {"versions": versions(PACKAGES), "code": code_fingerprint(), "machine": machine_summary()}


NOT_COMPUTING = ("cli", "report", "bench", "experiments")
"""The packages that run and show results and do not change them; every other source counts."""


@cache
def code_fingerprint() -> str:
    """Twelve digits that stand for the sources that compute."""
    return fingerprint(Path(str(files("hoscpool"))), NOT_COMPUTING)


def fingerprint(root: Path, without: tuple[str, ...]) -> str:
    """The same of all Python files but those in some folders, whatever the system's order and ends of lines are."""
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root)
        if name.parts[0] not in without:
            text = path.read_text(encoding="utf-8")  # every end of a line is read as \n
            digest.update(f"{name.as_posix()}\0{text}\0".encode())
    return digest.hexdigest()[:HASH_LENGTH]


@contextlib.contextmanager
def catch_interrupt(ignored: bool = False) -> Iterator[Callable[[], None]]:
    """Give Ctrl-C its meaning for cells, where this thread may do so.

    What is raised inside a callback of a C library or of the collector is lost; so it is raised again at the end, and
    whenever the function that is given is called.
    """
    called = False

    def stop(*_: Any) -> None:
        nonlocal called
        called = True
        raise Interruption

    def check() -> None:
        if called:
            raise Interruption

    if threading.current_thread() is not threading.main_thread():
        yield check
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN if ignored else stop)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, before)
    check()


SCRATCH = ".unfinished"
"""The folder of all of them, in that of the records."""


@contextlib.contextmanager
def open_scratch(root: Path | None, cell: Cell) -> Iterator[Path | None]:
    """A folder for a cell, removed when the cell ends and kept when it is interrupted.

    There is none without a root, and none for a process that runs a cell at the same time as another one does.
    """
    if root is None:
        yield None
        return
    folder = root / "-".join(map(str, cell.key))
    lock = _take(folder)
    if lock is None:
        yield None
        return
    with lock:
        yield folder
        shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError):  # others are in it
        root.rmdir()


def _take(folder: Path) -> IO[str] | None:
    """The file by which this process holds a folder; ``None`` if another one has it, or is just removing it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "lock").open("a")
    except OSError:
        return None
    if _is_first(lock):
        return lock
    lock.close()
    return None


def _is_first(lock: IO[str]) -> bool:
    """Take a file for this process, where the system can."""
    try:
        import fcntl
    except ImportError:  # not on Windows
        return True
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
