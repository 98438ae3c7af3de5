"""A folder of results that is written completely or not at all, and never replaces other files.

No moment shows old and new files mixed as if they belonged together. A new folder is renamed, and a folder that can go
is exchanged for the new one in one step. A folder that must stay is filled file by file: first the finished files get
the name `COMPLETE` inside it. From then on the result counts, and whoever comes next moves what a killed process has
not moved. While files move there is no manifest.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from hoscpool.support.errors import MissingDependencyError
from hoscpool.support.files import exchange, is_temporary, naming, remove_leftovers, temporary_name
from hoscpool.support.progress import Progress

MANIFEST = "summary.json"
"""The file that marks a folder as ours: it names the program and, under ``files``, every file we wrote."""
PROGRAM = "hoscpool"
Step = Callable[[Path], object]
"""Writes one file, or a few, into the folder that it is given."""


def check_folder(folder: Path, force: bool = False) -> None:
    """Check that a folder can be written, before any work is done.

    Args:
        folder: It may be missing, be empty, or hold only an earlier result. Its parent must exist.
        force: Allow other files in it. They stay.

    Raises:
        OSError: It cannot. The message says why and what to do.
    """
    target, there = folder.resolve(), existing_folder(folder)
    finish_folder(target, MANIFEST)
    if there not in (target, target.parent):
        raise FileNotFoundError(f"output: the folder {target.parent} does not exist; create it first")
    check_writable(there)
    if not force and (foreign := foreign_files(target)):
        raise FileExistsError(
            f"output: {folder} holds files that are not an earlier result ({', '.join(foreign[:3])}"
            f"{', …' if len(foreign) > 3 else ''}); name another folder, or pass --force to write beside them"
        )


def existing_folder(folder: Path, option: str = "output") -> Path:
    """The folder, or its nearest parent that exists.

    Raises:
        NotADirectoryError: It is a file.
    """
    target = folder.resolve()
    there = next(path for path in (target, *target.parents) if path.exists())
    if not there.is_dir():
        raise NotADirectoryError(
            f"{option}: {folder if there == target else there} is a file; give the name of a folder"
        )
    return there


def check_writable(folder: Path, option: str = "output") -> None:
    """Check that an existing folder can be written.

    Raises:
        PermissionError: It cannot.
    """
    try:  # try it: permissions say nothing for an administrator or on a read-only disk
        Path(tempfile.mkdtemp(prefix=".hoscpool-", dir=folder)).rmdir()
    except OSError as error:
        reason = error.strerror or error
        raise PermissionError(f"{option}: the folder {folder} cannot be written ({reason}); choose another") from None


def write_folder(folder: Path, fill: Callable[[Path], None], force: bool = False) -> list[Path]:
    """Let ``fill`` write into a temporary folder, add the list of files, and move it into place.

    If possible the whole folder is exchanged at once. Some folders must stay: those with other files, mount points, the
    working folder, or those whose parent cannot be written. There every file is renamed into its place. A process that
    is killed leaves the old result or the new one, or a new one that the next command finishes.

    Args:
        folder: As in `check_folder`.
        fill: Writes all files, including `MANIFEST`.
        force: As in `check_folder`.

    Returns:
        The files, sorted by name.
    """
    check_folder(folder, force)
    target = folder.resolve()
    stays = _must_stay(target)
    around = target if stays else target.parent
    remove_leftovers(around, target.name)
    temporary = around / temporary_name(target.name)
    temporary.mkdir()
    try:
        with naming(target):
            fill(temporary)
        names = _sign(temporary)
        earlier = set(_files(target)).difference(foreign_files(target)) if target.exists() else set()
        (fill_folder if stays else replace_folder)(temporary, target, MANIFEST, earlier)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return [folder / name for name in names]


def write_report_folder(
    folder: Path, steps: Iterable[Step], summary: dict[str, Any], page: Step, *, force: bool, title: str | None = None
) -> list[Path]:
    """Write the files of the steps, the summary and the page, completely or not at all; see `write_folder`.

    Args:
        folder: As in `check_folder`.
        steps: They write everything else.
        summary: The content of `MANIFEST`, ready for JSON.
        page: Writes the file that it is given. Without Plotly there is no page, and a warning says so.
        force: As in `check_folder`.
        title: The text beside the progress bar. ``None`` shows no bar.
    """
    from hoscpool.plot import require_plotly

    def write_summary(path: Path) -> None:
        (path / MANIFEST).write_text(json.dumps(summary, indent=1, allow_nan=False))

    def write_page(path: Path) -> None:
        page(path / "report.html")

    every: list[Step] = [*steps, write_summary]
    try:
        require_plotly()
        every.append(write_page)
    except MissingDependencyError as error:
        warnings.warn(f"report.html was left out: {error}", UserWarning, stacklevel=3)

    def fill(path: Path) -> None:
        with Progress(title, len(every)) as progress:
            for step in every:
                step(path)
                progress.advance(1)

    return write_folder(folder, fill, force)


def foreign_files(folder: Path) -> list[str]:
    """The files of a folder that do not belong to an earlier result."""
    there = _files(folder) if folder.is_dir() else []
    try:
        content = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        ours = set(content["files"]) if content["program"] == PROGRAM else set()
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        ours = set()
    return [name for name in there if name not in ours]


def _files(folder: Path) -> list[str]:
    """The files of a folder, without those that are on their way into it."""
    return [name for name in files_in(folder) if not is_temporary(name.split("/")[0]) and not name.startswith(COMPLETE)]


def _sign(folder: Path) -> list[str]:
    """Write the program and the list of files into the manifest."""
    path, names = folder / MANIFEST, _files(folder)
    content = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({"program": PROGRAM, **content, "files": names}, indent=1) + "\n", encoding="utf-8")
    return names


def _must_stay(target: Path) -> bool:
    if not target.exists():
        return False
    busy = target.is_mount() or Path.cwd().is_relative_to(target) or not os.access(target.parent, os.W_OK | os.X_OK)
    return busy or bool(foreign_files(target))


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
