"""Files that are written completely or not at all, and the temporary files on the way to them."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import re
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import psutil

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What the system says when there is no room."""


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let an error about a full disk name this path: whoever writes to a stream is not told which file it is."""
    try:
        yield
    except OSError as error:
        if error.errno in FULL and error.filename is None:
            error.filename = str(path)
        raise


@contextmanager
def whole_file(path: Path, *, text: bool = False) -> Iterator[IO[Any]]:
    """A new file that replaces ``path`` when the block ends, and disappears if the block raises.

    Nobody ever sees half a file: not a reader, not a second writer, not after a crash. What killed processes have left
    on the way to the same file is removed.

    Raises:
        OSError: The file cannot be written, such as on a full disk. The error names it.
    """
    remove_leftovers(path.parent, path.name)
    temporary = path.with_name(temporary_name(path.name))
    options: dict[str, Any] = {"mode": "x", "encoding": "utf-8", "newline": ""} if text else {"mode": "xb"}
    try:
        with naming(path), temporary.open(**options) as file:
            yield file
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def try_lock(file: IO[Any]) -> bool:
    """Lock an open file for this process, until it is closed. Returns whether that succeeded.

    Where the system has no locks, it always does.
    """
    try:
        import fcntl
    except ImportError:  # not on Windows
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def write_text(path: Path, content: str) -> Path:
    """Write a text file completely or not at all. Returns its path."""
    with whole_file(path, text=True) as file:
        file.write(content)
    return path


def unfinished_folder(output: Path) -> Path:
    """Where the unfinished work of a command with this output folder is kept."""
    return output.resolve().with_name(f".{output.resolve().name}.unfinished")


_NAME = re.compile(r"\.(?P<target>.+)\.(?P<pid>\d+)-[0-9a-f]{8}\.part", re.DOTALL)


def temporary_name(target: str) -> str:
    """A new hidden name for something that will become ``target``.

    Examples:
        >>> temporary_name("labels.csv")
        '.labels.csv....part'
    """
    return f".{target}.{os.getpid()}-{secrets.token_hex(4)}.part"


def is_temporary(name: str) -> bool:
    """Whether a name is from `temporary_name`."""
    return _NAME.fullmatch(name) is not None


def remove_leftovers(folder: Path, target: str) -> None:
    """Remove what processes that no longer run have left in a folder on the way to ``target``."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            found = _NAME.fullmatch(entry.name)
            if found and found["target"] == target and not psutil.pid_exists(int(found["pid"])):
                _remove(entry)


def _remove(entry: os.DirEntry[str]) -> None:
    if entry.is_dir(follow_symlinks=False):
        shutil.rmtree(entry.path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            Path(entry.path).unlink()


_AT_FDCWD, _RENAME_EXCHANGE = -100, 2  # Linux
_RENAME_SWAP = 2  # macOS


def exchange(one: Path, other: Path) -> bool:
    """Exchange two files or folders on one file system. Returns whether the system could."""
    first, second = os.fsencode(one), os.fsencode(other)
    try:
        library = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "darwin":
            return int(library.renamex_np(first, second, _RENAME_SWAP)) == 0
        return int(library.renameat2(_AT_FDCWD, first, _AT_FDCWD, second, _RENAME_EXCHANGE)) == 0
    except (AttributeError, OSError, TypeError):  # an older system, or one without these functions
        return False
