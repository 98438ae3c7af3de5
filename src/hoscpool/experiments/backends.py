"""Where cells run: processes of this machine, or a Dask cluster, both behind joblib."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from typing import Any

from hoscpool.errors import MissingDependencyError


@contextlib.contextmanager
def open_backend(name: str, jobs: int, scheduler: str | None = None) -> Iterator[Any]:
    """A joblib ``Parallel`` that gives results as they come.

    Args:
        name: ``"loky"`` or ``"dask"``.
        jobs: Cells at a time.
        scheduler: Address of a running Dask scheduler; ``None`` starts a cluster of ``jobs`` processes here.

    Raises:
        MissingDependencyError: Dask is not installed.
        OSError: The scheduler does not answer.
    """
    import joblib

    with contextlib.ExitStack() as stack:
        if name == "dask":
            client = stack.enter_context(_dask_client(jobs, scheduler))
            jobs = max(1, len(client.scheduler_info(n_workers=-1)["workers"])) if scheduler else jobs
            stack.enter_context(joblib.parallel_config("dask", wait_for_workers_timeout=60))
        else:
            stack.enter_context(joblib.parallel_config("loky", inner_max_num_threads=1))
        # one cell in a batch: cells are long, and each is to be recorded as soon as it is done
        yield joblib.Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1, pre_dispatch=jobs)


@contextlib.contextmanager
def _dask_client(jobs: int, scheduler: str | None) -> Iterator[Any]:
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise MissingDependencyError("distributed", "distributed", "a run on a Dask cluster") from error
    with contextlib.ExitStack() as stack:
        if scheduler is None:
            options = {"dashboard_address": None, "silence_logs": logging.ERROR}
            cluster = LocalCluster(n_workers=jobs, threads_per_worker=1, **options)  # type: ignore[no-untyped-call]
            scheduler = stack.enter_context(cluster)
        yield stack.enter_context(Client(scheduler))  # type: ignore[no-untyped-call]
