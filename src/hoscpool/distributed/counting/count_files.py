"""Counts on the edges of blocks in files: those of one task, and the sums over all tasks."""

from __future__ import annotations

import json
import shutil
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.distributed.blocks import BlockGraph
from hoscpool.distributed.counting.count_kinds import CountKind, Task
from hoscpool.distributed.counting.part_structure import PairCounts
from hoscpool.graph import FileFormatError, map_array, read_arrays
from hoscpool.support.files import try_lock, whole_file

Counts = npt.NDArray[np.int64]
FOLDER, DONE = "counts", "counts.json"


@dataclass(frozen=True)
class CountFiles:
    """The files of one kind of count.

    Partial counts are in a hidden folder. When all are summed, the sums get their final folder in one step.

    Attributes:
        graph: The blocks.
        kind: What is counted.
        num_groups: Into how many groups the ranges are put together.
    """

    graph: BlockGraph
    kind: CountKind
    num_groups: int = 1

    @property
    def final(self) -> Path:
        """The folder of the sums."""
        return self.graph.folder / FOLDER / self.kind.name

    @property
    def unfinished(self) -> Path:
        """The folder of partial counts. Those of other blocks or groups have another name."""
        return self.graph.folder / FOLDER / f"{self._begun}{self.num_groups}"

    @property
    def _begun(self) -> str:
        return f".{self.kind.name}-{self.graph.key}-"

    def begun(self) -> list[int]:
        """The numbers of groups with which a count was begun."""
        found = (self.graph.folder / FOLDER).glob(f"{self._begun}*")
        return [int(number) for path in found if (number := path.name.removeprefix(self._begun)).isdigit()]

    @contextmanager
    def begin(self) -> Iterator[None]:
        """Make the folders, and hold them for this process inside the block.

        Raises:
            OSError: The folder cannot be written, or another process counts the same in it.
        """
        place = self.graph.folder / FOLDER
        try:
            (self.unfinished / "tasks").mkdir(parents=True, exist_ok=True)
            (self.unfinished / "sums").mkdir(exist_ok=True)
            lock = (place / f".{self.kind.name}.lock").open("a")
        except PermissionError:
            raise PermissionError(
                f"{place}: counts are written into the folder of the blocks, which cannot be written; copy the folder "
                "to a place of yours"
            ) from None
        with lock:
            if not try_lock(lock):
                raise BlockingIOError(
                    f"{self.graph.folder}: another process counts {self.kind.what} in this folder; wait for it, and "
                    "use its counts"
                )
            yield

    def is_complete(self) -> bool:
        """Whether the sums of these blocks are there.

        Raises:
            ValueError: A file of the sums is damaged.
        """
        if not (self.final / DONE).is_file():
            return False
        try:
            return bool(self._content()["key"] == self.graph.key)
        except (ValueError, KeyError, TypeError, RecursionError):
            raise self._damaged(self.final / DONE) from None

    def task_file(self, task: Task) -> Path:
        """The file of the counts of one task."""
        return self.unfinished / "tasks" / ("-".join(map(str, task)) + ".npz")

    def sum_file(self, pair: tuple[int, int]) -> Path:
        """The file of the sum of one block, before all are there."""
        return self.unfinished / "sums" / _name(pair)

    def write_task(self, task: Task, counts: PairCounts) -> None:
        """Write the counts of one task, completely or not at all."""
        arrays: dict[str, Any] = {}
        for (a, b), values in counts.items():
            small = narrow(values)
            if np.count_nonzero(small) * (4 + small.itemsize) < small.nbytes:
                places = np.flatnonzero(small)
                arrays[f"{a}-{b}-places"] = places.astype("<i4")
                small = small[places]
            arrays[f"{a}-{b}"] = small
        with whole_file(self.task_file(task)) as file:
            np.savez(file, **arrays)

    def add_task(self, task: Task, pair: tuple[int, int], total: Counts) -> None:
        """Add the counts of one task to the sum of a block.

        Raises:
            ValueError: The file is damaged.
        """
        path, name = self.task_file(task), f"{pair[0]}-{pair[1]}"
        places = f"{name}-places"
        try:
            arrays = read_arrays(path, {name, places})
            if any(array.dtype.kind not in "iu" for array in arrays.values()):
                raise ValueError("counts are whole numbers")
            total[arrays.get(places, slice(None))] += arrays[name].astype(np.int64)
        except (ValueError, KeyError, IndexError):
            path.unlink(missing_ok=True)
            raise FileFormatError(
                path, "was damaged and is removed; run the same again, which repeats this task"
            ) from None

    def write_sum(self, pair: tuple[int, int], total: Counts) -> None:
        """Write the sum of a block."""
        with whole_file(self.sum_file(pair)) as file:
            np.save(file, narrow(total), allow_pickle=False)

    def finish(self, record: Mapping[str, float]) -> None:
        """Give the sums their final place, and remove the partial counts.

        Args:
            record: Figures of the count, which stay with the sums.
        """
        sums = self.unfinished / "sums"
        content = {
            "key": self.graph.key,
            "record": dict(record),
            "files": {_name(pair): _checksum(sums / _name(pair)) for pair in self.graph.pairs},
        }
        (sums / DONE).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        if self.final.exists():
            shutil.rmtree(self.final)
        sums.rename(self.final)
        for path in (self.graph.folder / FOLDER).glob(f"{self._begun}*"):
            shutil.rmtree(path, ignore_errors=True)

    def record(self) -> dict[str, float]:
        """Figures of the finished count: groups, tasks, processor seconds and peak memory of a worker."""
        return dict(self._content()["record"])

    def _content(self) -> Any:
        return json.loads((self.final / DONE).read_text(encoding="utf-8"))

    def read(self, pair: tuple[int, int]) -> Counts:
        """The counts on the edges of a block.

        Raises:
            ValueError: The file is damaged.
        """
        path = self.final / _name(pair)
        try:
            counts = map_array(path)
            is_right = counts.dtype.kind in "iu" and counts.shape == (int(self.graph.shape.edges[pair]),)
            if not is_right or self._content()["files"][path.name] != _checksum(path):
                raise ValueError
            return counts.astype(np.int64)
        except (ValueError, KeyError, TypeError, RecursionError, FileNotFoundError):
            raise self._damaged(path) from None

    def _damaged(self, path: Path) -> FileFormatError:
        return FileFormatError(path, f"is damaged; remove the folder {self.final}, and count again")


def narrow(values: Counts) -> npt.NDArray[np.unsignedinteger]:
    """The same numbers, which are ≥ 0, in the smallest type.

    Examples:
        >>> narrow(np.array([0, 255])).itemsize, narrow(np.array([256])).itemsize
        (1, 2)
    """
    return values.astype(np.min_scalar_type(int(values.max(initial=0))).newbyteorder("<"))


def _name(pair: tuple[int, int]) -> str:
    return f"{pair[0]}-{pair[1]}.npy"


def _checksum(path: Path) -> int:
    return zlib.crc32(path.read_bytes())
