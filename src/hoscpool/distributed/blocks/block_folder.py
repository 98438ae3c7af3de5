"""The folder of blocks: its files, its manifest, and the graph in it."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.distributed.blocks.range_plan import Shape
from hoscpool.graph import FileFormatError, count_of
from hoscpool.motifs import Motif
from hoscpool.support.progress import Progress

FORMAT, VERSION, MANIFEST = "hoscpool blocks", 1, "manifest.json"
AGAIN = "build the blocks again with hp.distributed.build_blocks or hoscpool blocks"
CHUNK = 1 << 24

Ints = npt.NDArray[np.integer]


def block_file(a: int, b: int) -> str:
    """The file of the edges from range a to range b."""
    return f"block-{a}-{b}.npy"


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
        return np.asarray(self._array("order.npy"))

    @cached_property
    def degree(self) -> npt.NDArray[np.int64]:
        """The degree of the node of every rank ``[N]``, memory-mapped."""
        return np.asarray(self._array("degree.npy"))

    @cached_property
    def names(self) -> Sequence[Any]:
        """The user's name of every node, or ``range(N)``."""
        if self._names is None:
            return range(self.num_nodes)
        if self._names == "names.npy":
            return self._array("names.npy").tolist()  # type: ignore[no-any-return]
        return json.loads((self.folder / self._names).read_text(encoding="utf-8"))  # type: ignore[no-any-return]

    def block(self, a: int, b: int) -> Block:
        """The edges from range a to range b, memory-mapped."""
        flat, rows = self._array(block_file(a, b)), int(self.shape.nodes[a]) + 1
        return Block(flat[:rows], flat[rows:])

    def _array(self, name: str) -> Any:
        return np.load(self.folder / name, mmap_mode="r", allow_pickle=False)

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
    try:
        content = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        kind, version = content["format"], content["version"]
    except (ValueError, KeyError, TypeError):
        raise FileFormatError(folder / MANIFEST, f"is damaged; {AGAIN}") from None
    if kind != FORMAT:
        raise FileFormatError(folder / MANIFEST, f"is not the manifest of a folder of blocks; {AGAIN}")
    if version != VERSION:
        raise FileFormatError(
            folder, f"was built by another version of HoscPool (format {version!r}, expected {VERSION}); {AGAIN}"
        )
    try:
        graph = _graph_of(folder, content)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise FileFormatError(folder / MANIFEST, f"is damaged; {AGAIN}") from None
    _check_sizes(graph)
    return graph


def _graph_of(folder: Path, content: dict[str, Any]) -> BlockGraph:
    shape = Shape(np.array(content["cuts"], np.int64), np.array(content["edges"], np.int64))
    widths, p = np.array(content["widths"], np.int64), shape.num_ranges
    nodes, edges = int(content["num_nodes"]), int(content["num_edges"])
    if not (shape.edges.shape == widths.shape == (p, p) and shape.cuts[-1] == nodes and shape.edges.sum() == edges):
        raise ValueError("the sizes do not fit each other")
    files = {str(name): (int(size), int(check)) for name, (size, check) in content["files"].items()}
    return BlockGraph(
        folder, nodes, edges, shape, widths, tuple(content["notes"]), str(content["key"]), content["names"], files
    )


def _check_sizes(graph: BlockGraph) -> None:
    for name in {"order.npy", "degree.npy", *(block_file(a, b) for a, b in graph.pairs)} - graph._files.keys():
        raise FileFormatError(graph.folder / MANIFEST, f"does not list {name}; {AGAIN}")
    for name, (size, _) in graph._files.items():
        path = graph.folder / name
        found = path.stat().st_size if path.is_file() else None
        if found != size:
            got = "is not there" if found is None else f"has {found:,} bytes, expected {size:,}"
            raise FileFormatError(path, f"{got}: the folder was altered or not copied as a whole; {AGAIN}")
