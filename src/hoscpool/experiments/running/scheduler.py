"""Runs cells through joblib and records each one as soon as it is done."""

from __future__ import annotations

import contextlib
import logging
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hoscpool.experiments.running.cell import Cell, Key
from hoscpool.experiments.running.cell_run import NO_DATA, SCRATCH, TOO_LATE, Interruption, catch_interrupt, run_cell
from hoscpool.experiments.running.estimator import Estimator
from hoscpool.experiments.running.progress_board import Board
from hoscpool.experiments.running.store import Record, Recorded, Store
from hoscpool.support.dask_scheduler import dask_client
from hoscpool.support.errors import MissingDependencyError
from hoscpool.support.processes import follow_parent


@dataclass
class Outcome:
    """The outcome of a run.

    Attributes:
        done: Number of finished cells.
        failed: Number of cells that ended in an error. Their records hold the error.
        missing: Datasets that could not be loaded, with the reason. Their cells have no record.
        left: Number of cells that did not start because the time was up.
    """

    done: int = 0
    failed: int = 0
    missing: dict[str, str] = field(default_factory=dict)
    left: int = 0


@dataclass(frozen=True)
class Options:
    """How to run.

    Attributes:
        jobs: Cells at a time.
        backend: ``"loky"`` for processes of this machine, ``"dask"`` for a cluster.
        scheduler: Address of the cluster's scheduler; ``None`` starts one here with ``jobs`` workers.
        budget: Seconds for the run. No cell starts later, and none that is known to take longer than the time left.
        data_root: Folder of the raw data; see `hoscpool.datasets.load`.
    """

    jobs: int = 1
    backend: str = "loky"
    scheduler: str | None = None
    budget: float | None = None
    data_root: str | Path | None = None


def unfinished(cells: Sequence[Cell], store: Store, retry_failed: bool = False) -> list[Cell]:
    """Cells without a record; with ``retry_failed`` also those that failed."""
    latest: dict[Key, Record] = {}
    for experiment in {cell.experiment for cell in cells}:
        latest |= store.latest(experiment)
    again = ("failed",) if retry_failed else ()
    return [cell for cell in cells if cell.key not in latest or latest[cell.key]["status"] in again]


def run_cells(cells: Sequence[Cell], store: Store, options: Options, board: Board | None = None) -> Outcome:
    """Run cells and append a record for each. An interruption loses only the cells that are running.

    Resumable cells lose at most half a minute: on this machine, the next run continues their training.

    Raises:
        KeyboardInterrupt: Ctrl-C; every finished cell is in the store.
        ChildProcessError: A worker process died, most likely because memory ran out.
    """
    records = [record for name in {cell.experiment for cell in cells} for record in store.records(name)]
    run = _Run(cells, store, options, Estimator(records), board or Board(None, len(cells), options.jobs))
    with run.board:
        try:
            run.consume()
        except Interruption:
            raise KeyboardInterrupt from None
    run.outcome.left += len(cells) - run.begun
    return run.outcome


class _Run:
    """One run: gives cells to workers while there is time, and stores their records."""

    def __init__(
        self, cells: Sequence[Cell], store: Store, options: Options, estimator: Estimator, board: Board
    ) -> None:
        self.cells, self.store, self.options, self.estimator, self.board = cells, store, options, estimator, board
        self.outcome = Outcome()
        self.begun = 0
        self._recorded = Recorded(store, {cell.experiment for cell in cells})
        self._scratch = None if options.backend == "dask" else store.folder.absolute() / SCRATCH  # on this disk only
        self._until = None if options.budget is None else time.time() + options.budget

    def consume(self) -> None:
        """Run everything."""
        in_process = self.options.jobs == 1 and self.options.backend == "loky"
        if in_process:
            with catch_interrupt() as check:
                for cell in self._hand_out():
                    self._take(run_cell(cell, self.options.data_root, **self._circumstances))
                    check()
            return
        with open_backend(self.options.backend, self.options.jobs, self.options.scheduler) as parallel:
            calls = (_call(cell, self.options.data_root, self._circumstances) for cell in self._hand_out())
            with _explain_dead_workers(), contextlib.closing(parallel(calls)) as records:
                for record in records:
                    self._take(record)

    @property
    def _circumstances(self) -> dict[str, Any]:
        return {"scratch": self._scratch, "until": self._until}

    def _hand_out(self) -> Iterator[Cell]:
        """Yield cells as workers ask for them, until the time is up. Cells of a missing dataset are skipped."""
        for cell in self.cells:
            if self._is_time_up(cell):
                return
            self.begun += 1
            if self._recorded.has(cell.key):  # by another run in the same store, in the meantime
                self.outcome.done += 1
            elif cell.dataset not in self.outcome.missing:
                yield cell

    def _is_time_up(self, cell: Cell) -> bool:
        if self._until is None:
            return False
        return time.time() + self.estimator.seconds_on_the_clock(cell) > self._until

    def _take(self, record: Record) -> None:
        if record["status"] == TOO_LATE:  # joblib takes a few cells ahead of its workers
            self.outcome.left += 1
            return
        if record["status"] == NO_DATA:
            self.outcome.missing[record["dataset"]] = record["error"]
        else:
            self.store.append(record, self._recorded)
            self.estimator.learn(record)
            self.outcome.done += record["status"] == "ok"
            self.outcome.failed += record["status"] == "failed"
        left = self.cells[self.begun :]
        self.board.show(record, expected=sum(map(self.estimator.seconds, left)))


def _call(cell: Cell, data_root: str | Path | None, circumstances: dict[str, Any]) -> Any:
    from joblib import delayed

    return delayed(run_cell)(cell, data_root, **circumstances, ignores_interrupt=True)


@contextlib.contextmanager
def _explain_dead_workers() -> Iterator[None]:
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    try:
        yield
    except TerminatedWorkerError as error:
        advice = "most likely memory ran out; run the same command again with fewer jobs"
        raise ChildProcessError(f"a worker process died: {advice}; finished cells are kept") from error


@contextlib.contextmanager
def open_backend(name: str, jobs: int, scheduler: str | None = None) -> Iterator[Any]:
    """A joblib ``Parallel`` that yields each result as soon as it is done.

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
            client = stack.enter_context(_client(jobs, scheduler))
            jobs = max(1, len(client.scheduler_info(n_workers=-1)["workers"])) if scheduler else jobs
            stack.enter_context(joblib.parallel_config("dask", wait_for_workers_timeout=60))
        else:
            workers = {"inner_max_num_threads": 1, "initializer": follow_parent, "initargs": (os.getpid(),)}
            stack.enter_context(joblib.parallel_config("loky", **workers))
        # one cell per batch: cells are long, and each is recorded as soon as it is done
        yield joblib.Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1, pre_dispatch=jobs)


@contextlib.contextmanager
def _client(jobs: int, scheduler: str | None) -> Iterator[Any]:
    """The client of the scheduler with this address, or of a cluster of ``jobs`` processes here."""
    if scheduler is not None:
        with dask_client(scheduler) as client:
            yield client
        return
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise MissingDependencyError("distributed", "distributed", "work on a Dask cluster") from error
    options = {"n_workers": jobs, "threads_per_worker": 1, "dashboard_address": None, "silence_logs": logging.ERROR}
    with LocalCluster(**options) as cluster, Client(cluster) as client:  # type: ignore[no-untyped-call]
        yield client
