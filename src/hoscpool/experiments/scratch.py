"""Where a cell that takes long keeps its unfinished training."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from hoscpool.experiments.cell import Cell

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
