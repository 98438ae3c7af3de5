"""The folder of blocks: its files, its manifest, and the graph in it."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.distributed.blocks.block_content import (
    AGAIN,
    DEGREE,
    NUMBERS,
    ORDER,
    TEXTS,
    block_file,
    check_block,
    read_degrees,
    read_names,
    read_order,
    read_vector,
)
from hoscpool.distributed.blocks.range_plan import Shape
from hoscpool.graph import MAX_NODES, FileFormatError, count_of
from hoscpool.motifs import Motif
from hoscpool.support.progress import Progress

FORMAT, VERSION, MANIFEST = "hoscpool blocks", 1, "manifest.json"
CHUNK = 1 << 24
KEY = re.compile("[0-9a-f]{16}")


@dataclass(frozen=True)
class Block:
    """The edges from range a to range b as compressed sparse rows. Nodes are numbered from 0 in each range.

    Attributes:
        indptr: Row pointers, int32.
        indices: Higher ends, int32, ascending in every row.
    """

    indptr: npt.NDArray[np.int32]
    indices: npt.NDArray[np.int32]


@dataclass(frozen=True)
class BlockGraph:
    """An undirected graph in a folder of blocks. Only what a task needs is read into memory.

    Nodes are ordered by degree, and cut into ranges. Block (a, b) has the edges whose lower node is in range a and
    whose higher node is in range b.

    Attributes:
        folder: The folder.
        num_nodes: Number of nodes N.
        num_edges: Number of edges m.
        shape: Sizes of the ranges and blocks.
        widths: The largest number of neighbours that a node of range a has in range b, ``[p, p]``.
        notes: What was changed when the edges were read.
        key: A number that no other folder of blocks has.
    """

    folder: Path
    num_nodes: int
    num_edges: int
    shape: Shape
    widths: npt.NDArray[np.int64]
    notes: tuple[str, ...]
    key: str
    _names: str | None = field(repr=False)
    _files: dict[str, tuple[int, int]] = field(repr=False)
    _checked: set[tuple[int, int]] = field(default_factory=set, repr=False, compare=False)

    @property
    def num_ranges(self) -> int:
        """Number of ranges p. There are p·(p + 1)/2 blocks."""
        return self.shape.num_ranges

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The ranges (a, b) of all blocks."""
        return [(a, b) for a in range(self.num_ranges) for b in range(a, self.num_ranges)]

    @cached_property
    def order(self) -> npt.NDArray[np.int64]:
        """The node of every rank ``[N]``, memory-mapped."""
        return read_order(self.folder, self.num_nodes)

    @cached_property
    def degree(self) -> npt.NDArray[np.int64]:
        """The degree of the node of every rank ``[N]``, memory-mapped."""
        return read_degrees(self.folder, self.num_nodes, self.num_edges)

    @cached_property
    def names(self) -> Sequence[Any]:
        """The user's name of every node, or ``range(N)``."""
        return range(self.num_nodes) if self._names is None else read_names(self.folder, self._names, self.num_nodes)

    def block(self, a: int, b: int) -> Block:
        """The edges from range a to range b, memory-mapped. They are checked when they are first read.

        Raises:
            ValueError: The file does not hold edges between these ranges.
        """
        path, rows = self.folder / block_file(a, b), int(self.shape.nodes[a])
        flat = read_vector(path, "<i4", rows + 1 + int(self.shape.edges[a, b]))
        block = Block(flat[: rows + 1], flat[rows + 1 :])
        if (a, b) not in self._checked:
            check_block(path, block.indptr, block.indices, int(self.shape.nodes[b]), a == b)
            self._checked.add((a, b))
        return block

    def motif_adjacency(
        self, motif: str | Motif = "triangle", *, induced: bool = False, on_edges: bool = False, **options: Any
    ) -> Any:
        """The motif adjacency on the edges; see `hoscpool.motif_adjacency` and `count_on_blocks`."""
        from hoscpool.distributed.counting import count_on_blocks

        return count_on_blocks(self, motif, induced=induced, on_edges=on_edges, **options)

    def verify(self) -> None:
        """Compare the content of every file with its checksum.

        Raises:
            ValueError: A file was altered.
        """
        total = sum(size for size, _ in self._files.values())
        with Progress("checking the blocks", total) as progress:
            for name, (size, expected) in self._files.items():
                if checksum(self.folder / name) != expected:
                    raise FileFormatError(self.folder / name, f"was altered since it was built; {AGAIN}")
                progress.advance(size)

    def __repr__(self) -> str:
        ranges = count_of(self.num_ranges, "range")
        return f"BlockGraph({self.num_nodes:,} nodes, {self.num_edges:,} edges, {ranges})"


def checksum(path: Path) -> int:
    """The CRC-32 of a file."""
    value = 0
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            value = zlib.crc32(chunk, value)
    return value


