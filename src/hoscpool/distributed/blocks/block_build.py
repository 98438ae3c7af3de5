"""Build a folder of blocks from edges of any number."""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.distributed.blocks.block_content import DEGREE, NUMBERS, ORDER, TEXTS, block_file
from hoscpool.distributed.blocks.block_folder import (
    BlockGraph,
    checksum,
    open_blocks,
    write_manifest,
)
from hoscpool.distributed.blocks.edge_spill import EdgeSpill, present
from hoscpool.distributed.blocks.node_ids import places_in
from hoscpool.distributed.blocks.range_plan import FINE, INTERPRETER, Shape, plan_ranges
from hoscpool.graph import EdgeStream, GraphStream, Notes, as_graph, count_of, stream_file
from hoscpool.support.errors import MemoryEstimateError
from hoscpool.support.files import naming, remove_leftovers, temporary_name
from hoscpool.support.machine import bytes_text, parse_bytes
from hoscpool.support.progress import Progress

NODE_BYTES = 32
"""Bytes of a node during the build: its id, its degree, its rank, and scratch memory."""
NAME_BYTES = 120
"""Bytes of a node's name during the build."""
TABLE_SHARE = 8
"""A table by id may take one part in so many of the memory."""

Ends = npt.NDArray[np.integer]


def build_blocks(
    source: Any, folder: str | Path, memory: str | int = "2 GB", *, num_ranges: int | None = None
) -> BlockGraph:
    """Write a graph as a folder of blocks, on which motifs are counted with little memory.

    Large edge lists (``.csv``, ``.tsv``, ``.txt``, also ``.gz``), Parquet files and ``.npz`` files are read piece by
    piece. Directions and weights are ignored; edges of weight 0 and self-loops are dropped, and repeated edges are
    merged. The notes of the result count them. Nodes are numbered as `hoscpool.as_graph` numbers them.

    The folder appears when it is complete, and not before.

    Args:
        source: A file, or anything that `as_graph` takes.
        folder: The folder to write. It must not exist.
        memory: What the build, and later a worker that counts, may take: bytes, or text such as ``"2 GB"``. It sets the
            number of ranges. The build also keeps 32 bytes a node, and the names of nodes that have some.
        num_ranges: Cut the nodes into so many ranges, whatever the memory.

    Returns:
        The graph in the folder.

    Raises:
        FileExistsError: There is something at the folder's path.
        MemoryEstimateError: The memory is too small for this graph.
        ValueError: The source is not a graph, or an argument is out of range.

    Examples:
        >>> import tempfile
        >>> import networkx as nx
        >>> with tempfile.TemporaryDirectory() as place:
        ...     build_blocks(nx.karate_club_graph(), place + "/karate", num_ranges=2)
        BlockGraph(34 nodes, 78 edges, 2 ranges)
    """
    allowed = memory_bytes(memory)
    if num_ranges is not None and not 1 <= num_ranges <= FINE:
        raise ValueError(f"num_ranges: expected 1 to {FINE}, got {num_ranges}")
    target = Path(folder)
    with _new_folder(target) as unfinished:
        _Build(unfinished, allowed, num_ranges).run(open_source(source))
    return open_blocks(target)


def memory_bytes(memory: str | int) -> int:
    """An amount of memory in bytes.

    Raises:
        ValueError: It is no size, or less than any worker takes.
    """
    size = parse_bytes("memory", memory) if isinstance(memory, str) else int(memory)
    if size <= INTERPRETER:
        raise ValueError(
            f"memory: expected more than {bytes_text(INTERPRETER)}, which Python and its libraries take, "
            f"got {bytes_text(size)}; allow 500 MB or more"
        )
    return size


def open_source(source: Any) -> EdgeStream:
    """The edges of a file or of a graph in memory. Directions are dropped."""
    stream = stream_file(source)
    return GraphStream(as_graph(source).undirected()) if stream is None else stream


@contextmanager
def _new_folder(target: Path) -> Iterator[Path]:
    """A hidden folder that becomes ``target`` when the block ends, and disappears if the block raises."""
    if target.exists():
        raise FileExistsError(f"{target}: is there already; remove it, or give the name of a new folder")
    if not target.absolute().parent.is_dir():
        raise FileNotFoundError(f"{target}: the folder {target.absolute().parent} does not exist; create it first")
    remove_leftovers(target.absolute().parent, target.name)
    unfinished = target.with_name(temporary_name(target.name))
    unfinished.mkdir()
    try:
        with naming(target):
            yield unfinished
        unfinished.rename(target)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise


