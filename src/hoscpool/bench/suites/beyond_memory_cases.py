"""The counting cases of ``bench scale --distributed``: triangles on blocks by two processes, beside those in memory."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from hoscpool.bench.graphs.streamed import edge_parts, write_edges
from hoscpool.bench.harness.cases import Case, Contender, Target, difference
from hoscpool.distributed import BlockGraph, build_blocks, count_record, open_blocks
from hoscpool.graph import Graph, as_graph
from hoscpool.support.machine import PeakMemory

SIZES = {"100k": 100_000, "1m": 1_000_000, "10m": 10_000_000, "62m": 62_000_000, "250m": 250_000_000}
IN_MEMORY_UP_TO = 62_000_000
"""Beyond this the graph is not counted in memory."""
COMPILED_FIRST_UP_TO = 10_000_000
"""For larger graphs the seconds of compiling do not matter."""
MEMORY = {"250m": "2GB"}
USUAL_MEMORY = "1GB"
"""What a worker may take."""
WORKERS = 2
SLOWEST = Target(ratio=0.25)
"""Counting in memory should be at most four times as fast."""
LONG, ONE_RUN = 7200.0, 1.0
"""Seconds for the runs of a contender. The largest graph is built and counted once."""
_MIX = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class EdgeFile:
    """A graph in a Parquet file, and the folder for its blocks.

    Attributes:
        path: The file.
        blocks: The folder.
        memory: What a worker may take.
    """

    path: Path
    blocks: Path
    memory: str


@lru_cache(maxsize=1)
def _scratch() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="hoscpool-bench-")


@lru_cache(maxsize=1)
def write_graph(size: str, place: Path | None = None) -> EdgeFile:
    """Generate the graph on disk.

    Args:
        size: Its size.
        place: The files stay in this folder, and a graph that is there is not generated again. ``None``: they go away
            with this process, and those of the size before are removed.
    """
    folder = (Path(_scratch().name) if place is None else place) / size
    for other in Path(_scratch().name).iterdir() if place is None else ():
        shutil.rmtree(other)
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "graph.parquet").is_file():
        write_edges(folder / "graph.parquet", edge_parts(SIZES[size]))
    return EdgeFile(folder / "graph.parquet", folder / "blocks", MEMORY.get(size, USUAL_MEMORY))


def build(source: EdgeFile) -> tuple[BlockGraph, float]:
    """Build the blocks anew, and measure the memory beyond that of the process."""
    shutil.rmtree(source.blocks, ignore_errors=True)
    with PeakMemory() as peak:
        blocks = build_blocks(source.path, source.blocks, source.memory)
    return blocks, peak.n_bytes


def size_of(_: EdgeFile, result: tuple[BlockGraph, float]) -> list[float]:
    """Nodes, edges, ranges, and the memory in bytes."""
    blocks, peak = result
    return [blocks.num_nodes, blocks.num_edges, blocks.num_ranges, peak]


def blocks_of(source: EdgeFile) -> EdgeFile:
    """Build the blocks, if they are not there."""
    if not source.blocks.is_dir():
        build_blocks(source.path, source.blocks, source.memory)
    return source


CALL = """
import sys, hoscpool as hp
blocks = hp.distributed.open_blocks(sys.argv[1])
hp.motif_adjacency(blocks, "triangle", memory=sys.argv[2], n_threads=int(sys.argv[3]))
"""


def count_on_blocks(source: EdgeFile) -> None:
    """Count in a new process, which starts processes of its own. The start of Python counts too."""
    shutil.rmtree(source.blocks / "counts", ignore_errors=True)
    command = [sys.executable, "-c", CALL, str(source.blocks), source.memory, str(WORKERS)]
    found = subprocess.run(command, check=False, capture_output=True, text=True)
    if found.returncode:
        raise RuntimeError(found.stderr.strip().splitlines()[-1])


def answer_of_blocks(source: EdgeFile, _: Any) -> list[float]:
    """The fingerprint of the counts, and the largest resident memory of a worker in megabytes."""
    blocks, total = open_blocks(source.blocks), np.zeros(3, np.uint64)
    for part in blocks.motif_adjacency("triangle"):
        total += fingerprint(part.rows, part.cols, part.counts)
    return [*_as_floats(total), count_record(blocks, "t")["memory"] / 1e6]


def read(source: EdgeFile) -> Graph:
    """The graph in memory."""
    return as_graph(source.path)


def count_in_memory(graph: Graph) -> Any:
    """The triangle adjacency by as many threads."""
    from hoscpool.motifs import motif_adjacency

    return motif_adjacency(graph, "triangle", n_threads=WORKERS)


def answer_of_matrix(_: EdgeFile, matrix: Any) -> list[float]:
    """The fingerprint of the counts."""
    total = np.zeros(3, np.uint64)
    for start in range(0, matrix.shape[0], 1 << 16):
        part = matrix[start : start + (1 << 16)].tocoo()
        upper = part.row + start < part.col
        total += fingerprint(part.row[upper].astype(np.int64) + start, part.col[upper], part.data[upper])
    return [*_as_floats(total), 0.0]


def fingerprint(rows: Any, cols: Any, counts: Any) -> Any:
    """Number, sum and hash of the counts on some edges. Those of all edges add up, in any order."""
    low, high = np.minimum(rows, cols).astype(np.uint64), np.maximum(rows, cols).astype(np.uint64)
    with np.errstate(over="ignore"):
        mixed = (low * _MIX + high) * _MIX
        mixed = (mixed ^ (mixed >> np.uint64(29))) * counts.astype(np.uint64)
        return np.array([len(counts), counts.sum(), mixed.sum(dtype=np.uint64)], np.uint64)


def _as_floats(total: Any) -> list[float]:
    return [float(number % 2**52) for number in total.tolist()]


def same_counts(ours: list[float], theirs: list[float]) -> str | None:
    """How the fingerprints differ."""
    return difference(ours[:3], theirs[:3])


def memory_of_worker(_: EdgeFile, answer: list[float]) -> dict[str, float]:
    """The column of the table, empty where there are no workers."""
    return {"MB of a worker": answer[3]} if answer[3] else {}


def facts_of(source: EdgeFile) -> dict[str, int]:
    """The size of the file."""
    import pyarrow.parquet as pq

    return {"rows": int(pq.read_metadata(source.path).num_rows)}


def ranges_and_memory(_: EdgeFile, answer: list[float]) -> dict[str, float]:
    """The columns of the table."""
    return {"ranges": answer[2], "MB beyond the process": answer[3] / 1e6}


def building_case(size: str, place: Path | None = None) -> Case:
    """Blocks from a file."""
    is_small = SIZES[size] <= COMPILED_FIRST_UP_TO
    ours = Contender("HoscPool", build, answer=size_of, module="pyarrow", package="hoscpool", compiles=is_small)
    return _case("build blocks", size, place, (ours,), judge=ranges_and_memory)


def counting_case(size: str, place: Path | None = None) -> Case:
    """Triangles on blocks beside triangles in memory."""
    both = Contender("", count_on_blocks, blocks_of, answer_of_blocks, "pyarrow", "hoscpool", threads=WORKERS)
    remark = "its memory is that of the process that waits; the last column is that of a worker"
    on_blocks = replace(both, name=f"blocks, {WORKERS} processes", remark=remark)
    in_memory = replace(
        both,
        name=f"in memory, {WORKERS} threads",
        run=count_in_memory,
        prepare=read,
        answer=answer_of_matrix,
        compiles=True,
        target=SLOWEST,
    )
    contenders = (on_blocks, in_memory) if SIZES[size] <= IN_MEMORY_UP_TO else (on_blocks,)
    return _case("count on blocks", size, place, contenders, judge=memory_of_worker, compare=same_counts)


def _case(task: str, size: str, place: Path | None, contenders: tuple[Contender, ...], **options: Any) -> Case:
    title = f"{SIZES[size]:,} edges, {MEMORY.get(size, USUAL_MEMORY)} a worker"
    budget = LONG if SIZES[size] <= IN_MEMORY_UP_TO else ONE_RUN
    return Case(task, title, partial(write_graph, size, place), contenders, facts_of, budget=budget, **options)


def beyond_memory_cases(sizes: Iterable[str], place: Path | None = None) -> Iterator[Case]:
    """All cases in order. ``place``: where graphs and blocks stay, if they are to stay."""
    for size in sizes:
        yield building_case(size, place)
        yield counting_case(size, place)
