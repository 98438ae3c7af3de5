"""Who does the steps: this process, several processes of this machine, or the workers of a Dask cluster."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hoscpool.distributed.counting.task_steps import Done, Job
from hoscpool.support.processes import follow_parent

Step = Callable[[Job, Any], Done]
ATTEMPTS = 3
"""How often a local pool is started again without a finished step in between."""
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
        ChildProcessError: Processes die again and again.
    """
    left, failures = list(steps), 0
    while left:
        before = len(left)
        try:
            for done in _pool(step, job, left, workers):
                left.remove(done.step)
                yield done
        except _dead_worker():
            failures = failures + 1 if len(left) == before else 0
            if failures == ATTEMPTS:
                raise ChildProcessError(
                    f"{ATTEMPTS} times in a row worker processes died, most likely because memory ran out; finished "
                    "tasks are kept; run the same again with fewer workers (--threads), or build the blocks with less "
                    "memory"
                ) from None


def _pool(step: Step, job: Job, steps: list[Any], workers: int) -> Iterator[Done]:
    import joblib

    options = {"inner_max_num_threads": 1, "initializer": follow_parent, "initargs": (os.getpid(),)}
    with joblib.parallel_config("loky", **options):
        pool = joblib.Parallel(workers, return_as="generator_unordered", batch_size=1, pre_dispatch=2 * workers)
        with contextlib.closing(pool(joblib.delayed(step)(job, one) for one in list(steps))) as found:
            yield from found


def _dead_worker() -> type[BaseException]:
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    return TerminatedWorkerError  # type: ignore[no-any-return]


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
