"""Real processes; the functions they run come from the standard library, so that they can be sent."""

from __future__ import annotations

import operator
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from hoscpool.bench.harness.cases import Contender
from hoscpool.bench.harness.contender_process import TimeLimitError, Worker, WorkerError, describe

Open = Any


@pytest.fixture
def open_worker() -> Iterator[Open]:
    workers: list[Worker] = []

    def make(run: Any, workload: Any, **options: Any) -> Worker:
        workers.append(Worker(Contender("toy", run, **options), workload))
        return workers[-1]

    yield make
    for worker in workers:
        worker.close()


def test_a_call_is_timed_and_answered(open_worker: Open) -> None:
    worker = open_worker(time.sleep, 0.05)
    worker.wait_until_ready()
    run = worker.call(30.0)
    assert 0.05 <= run.seconds < 30.0
    assert run.cpu_seconds < run.seconds
    assert run.memory is None
    assert worker.answer() is None


def test_processor_time_is_also_that_of_processes_it_started(open_worker: Open) -> None:
    code = "import time\nwhile time.process_time() < 0.3: sum(range(1000))"
    worker = open_worker(subprocess.run, [sys.executable, "-S", "-c", code])
    worker.wait_until_ready()
    assert worker.call(60.0).cpu_seconds > 0.25


def test_preparation_and_answer_run_in_the_process(open_worker: Open) -> None:
    worker = open_worker(str.title, "a toy", prepare=str.upper, answer=operator.concat)
    worker.wait_until_ready()
    worker.call(30.0)
    assert worker.answer() == "a toyA Toy"


def test_memory_is_that_of_the_call(open_worker: Open) -> None:
    worker = open_worker(bytearray, 80_000_000)
    worker.wait_until_ready()
    for _ in range(2):  # the first block is freed before the second is counted
        memory = worker.call(30.0, with_memory=True).memory
        assert memory is not None
        assert 75e6 < memory < 100e6


def test_the_number_of_threads_is_set_before_libraries_are_imported(open_worker: Open) -> None:
    worker = open_worker(os.getenv, "OMP_NUM_THREADS", threads=3)
    worker.wait_until_ready()
    worker.call(30.0)
    assert worker.answer() == "3"


def test_too_slow(open_worker: Open) -> None:
    worker = open_worker(time.sleep, 60)
    worker.wait_until_ready()
    with pytest.raises(TimeLimitError, match="> 0 s"):
        worker.call(0.2)
    worker.close()


def test_an_exception_is_passed_on_and_the_process_goes_on(open_worker: Open) -> None:
    worker = open_worker(int, "seven")
    worker.wait_until_ready()
    for _ in range(2):
        with pytest.raises(WorkerError, match="ValueError: invalid literal"):
            worker.call(30.0)


def test_failed_preparation(open_worker: Open) -> None:
    worker = open_worker(len, "seven", prepare=int)
    with pytest.raises(WorkerError, match="ValueError"):
        worker.wait_until_ready()


def test_a_request_beyond_the_memory_fails_alone(open_worker: Open) -> None:
    worker = open_worker(bytearray, 1 << 50)
    worker.wait_until_ready()
    with pytest.raises(WorkerError, match="out of memory"):
        worker.call(30.0)


def test_a_process_that_dies(open_worker: Open) -> None:
    worker = open_worker(os._exit, 7)
    worker.wait_until_ready()
    for _ in range(2):
        with pytest.raises(WorkerError, match=r"died \(exit code 7\)"):
            worker.call(30.0)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (MemoryError(), "out of memory"),
        (MemoryError("about 9 GB needed"), "out of memory: about 9 GB needed"),
        (type("OutOfMemory", (Exception,), {})("x"), "out of memory"),
        (ValueError("one\ntwo"), "ValueError: one"),
        (KeyError(), "KeyError"),
    ],
)
def test_describe(error: Exception, text: str) -> None:
    assert describe(error) == text


def test_partial_functions_can_be_sent(open_worker: Open) -> None:
    worker = open_worker(partial(int, base=2), "101")
    worker.wait_until_ready()
    worker.call(30.0)
    assert worker.answer() == 5
