"""Put finished files into their folder, so that no moment shows old and new files mixed as if they belonged together.

A new folder is renamed, and a folder that can go is exchanged for the new one in one step. A folder that must stay is
filled file by file: first the finished files get the name `COMPLETE` inside it. From then on the result counts, and
whoever comes next moves what a killed process has not moved. While files move there is no manifest.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from hoscpool.support.files import exchange

COMPLETE = ".hoscpool-complete"
"""The folder of finished files that are on their way into the folder around it."""
_REPLACED = ".replaced"
"""The list of earlier files, in `COMPLETE`, that the new ones replace."""


def replace_folder(new: Path, target: Path, manifest: str, earlier: Iterable[str]) -> None:
    """Put a new folder in the place of another, which need not exist."""
    if not target.exists():
        new.rename(target)
    elif not exchange(new, target):
        fill_folder(new, target, manifest, earlier)


def fill_folder(new: Path, target: Path, manifest: str, earlier: Iterable[str]) -> None:
    """Move all files of a new folder into a folder that stays, and delete those of the earlier result.

    Args:
        new: The folder of finished files, on the file system of the other.
        target: The folder that stays.
        manifest: The file that says that a result is whole. It is taken away first and comes last.
        earlier: The files of the earlier result.
    """
    with _locked(target):
        _finish(target, manifest)
        gone = sorted(set(earlier) - set(files_in(new)))
        (new / _REPLACED).write_text(json.dumps(gone), encoding="utf-8")
        new.rename(target / COMPLETE)
        _finish(target, manifest)


def finish_folder(target: Path, manifest: str) -> None:
    """Finish what a killed process has begun with `fill_folder`."""
    if (target / COMPLETE).is_dir():
        with _locked(target):
            _finish(target, manifest)


def files_in(folder: Path) -> list[str]:
    """All files of a folder, relative to it."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir())


def _finish(target: Path, manifest: str) -> None:
    box = target / COMPLETE
    if not box.is_dir():
        return
    names = [name for name in files_in(box) if name != _REPLACED]
    if manifest in names:
        (target / manifest).unlink(missing_ok=True)
    for name in _gone(box):
        if (target / name).resolve().is_relative_to(target.resolve()):
            (target / name).unlink(missing_ok=True)
    for name in sorted(names, key=lambda name: name == manifest):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (box / name).replace(target / name)
    shutil.rmtree(box)


def _gone(box: Path) -> list[str]:
    try:
        found = json.loads((box / _REPLACED).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return [name for name in found if isinstance(name, str)] if isinstance(found, list) else []


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Lock a folder against other processes that fill it, if the system can."""
    try:
        import fcntl
    except ImportError:  # not on Windows
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # some network disks have no locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
