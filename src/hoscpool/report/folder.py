"""A folder of results that is written completely or not at all, and never replaces other files."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from hoscpool.report.folder_commit import COMPLETE, files_in, fill_folder, finish_folder, replace_folder
from hoscpool.support.files import is_temporary, remove_leftovers, temporary_name

MANIFEST = "summary.json"
"""The file that marks a folder as ours: it names the program and, under ``files``, every file we wrote."""
PROGRAM = "hoscpool"


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
    is killed leaves the old result or the new one, or a new one that the next command finishes; see `folder_commit`.

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
        fill(temporary)
        names = _sign(temporary)
        earlier = set(_files(target)).difference(foreign_files(target)) if target.exists() else set()
        (fill_folder if stays else replace_folder)(temporary, target, MANIFEST, earlier)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return [folder / name for name in names]


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
