"""Temporary files and folders: named after their process, so that those of dead processes can be removed."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
from pathlib import Path

import psutil

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