class _Build:
    """One build, in four passes: read the edges, count degrees, count blocks, write blocks."""

    def __init__(self, folder: Path, memory: int, num_ranges: int | None) -> None:
        self._folder, self._memory, self._num_ranges = folder, memory, num_ranges
        self._files: dict[str, tuple[int, int]] = {}
        self._names: str | None = None

    def run(self, source: EdgeStream) -> None:
        """Write all files."""
        limit = self._memory // TABLE_SHARE
        spill = EdgeSpill(self._folder / "edges", limit)
        spill.take_all(source)
        ids = spill.ids.sorted()
        numbering = source.number(ids)
        self._require_nodes(numbering.num_nodes, numbering.names)
        rows, cols, zeros = present(numbering.more, source.path)
        nodes, place = numbering.nodes, places_in(ids, limit)
        is_plain = np.array_equal(nodes, np.arange(len(nodes)))

        def edges(values: Ends | None, words: str) -> Iterator[tuple[Ends, Ends]]:
            """All edges, by node or by a value of the nodes."""
            with Progress(words, spill.num_edges + len(rows)) as progress:
                for u, v in _with(spill, (rows, cols), lambda some: place(some) if is_plain else nodes[place(some)]):
                    yield (u, v) if values is None else (values[u], values[v])
                    progress.advance(len(u))

        degree, loops = _degrees(edges(None, "counting degrees"), numbering.num_nodes)
        order = np.argsort(degree, kind="stable")
        rank: Ends = np.empty(len(order), np.int32 if len(order) < 2**31 else np.int64)
        rank[order] = np.arange(len(order), dtype=rank.dtype)
        self._save(ORDER, order.astype("<i8", copy=False))
        fine = _fine_ranges(degree[order], edges(rank, "counting blocks"))
        del order, degree
        raw = plan_ranges(fine, self._memory, self._num_ranges)
        self._scatter(raw, edges(rank, "sorting edges"))
        del rank
        (self._folder / "edges").unlink()
        shape, widths, key = self._finish(raw)
        notes = _notes(numbering.notes, loops, spill.zeros + zeros, int(raw.edges.sum() - shape.edges.sum()), source)
        self._save_names(numbering.names)
        write_manifest(
            self._folder,
            BlockGraph(
                self._folder, numbering.num_nodes, int(shape.edges.sum()), shape, widths, notes, key, self._names,
                self._files,
            ),
        )  # fmt: skip

    def _require_nodes(self, num_nodes: int, names: list[Any] | None) -> None:
        needed = INTERPRETER + num_nodes * (NODE_BYTES + (NAME_BYTES if names and isinstance(names[0], str) else 0))
        if needed > self._memory:
            what = f"memory: the build of blocks of {num_nodes:,} nodes"
            raise MemoryEstimateError(
                what, needed, self._memory, f"allow memory={bytes_text(1.1 * needed)!r} (--memory)"
            )

    def _save(self, name: str, array: npt.NDArray[Any]) -> None:
        np.save(self._folder / name, array, allow_pickle=False)
        self._note_file(name)

    def _note_file(self, name: str) -> None:
        path = self._folder / name
        self._files[name] = (path.stat().st_size, checksum(path))

    def _save_names(self, names: list[Any] | None) -> None:
        if names is None:
            return
        if all(type(name) is int for name in names):
            self._names = NUMBERS
            self._save(self._names, np.array(names, "<i8"))
            return
        self._names = TEXTS
        plain = [name if isinstance(name, str | int | float) else str(name) for name in names]
        (self._folder / self._names).write_text(json.dumps(plain), encoding="ascii")  # UTF-8 has no half characters
        self._note_file(self._names)

    def _scatter(self, shape: Shape, edges: Iterable[tuple[Ends, Ends]]) -> None:
        """Write the edges in the order of blocks, unsorted within each."""
        from hoscpool.distributed.blocks.kernels.block_scatter import count_cells, scatter

        p = shape.num_ranges
        part = np.repeat(np.arange(p, dtype=np.uint8), shape.nodes)
        number = np.arange(p * p).reshape(p, p)
        ends = np.cumsum(shape.edges.ravel()) - shape.edges.ravel()
        with (self._folder / "sorted").open("wb") as file:
            for u, v in edges:
                cells = np.zeros((p, p), np.int64)
                count_cells(u, v, part, cells)
                stop = np.cumsum(cells.ravel())
                cursor, keys = stop - cells.ravel(), np.empty(int(stop[-1]), np.int64)
                scatter(u, v, part, shape.cuts, number, cursor, keys)
                for block in np.flatnonzero(cells):
                    file.seek(8 * int(ends[block]))
                    count = int(cells.ravel()[block])
                    file.write(keys[stop[block] - count : stop[block]].tobytes())
                    ends[block] += count

    def _finish(self, raw: Shape) -> tuple[Shape, npt.NDArray[np.int64], str]:
        """Sort every block, merge repeated edges, and write it. Returns the exact sizes, the widths and the key."""
        counts, widths = np.zeros_like(raw.edges), np.zeros_like(raw.edges)
        degree = np.zeros(int(raw.cuts[-1]), "<i8")
        with (self._folder / "sorted").open("rb") as file, Progress("writing blocks", int(raw.edges.sum())) as progress:
            for a in range(raw.num_ranges):
                for b in range(a, raw.num_ranges):
                    keys = np.frombuffer(bytearray(file.read(8 * int(raw.edges[a, b]))), np.int64)
                    indptr, indices = _compress(keys, int(raw.nodes[a]))
                    counts[a, b], widths[a, b] = len(indices), int(np.diff(indptr).max(initial=0))
                    degree[raw.cuts[a] : raw.cuts[a + 1]] += np.diff(indptr)
                    degree[raw.cuts[b] : raw.cuts[b + 1]] += np.bincount(indices, minlength=int(raw.nodes[b]))
                    self._save(block_file(a, b), np.concatenate([indptr, indices]).astype("<i4", copy=False))
                    progress.advance(int(raw.edges[a, b]))
        (self._folder / "sorted").unlink()
        self._save(DEGREE, degree)
        return Shape(raw.cuts, counts), widths, secrets.token_hex(8)


