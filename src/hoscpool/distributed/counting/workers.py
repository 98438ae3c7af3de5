"""Who does the steps: this process, several processes of this machine, or the workers of a Dask cluster."""

from __future__ import annotations

import contextlib
import os
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, wait
from typing import Any

from hoscpool.distributed.counting.task_steps import Done, Job
from hoscpool.support.processes import THREAD_VARIABLES, follow_parent

Step = Callable[[Job, Any], Done]
ATTEMPTS = 3
"""So many processes may die in one step."""
PATIENCE = 60.0
"""Seconds without a worker before a run on a cluster ends."""
LOOK = 5.0
"""Seconds between two looks at the workers of a cluster while no step ends."""
AHEAD = 4
"""Steps that wait at a scheduler, for every worker."""


def run_here(step: Step, job: Job, steps: Sequence[Any]) -> Iterator[Done]:
    """One step after the other in this process."""
    for one in steps:
        yield step(job, one)


def run_in_processes(step: Step, job: Job, steps: Sequence[Any], workers: int) -> Iterator[Done]:
    """So many steps at a time in processes. A process that dies costs only its step, which is done again.

    Raises:
        ChildProcessError: Several processes died in one step.
    """
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    waiting, deaths = deque(steps), Counter[Any]()
    running: dict[Future[Done], tuple[_Worker, Any]] = {}
    all_workers = [_Worker() for _ in range(min(workers, len(steps)))]
    idle = list(all_workers)
    try:
        while waiting or running:
            while waiting and idle:
                worker, one = idle.pop(), waiting.popleft()
                running[worker.begin(step, job, one)] = worker, one
            for future in wait(running, return_when="FIRST_COMPLETED").done:
                worker, one = running.pop(future)
                idle.append(worker)
                try:
                    done = future.result()
                except TerminatedWorkerError:
                    waiting.appendleft(one)
                    deaths[one] += 1
                    if deaths[one] == ATTEMPTS:
                        raise ChildProcessError(
                            f"{ATTEMPTS} times a worker process died in the same task, most likely because memory ran "
                            "out; finished tasks are kept; run the same again with fewer workers (--threads), or build "
                            "the blocks with less memory"
                        ) from None
                    continue
                yield done
    finally:
        for worker in all_workers:
            worker.close(kill=bool(running))


class _Worker:
    """A process that does one step at a time. If it dies, the next step gets another one."""

    def __init__(self) -> None:
        self._pool: Any = None

    def begin(self, step: Step, job: Job, one: Any) -> Future[Done]:
        """Begin a step."""
        if self._pool is not None:
            with contextlib.suppress(BrokenExecutor):
                return self._pool.submit(step, job, one)  # type: ignore[no-any-return]
            self.close(kill=True)
        self._pool = self._start()
        return self._pool.submit(step, job, one)  # type: ignore[no-any-return]

    def close(self, *, kill: bool) -> None:
        """End the process; with ``kill`` in the middle of its step."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, kill_workers=kill)

    @staticmethod
    def _start() -> Any:
        from joblib.externals.loky import ProcessPoolExecutor

        one_thread = dict.fromkeys(THREAD_VARIABLES, "1")
        return ProcessPoolExecutor(1, initializer=follow_parent, initargs=(os.getpid(),), env=one_thread)


def run_on_dask(step: Step, job: Job, steps: Sequence[Any], client: Any) -> Iterator[Done]:
    """Steps on the workers of a cluster. What a worker loses is given to another one by the scheduler.

    Raises:
        ConnectionError: There are no workers, or no more.
        ChildProcessError: Several workers died in the same step.
    """
    from distributed import KilledWorker

    queue, running = iter(steps), set()
    try:
        while True:
            wanted = AHEAD * max(1, _num_workers(client))
            for one in queue:
                running.add(client.submit(step, job, one, pure=False))
                if len(running) >= wanted:
                    break
            if not running:
                return
            for future in _next_done(client, running):
                running.remove(future)
                yield future.result()
    except KilledWorker as error:
        raise ChildProcessError(
            "several workers died in one task, most likely because memory ran out; finished tasks are kept; give the "
            "workers more memory, or build the blocks with less memory"
        ) from error
    finally:
        with contextlib.suppress(Exception):
            client.cancel(list(running))


def _next_done(client: Any, running: set[Any]) -> set[Any]:
    """Wait for a step. End if there is no worker for a long time."""
    from distributed import wait

    alone_since = None
    while True:
        with contextlib.suppress(TimeoutError):
            finished = wait(list(running), timeout=LOOK, return_when="FIRST_COMPLETED")  # type: ignore[no-untyped-call]
            return set(finished.done)
        if _num_workers(client):
            alone_since = None
            continue
        alone_since = alone_since or time.monotonic()
        if time.monotonic() - alone_since > PATIENCE:
            raise ConnectionError(
                f"scheduler: for {PATIENCE:.0f} seconds there was no worker; finished tasks are kept; start workers "
                "with the command: dask worker ADDRESS"
            )


def _num_workers(client: Any) -> int:
    return len(client.scheduler_info(n_workers=-1)["workers"])
