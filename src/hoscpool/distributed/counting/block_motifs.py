"""Motif adjacencies of graphs in blocks: which counts a motif needs, and how they are made."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from hoscpool.distributed.blocks import INTERPRETER, BlockGraph, memory_bytes
from hoscpool.distributed.counting.blocked_matrix import BlockedMatrix
from hoscpool.distributed.counting.count_files import CountFiles
from hoscpool.distributed.counting.count_kinds import COUNT_KINDS
from hoscpool.distributed.counting.task_steps import Done, Job, count_task, sum_block
from hoscpool.distributed.counting.workers import run_here, run_in_processes, run_on_dask
from hoscpool.motifs import CLOSED_FORMS, Motif, as_closed_forms, edge_form, get_motif
from hoscpool.support.dask_scheduler import dask_client
from hoscpool.support.errors import MemoryEstimateError
from hoscpool.support.machine import available_memory, bytes_text
from hoscpool.support.progress import Progress
from hoscpool.support.threads import resolve_threads

OF_DEGREES = ("one", "d_sum", "d_product", "d_pairs")
OF_TRIANGLES = ("t_pairs", "t_d_sum")
"""The other counts of closed forms that follow from a block, the degrees of its nodes and its triangles."""
WORTH_PROCESSES = 2_000_000
"""From so many edges on, several processes count."""


def motif_form(motif: Motif, induced: bool) -> Mapping[str, int]:
    """The counts on edges that a motif needs, with their coefficients.

    Raises:
        ValueError: It needs counts that are not made on blocks.
    """
    form = {} if motif.is_directed else edge_form(as_closed_forms(motif, induced))
    if not form or form.keys() - {*OF_DEGREES, *OF_TRIANGLES, *COUNT_KINDS}:
        kind = "induced " if induced else ""
        raise ValueError(
            f"motif: {kind}{motif.name} is not counted on blocks; counted are {', '.join(countable(induced))}; for "
            "others use the graph in memory"
        )
    return form


def countable(induced: bool) -> list[str]:
    """The names of the motifs that are counted on blocks."""
    known = {*OF_DEGREES, *OF_TRIANGLES, *COUNT_KINDS}
    forms = {name: edge_form(as_closed_forms(get_motif(name), induced)) for name in CLOSED_FORMS}
    return [name for name, form in forms.items() if form and form.keys() <= known]


def count_on_blocks(
    graph: BlockGraph,
    motif: str | Motif = "triangle",
    *,
    induced: bool = False,
    on_edges: bool = False,
    scheduler: Any = None,
    memory: str | int | None = None,
    workers: int | None = None,
) -> BlockedMatrix:
    """The motif adjacency on the edges of a graph in blocks.

    Counts are kept in the folder of the blocks, and another motif that needs them takes them from there. After a kill
    the finished tasks are kept, and the next call goes on with the others.

    Args:
        graph: The graph.
        motif: A name, or a `Motif`.
        induced: Count only instances without further edges among their nodes.
        on_edges: Must be true for motifs with nodes that are not joined, because only counts on edges are made.
        scheduler: A Dask client, or the address of a scheduler. ``None``: this machine.
        memory: What a worker may take. ``None``: what is free on this machine.
        workers: Number of processes on this machine. Default: one per core for large graphs, otherwise this process.

    Raises:
        MemoryEstimateError: A task takes more memory than a worker may take.
        ConnectionError: The scheduler does not answer, or has no workers.
        ValueError: The motif is not counted on blocks, or a file is damaged.
    """
    motif = get_motif(motif)
    form = motif_form(motif, induced)
    allowed = None if memory is None else memory_bytes(memory)
    if not on_edges and any(CLOSED_FORMS[name].apart is not None for name in as_closed_forms(motif, induced)):
        raise ValueError(
            f"on_edges: {motif.name} also counts pairs that are not joined, and blocks do not; pass on_edges=True "
            "(--on-edges) for the counts on edges"
        )
    wanted = [kind for name, kind in COUNT_KINDS.items() if name in _with_triangles(form)]
    missing = [files for files in (CountFiles(graph, kind) for kind in wanted) if not files.is_complete()]
    workers = workers or (1 if graph.num_edges < WORTH_PROCESSES or scheduler is not None else resolve_threads(None))
    room = allowed - INTERPRETER if allowed is not None else available_memory() / (workers if scheduler is None else 1)
    missing = [_grouped(files, room) for files in missing]
    if missing:
        graph.verify()
    for files in missing:
        with files.begin():
            if not files.is_complete():  # another process may have been faster
                _count(files, scheduler, workers)
    return BlockedMatrix(graph, motif.name, as_closed_forms(motif, induced))


def count_record(graph: BlockGraph, name: str) -> dict[str, float]:
    """Figures of a finished count: groups, tasks, processor seconds and peak memory of a worker.

    Args:
        graph: The graph.
        name: ``"t"`` for triangles, ``"k"`` for four-cliques, ``"q"`` for four-cycles.
    """
    return CountFiles(graph, COUNT_KINDS[name]).record()


def _with_triangles(form: Mapping[str, int]) -> set[str]:
    return {*form, *(["t"] if form.keys() & set(OF_TRIANGLES) else [])}


def _grouped(files: CountFiles, room: float) -> CountFiles:
    """Put ranges together as far as memory allows, or as a run that was interrupted did.

    Raises:
        MemoryEstimateError: A task does not fit, even if no ranges are put together.
    """
    graph, kind = files.graph, files.kind
    best = kind.num_groups(graph, room)
    needed = kind.needed(graph, best)
    if needed > room:
        raise MemoryEstimateError(
            f"memory: a task that counts {kind.what} on these blocks",
            INTERPRETER + needed,
            INTERPRETER + int(room),
            f"allow memory={bytes_text(1.05 * (INTERPRETER + needed))!r} (--memory) to each of fewer workers, or build "
            "the blocks again for less memory",
        )
    begun = [
        number for number in files.begun() if 1 <= number <= graph.num_ranges and kind.needed(graph, number) <= room
    ]
    return replace(files, num_groups=max(begun, default=best))


def _count(files: CountFiles, scheduler: Any, workers: int) -> None:
    """Do the tasks that are left, add them up, and give the sums their place."""
    tasks, needed = files.kind.plan(files.graph, files.num_groups)
    work = dict(zip(map(tuple, tasks.tolist()), needed.tolist(), strict=True))
    job = Job(str(files.graph.folder.absolute()), files.graph.key, files.kind.name, files.num_groups)
    left = sorted((task for task in work if not files.task_file(task).exists()), key=lambda task: -work[task])
    pairs = [pair for pair in files.graph.pairs if not files.sum_file(pair).exists()]
    record = {"groups": files.num_groups, "tasks": len(work), "seconds": 0.0, "memory": 0}
    with contextlib.ExitStack() as stack:
        progress = stack.enter_context(Progress(f"counting {files.kind.what}", sum(work.values())))
        progress.advance(sum(work.values()) - sum(work[task] for task in left))
        run: Callable[..., Iterator[Done]] = run_here
        if scheduler is not None:
            run = partial(run_on_dask, client=stack.enter_context(dask_client(scheduler)))
        elif workers > 1:
            run = partial(run_in_processes, workers=workers)
        for step, todo in ((count_task, left), (sum_block, pairs)):
            for done in run(step, job, todo):
                record["seconds"] += done.seconds
                record["memory"] = max(record["memory"], done.memory)
                if step is count_task:
                    progress.advance(work[done.step])
    files.finish(record)
