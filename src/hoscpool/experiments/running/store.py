"""Records on disk: one JSON line for every finished cell, appended and synced, in one file an experiment."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hoscpool.experiments.running.cell import Key, record_key

Record = dict[str, Any]
_FIELDS = frozenset({"experiment", "dataset", "method", "seed", "hash", "status"})
_MEASURED = _FIELDS | {"metrics", "seconds", "machine", "versions", "finished"}
"""What a record of a cell that succeeded has besides."""


class Store:
    """A folder of records, ``<experiment>.jsonl`` each.

    A run that is killed leaves whole lines and at most one torn one at the end, which reading leaves out and the next
    append removes. Two runs may append to one file: each line is one write under a lock.

    Args:
        folder: Where the files are; made on the first append.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, experiment: str) -> Path:
        """The file of an experiment."""
        return self.folder / f"{experiment}.jsonl"

    def records(self, experiment: str) -> list[Record]:
        """All records of an experiment in the order of the file; none when there is no file.

        Raises:
            ValueError: A line other than a torn last one is not a record.
        """
        path = self.path(experiment)
        if not path.exists():
            return []
        *whole, last = path.read_bytes().split(b"\n")
        records = [_parse(path, number, line) for number, line in enumerate(whole, 1)]
        return records if (rest := _complete(last)) is None else [*records, rest]

    def latest(self, experiment: str) -> dict[Key, Record]:
        """The last record of every cell: a failure gives way to a success, and the other way round."""
        return {record_key(record): record for record in self.records(experiment)}

    def append(self, record: Mapping[str, Any]) -> None:
        """Add a record and see it on disk."""
        path = self.path(str(record["experiment"]))
        line = json.dumps(record, ensure_ascii=False, allow_nan=False).encode() + b"\n"
        self.folder.mkdir(parents=True, exist_ok=True)
        with path.open("a+b") as file, _locked(file):
            _repair(file)
            file.write(line)
            file.flush()
            os.fsync(file.fileno())


def _parse(path: Path, number: int, line: bytes) -> Record:
    record = _complete(line)
    if record is None:
        raise ValueError(f"{path}, line {number}: not a record of an experiment; remove the line or restore the file")
    return record


def _complete(line: bytes) -> Record | None:
    """The record in a line, or ``None`` when there is no whole one."""
    try:
        record = json.loads(line)
    except ValueError:
        return None
    return record if _is_record(record) else None


def _is_record(content: Any) -> bool:
    if not isinstance(content, dict) or not content.keys() >= _FIELDS or not isinstance(content["seed"], int):
        return False
    return content["status"] != "ok" or content.keys() >= _MEASURED


def _repair(file: Any) -> None:
    """Put an end to a last line that has none: a whole record gets its newline, a torn one goes."""
    size = file.seek(0, os.SEEK_END)
    if not size:
        return
    file.seek(size - 1)
    if file.read(1) == b"\n":
        return
    file.seek(0)
    kept, _, last = file.read().rpartition(b"\n")
    if _complete(last) is not None:
        file.write(b"\n")
    else:
        file.truncate(len(kept) + 1 if kept else 0)


@contextlib.contextmanager
def _locked(file: Any) -> Iterator[None]:
    """Keep other processes from the file, where the system can."""
    try:
        import fcntl
    except ImportError:  # not on Windows
        yield
        return
    fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)
