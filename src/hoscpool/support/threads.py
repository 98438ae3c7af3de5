"""How many threads torch and the linear algebra libraries may use, and loops over ranges in threads."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.support.progress import Progress

WORTH_THREADS = 8192
"""A training step with at least so many rows gains time from more threads.

Measured with two threads on two free cores: no gain on Karate, Syn1 and Cora (34 to 2,708 rows), 2 to 8 % on PubMed
(19,717). When two other programs use the cores too, threads wait for each other: a fit of Karate or Syn1 took 5 to 75
times as long.
"""


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Let torch and the linear algebra libraries use only one thread."""
    import torch
    from threadpoolctl import threadpool_limits

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with threadpool_limits(limits=1):
            yield
    finally:
        torch.set_num_threads(before)


def threads_for(rows: int) -> contextlib.AbstractContextManager[None]:
    """Use one thread if a step has too few rows to gain from more. Otherwise change nothing."""
    return one_thread() if rows < WORTH_THREADS else contextlib.nullcontext()


RangeWorker = Callable[[int, int], Any]


def resolve_threads(n_threads: int | None) -> int:
    """The number of threads to use: the given one, or one per core that this process may use.

    Raises:
        ValueError: The given number is not positive.
    """
    if n_threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if n_threads < 1:
        raise ValueError(f"n_threads must be at least 1 (got {n_threads}); leave it out to use every core")
    return int(n_threads)


def balanced_ranges(work: npt.NDArray[np.integer], pieces: int) -> list[tuple[int, int]]:
    """Cut the nodes into at most ``pieces`` consecutive ranges of about equal work.

    Args:
        work: Work of all nodes before each node, and the total, ``[N + 1]``, like the row pointers of a CSR matrix.
        pieces: How many ranges to make.

    Examples:
        >>> balanced_ranges(np.array([0, 4, 5, 6, 7, 10]), 3)
        [(0, 1), (1, 4), (4, 5)]
    """
    if pieces < 2:
        return [(0, len(work) - 1)] if len(work) > 1 else []
    marks = np.ceil(np.linspace(0, int(work[-1]), pieces + 1)).astype(work.dtype)  # of one type: no copy of the work
    cuts = np.unique(np.concatenate(([0], np.searchsorted(work, marks[1:-1]), [len(work) - 1])))
    return list(zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True))


def run_ranges(
    make_worker: Callable[[], RangeWorker],
    work: npt.NDArray[np.integer],
    pieces: int,
    n_threads: int,
    description: str | None = None,
) -> list[tuple[int, int]]:
    """Run a worker over all nodes in `balanced_ranges`. Every thread makes its own worker with its own memory.

    With a description a progress bar appears after two seconds. Returns the ranges.
    """
    ranges = balanced_ranges(work, pieces)
    with Progress(description, int(work[-1])) as progress:
        queue = iter(ranges)  # next() on a list iterator is atomic under the GIL, so the threads may share it

        def drain() -> None:
            worker = make_worker()
            for start, stop in queue:
                worker(start, stop)
                progress.advance(int(work[stop] - work[start]))

        if n_threads == 1 or len(ranges) < 2:
            drain()
        else:
            _in_threads(drain, min(n_threads, len(ranges)), queue)
    return ranges


def _in_threads(drain: Callable[[], None], n_threads: int, queue: Iterator[tuple[int, int]]) -> None:
    with ThreadPoolExecutor(n_threads) as pool:
        futures = [pool.submit(drain) for _ in range(n_threads)]
        try:
            for future in futures:
                future.result()
        except BaseException:
            for _ in queue:  # an error or Ctrl-C: the other threads find nothing more to do
                pass
            raise
