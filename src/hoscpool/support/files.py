"""Files that are written completely or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from hoscpool.support.leftovers import remove_leftovers, temporary_name


@contextmanager
def whole_file(path: Path, *, text: bool = False) -> Iterator[IO[Any]]:
    """A new file that replaces ``path`` when the block ends, and disappears if the block raises.

    Nobody ever sees half a file: not a reader, not a second writer, not after a crash. What killed processes have left
    on the way to the same file is removed.
    """
    remove_leftovers(path.parent, path.name)
    temporary = path.with_name(temporary_name(path.name))
    options: dict[str, Any] = {"mode": "x", "encoding": "utf-8", "newline": ""} if text else {"mode": "xb"}
    try:
        with temporary.open(**options) as file:
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
