"""Records on disk: one file per experiment, one JSON line per finished cell, appended and synced.

Tables and pages trust what they read from a store, so every record is checked.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import threading
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from hoscpool.experiments.running.cell import Key, record_key

Record = dict[str, Any]


class Store:
    """A folder of records, with one file ``<experiment>.jsonl`` per experiment.

    A run that is killed leaves complete lines and at most one incomplete line at the end. Reading skips that line, and
    the next append removes it. Two runs may append to one file: each line is one write under a lock.

    Args:
        folder: The folder; the first append makes it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, experiment: str) -> Path:
        """The file of an experiment."""
        return self.folder / f"{experiment}.jsonl"

    def records(self, experiment: str) -> list[Record]:
        """All records of an experiment in the order of the file; none without a file.

        Raises:
            ValueError: A line is not a record, and it is not an incomplete last line.
        """
        path = self.path(experiment)
        if not path.exists():
            return []
        *whole, last = path.read_bytes().split(b"\n")
        records = [_parse(path, number, line) for number, line in enumerate(whole, 1)]
        return records if (rest := _complete(last)) is None else [*records, rest]

    def latest(self, experiment: str) -> dict[Key, Record]:
        """The last record of every cell. A later record replaces an earlier one, success or failure."""
        return {record_key(record): record for record in self.records(experiment)}

    def append(self, record: Mapping[str, Any], known: Recorded | None = None) -> None:
        """Append a record and sync it to disk.

        Args:
            record: The record.
            known: The cells that have a record. If another run has recorded this one, nothing is appended.
        """
        path = self.path(str(record["experiment"]))
        line = json.dumps(record, ensure_ascii=False, allow_nan=False).encode() + b"\n"
        self.folder.mkdir(parents=True, exist_ok=True)
        with path.open("a+b") as file, _locked(file):
            _repair(file)
            if known is None or not known.has(record_key(record)):
                file.write(line)
                file.flush()
                os.fsync(file.fileno())


class Recorded:
    """The cells that have a record: those that succeeded before, and all that are recorded from now on.

    Another run may record cells in the same store. Each look reads only what was appended since the last one.
    """

    def __init__(self, store: Store, experiments: Iterable[str]) -> None:
        self._store, self._turn = store, threading.Lock()  # joblib asks for cells in other threads
        self._read = dict.fromkeys(experiments, 0)
        self._keys: set[Key] = set()
        for experiment in self._read:
            self._look(experiment, ("ok",))

    def has(self, key: Key) -> bool:
        """Whether a cell has a record by now."""
        with self._turn:
            self._look(key[0], ("ok", "failed"))
            return key in self._keys

    def _look(self, experiment: str, statuses: tuple[str, ...]) -> None:
        path, begin = self._store.path(experiment), self._read.get(experiment, 0)
        if not path.exists() or path.stat().st_size <= begin:
            return
        with path.open("rb") as file:
            file.seek(begin)
            whole, end, _ = file.read().rpartition(b"\n")
        found = [record for line in whole.split(b"\n") if (record := _complete(line)) is not None]
        self._keys |= {record_key(record) for record in found if record["status"] in statuses}
        self._read[experiment] = begin + len(whole) + len(end)


def _parse(path: Path, number: int, line: bytes) -> Record:
    record, problem = _read(line)
    if record is None:
        raise ValueError(
            f"{path}, line {number}: not a record of an experiment ({problem}); remove the line or restore the file"
        )
    return record


def _complete(line: bytes) -> Record | None:
    """The record in a line, or ``None`` if it is not complete."""
    return _read(line)[0]


def _read(line: bytes) -> tuple[Record | None, str | None]:
    """The record in a line, or what is wrong with it."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        return None, f"no JSON: {error}"
    problem = problem_of(record)
    return (record, None) if problem is None else (None, problem)


def _repair(file: Any) -> None:
    """Repair a last line without a newline: a complete record gets one, an incomplete record is removed."""
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
    """Lock the file against other processes, if the system can."""
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


_TEXTS = ("experiment", "dataset", "method", "hash", "status")
_MACHINE = ("processor", "cores", "memory", "system")


def problem_of(record: Any) -> str | None:
    """What is wrong with a record, or ``None``.

    Examples:
        >>> problem_of({"experiment": "clustering"})
        'dataset: expected text, got nothing'
    """
    if not isinstance(record, dict):
        return f"expected names and values, got {type(record).__name__}"
    for name in _TEXTS:
        if not isinstance(record.get(name), str):
            return f"{name}: expected text, got {_shown(record.get(name))}"
    if type(record.get("seed")) is not int:
        return f"seed: expected a whole number, got {_shown(record.get('seed'))}"
    if not isinstance(record.get("settings", {}), dict):
        return f"settings: expected names and values, got {_shown(record['settings'])}"
    return _problem_of_measured(record) if record["status"] == "ok" else _problem_of_failed(record)


def _problem_of_failed(record: Mapping[str, Any]) -> str | None:
    wrong = not isinstance(record.get("error", ""), str)
    return f"error: expected text, got {_shown(record['error'])}" if wrong else None


def _problem_of_measured(record: Mapping[str, Any]) -> str | None:
    for name, each, kind in (
        ("metrics", is_finite, "numbers"),
        ("seconds", is_finite, "numbers"),
        ("machine", _is_text, "texts"),
        ("versions", _is_text, "texts"),
    ):
        part = record.get(name)
        if not isinstance(part, dict) or not all(map(each, part.values())):
            return f"{name}: expected {kind} by name, got {_shown(part)}"
    missing = {"wall", "cpu"} - record["seconds"].keys() | set(_MACHINE) - record["machine"].keys()
    if missing:
        return f"expected {', '.join(sorted(missing))} among seconds and machine"
    if record["metrics"].get("n_clusters", 1) < 1:
        return f"n_clusters: expected at least 1, got {record['metrics']['n_clusters']}"
    if not isinstance(record.get("finished"), str):
        return f"finished: expected a date, got {_shown(record.get('finished'))}"
    return None if "curve" not in record else _problem_of_curve(record["curve"], record.get("settings", {}))


def _problem_of_curve(curve: Any, settings: Mapping[str, Any]) -> str | None:
    lists = isinstance(curve, dict) and all(isinstance(part, list) for part in curve.values())
    if not lists or not {"epoch", "orthogonality"} <= curve.keys() or not {"cut", "objective"} & curve.keys():
        return "curve: expected lists with the names epoch, orthogonality, and cut or objective"
    if len({len(part) for part in curve.values()}) > 1 or not all(
        is_finite(v) for part in curve.values() for v in part
    ):
        return "curve: expected lists of numbers, all of one length"
    return None if "cut" in curve or is_finite(settings.get("mu")) else "settings: expected mu, a number"


def is_finite(value: Any) -> bool:
    """Whether a value is a number that is neither infinite nor NaN."""
    return type(value) in (int, float) and -1e300 < value < 1e300 and math.isfinite(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _shown(value: Any) -> str:
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
