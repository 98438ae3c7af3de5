"""Runs one cell and makes its record. Joblib sends this function to other processes and machines."""

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
from hoscpool.support.files import try_lock
from hoscpool.support.machine import PeakMemory, machine_summary, versions
from hoscpool.support.threads import one_thread

PACKAGES = ("hoscpool", "numba", "numpy", "scikit-learn", "scipy", "torch", "torch-geometric")
NO_DATA = "no data"
TOO_LATE = "too late"
"""Status of a cell without a record: its dataset is missing, or the time was up before it started."""


class Interruption(BaseException):
    """Ctrl-C while a cell runs. An estimator ends at KeyboardInterrupt with its best so far, which is not a result."""


def run_cell(
    cell: Cell,
    data_root: str | Path | None = None,
    *,
    scratch: Path | None = None,
    until: float | None = None,
    ignores_interrupt: bool = False,
) -> Record:
    """Run a cell on one thread. A failure gives a record too.

    Args:
        cell: The cell.
        data_root: Folder of the raw data; see `hoscpool.datasets.load`.
        scratch: Folder of unfinished cells, or ``None``.
        until: The cell does not start after this time (as of ``time.time``).
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
        except Exception as error:  # an error ends this cell, but not the whole run
            outcome = {"status": "failed", "error": f"{type(error).__name__}: {error}"}
    return {**names, "hash": cell.hash, **outcome, "peak_memory": peak.n_bytes, **_circumstances(cell)}


def _circumstances(cell: Cell) -> dict[str, Any]:
    now = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"settings": dict(cell.settings), **_about_this_machine(), "finished": now}


@cache
def _about_this_machine() -> dict[str, Any]:
    return {"versions": versions(PACKAGES), "code": code_fingerprint(), "machine": machine_summary()}


NOT_COMPUTING = ("cli", "report", "bench", "experiments")
"""Packages that run or show results but do not change them. All other sources count."""


@cache
def code_fingerprint() -> str:
    """Twelve digits that identify the sources that compute results."""
    return fingerprint(Path(str(files("hoscpool"))), NOT_COMPUTING)


def fingerprint(root: Path, without: tuple[str, ...]) -> str:
    """A fingerprint of all Python files outside some folders. It does not depend on the system's line endings."""
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root)
        if name.parts[0] not in without:
            text = path.read_text(encoding="utf-8")  # all line endings become \n
            digest.update(f"{name.as_posix()}\0{text}\0".encode())
    return digest.hexdigest()[:HASH_LENGTH]


@contextlib.contextmanager
def catch_interrupt(ignored: bool = False) -> Iterator[Callable[[], None]]:
    """Make Ctrl-C raise `Interruption`, if this thread may set signal handlers.

    An exception inside a callback of a C library or of the garbage collector is lost. So it is raised again at the end,
    and whenever the yielded function is called.
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
"""Name of the folder of unfinished cells, inside the folder of records."""


@contextlib.contextmanager
def open_scratch(root: Path | None, cell: Cell) -> Iterator[Path | None]:
    """A folder for a cell. It is removed when the cell ends, and kept when the cell is interrupted.

    Yields ``None`` without a root, and if another process runs the same cell now.
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
    with contextlib.suppress(OSError):  # it holds other folders
        root.rmdir()


def _take(folder: Path) -> IO[str] | None:
    """The lock file of a folder; ``None`` if another process has locked the folder or is removing it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "lock").open("a")
    except OSError:
        return None
    if try_lock(lock):
        return lock
    lock.close()
    return None
