"""The cases of ``bench scale``: reading, counting and fitting of graphs of growing size."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from hoscpool.bench.graphs.labelled_graphs import K, Task, planted
from hoscpool.bench.harness.cases import Case, CaseResult, Contender, Target
from hoscpool.bench.harness.log_plot import Series, growth
from hoscpool.bench.harness.result_tables import memory_text, seconds_text
from hoscpool.bench.peers import own_clusters, own_motifs
from hoscpool.bench.peers.common import edge_ends
from hoscpool.bench.peers.communities import Labels
from hoscpool.bench.suites.rank_cases import ON_RANKS
from hoscpool.graph import Graph, as_graph
from hoscpool.metrics import nmi
from hoscpool.support.text_tables import Grid

SIZES = {"100k": 100_000, "1m": 1_000_000, "10m": 10_000_000, "62m": 62_000_000}
QUICK_SIZES, DEFAULT_SIZES = ("100k",), ("100k", "1m", "10m")
FEATURES = 100
LONG = 600.0
"""Seconds for a contender on graphs of 10 million edges or more."""
CSV_TARGET = {"10m": Target(seconds=15)}
FIT_TARGET = {"62m": Target(seconds=60, memory=5e9)}
FEATURES_TARGET = {"62m": Target(seconds=600, memory=12e9)}
EXPECTED = 1e8
"""Edges of the graph that the closing table speaks about."""


@dataclass(frozen=True)
class Files:
    """One graph in several files."""

    folder: Path
    num_nodes: int
    num_edges: int


OURS = Contender("HoscPool", own_motifs.triangle, package="hoscpool", compiles=True)


def reading_case(size: str) -> Case:
    """The same graph from three kinds of file."""
    reader = replace(OURS, run=read, answer=summary_of_graph)
    csv = replace(reader, name="CSV", prepare=partial(path_of, "csv"), target=CSV_TARGET.get(size, Target()))
    parquet = replace(reader, name="Parquet", prepare=partial(path_of, "parquet"), module="pyarrow", package="pyarrow")
    npz = replace(reader, name="npz", prepare=partial(path_of, "npz"))
    return replace(_case("read", size, (csv, parquet, npz)), load=partial(write_files, size), facts=facts_of_files)


def counting_case(size: str) -> Case:
    """The triangle adjacency."""
    run = replace(OURS, run=count, answer=fingerprint)
    return _case("count triangles", size, (run,))


def fit_case(size: str) -> Case:
    """The whole fit on one thread."""
    fit = partial(own_clusters.fit, solver="multilevel")
    contender = replace(OURS, run=fit, target=FIT_TARGET.get(size, Target()), compared=False)
    return replace(_case("fit", size, (contender,)), judge=agreement)


def threads_case(size: str) -> Case:
    """The whole fit by two threads and by one, compared by wall-clock time: the labels must be the same."""
    fit = partial(own_clusters.fit, solver="multilevel")
    two = replace(OURS, name="HoscPool, 2 threads", run=partial(fit, threads=2), threads=2)
    one = replace(OURS, name="HoscPool, 1 thread", run=fit, target=Target(ratio=1.6))
    return replace(_case("fit, two threads", size, (two, one)), clock="seconds")


def features_case(size: str) -> Case:
    """The fit with its defaults and 100 features."""
    target = FEATURES_TARGET.get(size, Target())
    contender = replace(OURS, name="HoscPool, default", run=own_clusters.fit, target=target, compared=False)
    case = _case("fit, 100 features", size, (contender,))
    return replace(case, load=partial(load_size, size, FEATURES), judge=agreement)


def scale_cases(sizes: Iterable[str], *, threads: bool, features: bool) -> Iterator[Case]:
    """All cases in order; those on the same graph follow each other."""
    for size in sizes:
        yield reading_case(size)
        yield counting_case(size)
        yield fit_case(size)
        if threads:
            yield threads_case(size)
        if features:
            yield features_case(size)


@lru_cache(maxsize=1)
def load_size(size: str, num_features: int = 0) -> Task:
    """A planted graph with its labels."""
    return Task(planted(SIZES[size], num_features=num_features), K)


def write_files(size: str) -> Files:
    """Write the graph as CSV, Parquet and npz. The folder goes away with this process."""
    graph = load_size(size).graph
    folder = Path(_scratch().name) / size
    folder.mkdir(exist_ok=True)
    u, v = edge_ends(graph)
    with (folder / "graph.csv").open("w") as file:
        for start in range(0, len(u), 1 << 20):
            part = slice(start, start + (1 << 20))
            file.writelines(map("%d,%d\n".__mod__, zip(u[part].tolist(), v[part].tolist(), strict=True)))
    sp.save_npz(folder / "graph.npz", graph.adjacency, compressed=False)
    _write_parquet(folder / "graph.parquet", u, v)
    return Files(folder, graph.num_nodes, graph.num_edges)


@lru_cache(maxsize=1)
def _scratch() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="hoscpool-bench-")


def _write_parquet(path: Path, u: Any, v: Any) -> None:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:  # its row will say that pyarrow is not installed
        return
    pq.write_table(pa.table({"source": u, "target": v}), path)


def path_of(kind: str, files: Files) -> Path:
    """The file of one kind."""
    return files.folder / f"graph.{kind}"


def read(path: Path) -> Graph:
    """The graph in a file."""
    return as_graph(path)


def summary_of_graph(_files: Files, graph: Graph) -> list[int]:
    """Numbers that would differ if an edge were lost. Files of edges do not know isolated nodes."""
    return [graph.num_edges, int((graph.degree.astype(np.int64) ** 2).sum()), int(graph.degree.max())]


def count(task: Task) -> Any:
    """The triangle adjacency on one thread."""
    return own_motifs.triangle(task.graph)


def fingerprint(task: Task, matrix: Any) -> list[Any]:
    """Sum and hash of the counts."""
    return own_motifs.fingerprint(task.graph, matrix)


def agreement(task: Task, labels: Labels) -> dict[str, float]:
    """The agreement with the planted communities."""
    return {"K": len(np.unique(labels)), "NMI": nmi(task.graph.labels, labels)}


def facts_of_files(files: Files) -> dict[str, Any]:
    """Sizes for the table."""
    return {"nodes": files.num_nodes, "edges": files.num_edges}


def _facts(task: Task) -> dict[str, Any]:
    return {"nodes": task.graph.num_nodes, "edges": task.graph.num_edges}


def _case(task: str, size: str, contenders: tuple[Contender, ...]) -> Case:
    return Case(
        task,
        f"{SIZES[size]:,} edges",
        partial(load_size, size),
        contenders,
        _facts,
        clock="cpu_seconds",
        budget=LONG if SIZES[size] >= 10_000_000 else None,
    )


def series_of(results: Sequence[CaseResult]) -> tuple[list[Series], list[Series]]:
    """Time and memory of every step over the number of edges, on one thread."""
    times: dict[str, list[tuple[float, float]]] = {}
    memory: dict[str, list[tuple[float, float]]] = {}
    for result in results:
        if result.case.task in ("fit, two threads", ON_RANKS) or "edges" not in result.facts:
            continue
        for outcome in result.outcomes:
            name = f"read {outcome.contender.name}" if result.case.task == "read" else result.case.task
            if outcome.status == "ok" and outcome.time is not None:
                times.setdefault(name, []).append((result.facts["edges"], outcome.time))
                memory.setdefault(name, []).append((result.facts["edges"], float(outcome.memory or 0)))
    return [Series(*item) for item in times.items()], [Series(*item) for item in memory.items()]


def closing_grid(results: Sequence[CaseResult]) -> Grid:
    """How every step grows, and what it would take on a graph of 10⁸ edges."""
    rows: list[tuple[str, ...]] = []
    for time, memory in zip(*series_of(results), strict=True):
        if len(time.points) > 1:
            by_time, by_memory = growth(_large(time.points)), growth(_large(memory.points))
            rows.append(
                (
                    time.name,
                    f"{by_time.exponent:.2f}",
                    seconds_text(by_time.at(EXPECTED)),
                    f"{by_memory.exponent:.2f}",
                    memory_text(by_memory.at(EXPECTED)),
                )
            )
    columns = ("step", "exponent of time", "time at 10⁸ edges", "exponent of memory", "memory at 10⁸ edges")
    return Grid("growth with the number of edges, fitted to the sizes from a million on", columns, rows)


def _large(points: Sequence[tuple[float, float]]) -> Sequence[tuple[float, float]]:
    """The points from a million edges on, if there are two: small files are read in another way."""
    large = [point for point in points if point[0] > 0.9e6]
    return large if len(large) > 1 else points
