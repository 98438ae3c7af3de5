"""Edges of a source on disk, as they come, with the ids of their ends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from hoscpool.distributed.blocks.node_ids import IdSet
from hoscpool.graph import EdgeStream, Part

Ends = npt.NDArray[np.integer]


class EdgeSpill:
    """A file of edges. Ids that need no more take four bytes.

    Attributes:
        ids: All ids.
        num_edges: Number of edges.
        zeros: Number of edges that were left out because their weight is 0.
    """

    def __init__(self, path: Path, limit: int) -> None:
        self._path, self._limit = path, limit
        self._clear()

    def _clear(self) -> None:
        self._path.write_bytes(b"")
        self._pieces: list[tuple[int, np.dtype[np.integer]]] = []
        self.ids, self.num_edges, self.zeros = IdSet(self._limit), 0, 0

    def take_all(self, source: EdgeStream) -> None:
        """Write all edges of a source.

        Raises:
            ValueError: A weight is negative or not finite.
        """
        for part in source.parts():
            if part is None:
                self._clear()
            else:
                self._add(part, source.path)

    def _add(self, part: Part, path: Path | None) -> None:
        self.ids.add(part.rows)
        self.ids.add(part.cols)
        rows, cols, zeros = present(part, path)
        self.zeros += zeros
        if not len(rows):
            return
        ends = np.stack([rows, cols])
        narrow = int(ends.min()) >= 0 and int(ends.max()) < 2**32
        ends = ends.astype("<u4" if narrow else "<i8", copy=False)
        with self._path.open("ab") as file:
            file.write(ends.tobytes())
        self._pieces.append((len(rows), ends.dtype))
        self.num_edges += len(rows)

    def __iter__(self) -> Iterator[tuple[Ends, Ends]]:
        """Both ends of some edges after the other."""
        with self._path.open("rb") as file:
            for count, dtype in self._pieces:
                ends = np.frombuffer(file.read(2 * count * dtype.itemsize), dtype).astype(np.int64).reshape(2, count)
                yield ends[0], ends[1]


def present(part: Part, path: Path | None) -> tuple[Ends, Ends, int]:
    """The ends of the edges of a part whose weight is not 0, and how many others there are.

    Args:
        part: Some edges.
        path: The file that they are from, if it is one.

    Raises:
        ValueError: A weight is negative or not finite.
    """
    if part.weights is None:
        return part.rows, part.cols, 0
    if not (np.isfinite(part.weights) & (part.weights >= 0)).all():
        place = "" if path is None else f"{path}: "
        raise ValueError(f"{place}weights: expected finite numbers ≥ 0; motifs need positive weights")
    kept = part.weights != 0
    return part.rows[kept], part.cols[kept], len(kept) - int(np.count_nonzero(kept))
