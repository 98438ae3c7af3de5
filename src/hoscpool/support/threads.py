"""How many threads torch and the linear algebra libraries may use, and work that is done in threads."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from hoscpool.support.progress import Progress

T = TypeVar("T")


class _OneThread:
    """Holds torch, OpenMP and the linear algebra libraries to one thread while anyone needs that.

    Torch and OpenMP have a number of threads for every Python thread, but torch also has one for Python threads to
    come. OpenBLAS and MKL have one number for the process. So the first to enter notes the numbers, and the last to
    leave restores them.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._limits: list[Any] = []
        self._users = 0
        self._before = 1

    def enter(self) -> int:
        """Set one thread. Returns the number of torch's threads that `leave` gives back."""
        import torch

        with self._lock:
            before = torch.get_num_threads()
            if self._users == 0:
                self._before = before
            elif before == 1:  # a new Python thread took over the number that we had set
                before = self._before
            self._users += 1
            self._limits.append(_libraries(len(sys.modules)).limit(limits=1, user_api="blas"))
            torch.set_num_threads(1)
            return before

    def leave(self, before: int) -> None:
        """Give the threads back."""
        import torch

        with self._lock:
            torch.set_num_threads(before)
            self._users -= 1
            if self._users == 0:
                for limit in reversed(self._limits):
                    limit.restore_original_limits()
                self._limits.clear()


_ONE_THREAD = _OneThread()


@lru_cache(maxsize=1)
def _libraries(modules: int) -> Any:  # noqa: ARG001
    """The loaded libraries with threads. Finding them takes milliseconds, and new ones come only with new modules."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Let torch, OpenMP and the linear algebra libraries use only one thread.

    Our fits and trainings run like this. Their steps are short, so that a second thread gains little: with two threads
    on two free cores nothing up to some thousand rows, 2 to 8 % on PubMed (19,717). But when other programs use the
    cores too, the threads wait for each other in every step, and a fit takes 5 to 75 times as long. Besides, sums that
    several threads add up depend on their number. Independent runs in `in_threads` use the other cores better.

    Several Python threads may be inside at the same time. The last one to leave restores the numbers of threads.
    """
    before = _ONE_THREAD.enter()
    try:
        with _libraries(len(sys.modules)).limit(limits=1, user_api="openmp"):  # a number of the calling thread alone
            yield
    finally:
        _ONE_THREAD.leave(before)


def resolve_jobs(n_jobs: int | None) -> int | None:
    """The number of threads that ``n_jobs`` of an estimator asks for: -1 is one per core, ``None`` stays ``None``.

    Raises:
        ValueError: It is neither a whole number ≥ 1, nor -1, nor ``None``.
    """
    if n_jobs is None:
        return None
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, int | np.integer) or (n_jobs < 1 and n_jobs != -1):
        raise ValueError(f"n_jobs: expected a whole number ≥ 1, -1 for one per core, or None, got {n_jobs!r}")
    return resolve_threads(None) if n_jobs == -1 else int(n_jobs)


def in_threads(calls: Sequence[Callable[[], T]], n_threads: int, stop: threading.Event) -> list[T]:
    """The results of independent calls in their order, with so many calls at a time, each on one thread.

    Args:
        calls: What to do.
        n_threads: How many at a time. With 1, this thread makes the calls one after the other.
        stop: No call begins once this is set. Ctrl-C and an error set it, so that long calls can watch it and end
            early.

    Returns:
        The results of the calls that had begun.
    """

    def begin(call: Callable[[], T]) -> T:
        with one_thread():
            return call()

    if n_threads == 1 or len(calls) < 2:
        return [begin(call) for call in calls if not stop.is_set()]

    with ThreadPoolExecutor(min(n_threads, len(calls))) as pool:
        futures = [pool.submit(begin, call) for call in calls]
        try:
            waiting = wait(futures, return_when=FIRST_EXCEPTION).not_done
        except KeyboardInterrupt:
            waiting = set(futures)
        except BaseException:  # the end of the process: the calls need not go on
            stop.set()
            raise
        if waiting:
            stop.set()
        for future in waiting:
            future.cancel()
    return [future.result() for future in futures if not future.cancelled()]


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