def write_manifest(folder: Path, graph: BlockGraph) -> None:
    """Write what the folder holds. The files are there already."""
    content = {
        "format": FORMAT,
        "version": VERSION,
        "key": graph.key,
        "num_nodes": graph.num_nodes,
        "num_edges": graph.num_edges,
        "cuts": graph.shape.cuts.tolist(),
        "edges": graph.shape.edges.tolist(),
        "widths": graph.widths.tolist(),
        "names": graph._names,
        "notes": graph.notes,
        "files": {name: list(entry) for name, entry in graph._files.items()},
    }
    (folder / MANIFEST).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def is_blocks(folder: Any) -> bool:
    """Whether this is the path of a folder of blocks, of any version."""
    try:
        return Path(folder).is_dir() and (Path(folder) / MANIFEST).is_file()
    except TypeError:
        return False


def open_blocks(folder: str | Path) -> BlockGraph:
    """The graph in a folder of blocks.

    Raises:
        FileNotFoundError: There is no such folder.
        ValueError: It is no whole folder of blocks of this version, or a file has another size than when it was built.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder}: no such folder of blocks (looked in {folder.absolute().parent})")
    if not (folder / MANIFEST).is_file():
        raise FileFormatError(folder, f"is no folder of blocks, or its build did not finish; {AGAIN}")
    content = _manifest_of(folder)
    if content["format"] != FORMAT:
        raise FileFormatError(folder / MANIFEST, f"is not the manifest of a folder of blocks; {AGAIN}")
    if content["version"] != VERSION:
        raise FileFormatError(
            folder,
            f"was built by another version of HoscPool (format {content['version']!r}, expected {VERSION}); {AGAIN}",
        )
    try:
        graph = _graph_of(folder, content)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
        raise FileFormatError(folder / MANIFEST, f"is damaged; {AGAIN}") from None
    _check_sizes(graph)
    return graph


def _manifest_of(folder: Path) -> dict[str, Any]:
    try:
        content = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        content["format"], content["version"]
    except (ValueError, KeyError, TypeError, IndexError, RecursionError):
        raise FileFormatError(folder / MANIFEST, f"is damaged; {AGAIN}") from None
    return dict(content)


def _graph_of(folder: Path, content: dict[str, Any]) -> BlockGraph:
    shape = Shape(np.array(content["cuts"], np.int64), np.array(content["edges"], np.int64))
    widths, p = np.array(content["widths"], np.int64), shape.num_ranges
    nodes, edges = int(content["num_nodes"]), int(content["num_edges"])
    if not (shape.edges.shape == widths.shape == (p, p) and shape.cuts[-1] == nodes and shape.edges.sum() == edges):
        raise ValueError("the sizes do not fit each other")
    is_range = p > 0 and shape.cuts[0] == 0 and nodes <= MAX_NODES and (shape.nodes >= 0).all()
    if not is_range or (shape.edges < 0).any() or np.tril(shape.edges, -1).any() or (widths < 0).any():
        raise ValueError("the ranges are not possible")
    if content["names"] not in (None, NUMBERS, TEXTS) or not KEY.fullmatch(content["key"]):
        raise ValueError("names are in another file, or the key, which is part of file names, is not ours")
    files = {str(name): (int(size), int(check)) for name, (size, check) in content["files"].items()}
    notes = tuple(str(note) for note in content["notes"])
    return BlockGraph(folder, nodes, edges, shape, widths, notes, content["key"], content["names"], files)


def _check_sizes(graph: BlockGraph) -> None:
    named = set() if graph._names is None else {graph._names}
    expected = {ORDER, DEGREE, *(block_file(a, b) for a, b in graph.pairs), *named}
    claimed = {ORDER: 8 * graph.num_nodes, DEGREE: 8 * graph.num_nodes}
    claimed |= {block_file(a, b): 4 * int(graph.shape.edges[a, b]) for a, b in graph.pairs}
    for name in sorted(expected - graph._files.keys()):
        raise FileFormatError(graph.folder / MANIFEST, f"does not list {name}; {AGAIN}")
    for name in sorted(graph._files.keys() - expected):
        raise FileFormatError(
            graph.folder / MANIFEST, f"lists {name!r}, which is no part of a graph in blocks; {AGAIN}"
        )
    for name, (size, _) in graph._files.items():
        path = graph.folder / name
        found = path.stat().st_size if path.is_file() else None
        if found != size:
            got = "is not there" if found is None else f"has {found:,} bytes, expected {size:,}"
            raise FileFormatError(path, f"{got}: the folder was altered or not copied as a whole; {AGAIN}")
        if size < claimed.get(name, 0):
            raise FileFormatError(graph.folder / MANIFEST, f"claims more than {name} can hold; {AGAIN}")