def _with(spill: EdgeSpill, more: tuple[Ends, Ends], of: Callable[[Ends], Ends]) -> Iterator[tuple[Ends, Ends]]:
    if len(more[0]):
        yield more
    for u, v in spill:
        yield of(u), of(v)


def _degrees(edges: Iterable[tuple[Ends, Ends]], num_nodes: int) -> tuple[npt.NDArray[np.int64], int]:
    """The number of edges at every node, with repetitions, and the number of self-loops."""
    from hoscpool.distributed.blocks.kernels.block_scatter import add_degrees

    degree, loops = np.zeros(num_nodes, np.int64), 0
    for u, v in edges:
        loops += int(add_degrees(u, v, degree))
    return degree, loops


def _fine_ranges(degree: npt.NDArray[np.int64], edges: Iterable[tuple[Ends, Ends]]) -> Shape:
    """Many ranges of about equal degree, and the number of edges between them, with repetitions.

    Args:
        degree: The degrees in the order of the ranks, ``[N]``.
        edges: The ranks of the ends of all edges.
    """
    from hoscpool.distributed.blocks.kernels.block_scatter import count_cells

    before = np.concatenate([[0], np.cumsum(degree)])
    marks = np.ceil(np.linspace(0, int(before[-1]), FINE + 1)).astype(np.int64)
    cuts = np.concatenate([[0], np.searchsorted(before, marks[1:-1]), [len(degree)]])
    part, cells = np.repeat(np.arange(FINE, dtype=np.uint8), np.diff(cuts)), np.zeros((FINE, FINE), np.int64)
    for u, v in edges:
        count_cells(u, v, part, cells)
    return Shape(cuts, cells)


def _compress(keys: npt.NDArray[np.int64], rows: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """The row pointers and indices of edges that are given as low·2³² + high. ``keys`` is sorted in place."""
    keys.sort()
    is_new = np.ones(len(keys), np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=is_new[1:])
    keys = keys[is_new]
    indptr = np.searchsorted(keys, np.arange(rows + 1, dtype=np.int64) << 32)
    return indptr.astype(np.int32), (keys & 0xFFFFFFFF).astype(np.int32)


def _notes(notes: Notes, loops: int, zeros: int, repeated: int, source: EdgeStream) -> tuple[str, ...]:
    """Say what was dropped and merged, with a warning."""
    for count, noun, what in ((loops, "self-loop", "dropped"), (zeros, "edge of weight 0", "dropped")):
        if count:
            noun = noun if count == 1 else noun.replace("loop", "loops").replace("edge ", "edges ")
            notes.warn(f"{count:,} {noun} {'was' if count == 1 else 'were'} {what}")
    if repeated and source.has_both_directions:
        notes.note("an edge that is given in both directions counts once")
    elif repeated:
        notes.warn(f"{count_of(repeated, 'repeated edge')} {'was' if repeated == 1 else 'were'} merged")
    notes.emit()
    return notes.texts
