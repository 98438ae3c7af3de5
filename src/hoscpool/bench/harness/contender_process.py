"""One process per contender, with its own threads, libraries and memory, and limits on time and memory.

The process is started fresh (not forked), so no library sees the thread pool of another. The parent asks for one call
at a time. So contenders take turns and never run at the same time.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import time
import warnings
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, NamedTuple

from hoscpool.support.processes import THREAD_VARIABLES

if TYPE_CHECKING:
    from hoscpool.bench.harness.cases import Contender

PREPARATION_LIMIT = 600.0
"""Seconds that reading the input and converting it may take."""


class Run(NamedTuple):
    """One timed call: wall-clock seconds, processor seconds and, if requested, the peak memory.

    Processor seconds include those of processes that the call started and waited for.
    """

    seconds: float
    cpu_seconds: float
    memory: int | None = None


class WorkerError(RuntimeError):
    """A contender did not answer. The message says why in a few words."""


class TimeLimitError(WorkerError):
    """A contender took longer than its limit."""


class Worker:
    """A contender in its own process.

    Args:
        contender: What to run. Everything in it must be importable, because it is sent to the process.
        workload: The input. It is sent to the process too.
    """

    def __init__(self, contender: Contender, workload: Any) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, contender.threads), daemon=True)
        self._process.start()
        theirs.close()
        self._pipe.send((contender, workload))

    def wait_until_ready(self) -> None:
        """Wait for the preparation to end.

        Raises:
            WorkerError: It failed.
        """
        self._receive(PREPARATION_LIMIT)

    def call(self, limit: float, *, with_memory: bool = False) -> Run:
        """Run the contender once.

        Raises:
            TimeLimitError: It took longer than ``limit`` seconds and was stopped.
            WorkerError: It raised, or its process died.
        """
        run: Run = self._ask(("call", with_memory), limit)
        return run

    def answer(self) -> Any:
        """The result of the last call in a form that can be compared.

        Raises:
            WorkerError: The result could not be converted.
        """
        return self._ask(("answer",), PREPARATION_LIMIT)

    def close(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.join()
        self._pipe.close()

    def _ask(self, request: tuple[Any, ...], limit: float) -> Any:
        with contextlib.suppress(BrokenPipeError):  # a dead process is reported by _receive
            self._pipe.send(request)
        return self._receive(limit)

    def _receive(self, limit: float) -> Any:
        if not self._pipe.poll(limit):
            self.close()
            raise TimeLimitError(f"> {limit:.0f} s")
        try:
            done, value = self._pipe.recv()
        except (EOFError, ConnectionResetError):
            self._process.join()
            raise WorkerError(f"its process died (exit code {self._process.exitcode})") from None
        if not done:
            raise WorkerError(value)
        return value


def _serve(pipe: Connection, threads: int) -> None:
    """The work of the process: prepare once, then answer requests until the parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    os.environ.update(dict.fromkeys(THREAD_VARIABLES, str(threads)))  # before the libraries are imported
    warnings.simplefilter("ignore")  # warnings of other libraries do not concern us
    state: dict[str, Any] = {}
    with contextlib.suppress(EOFError, BrokenPipeError):
        pipe.send(_guarded(_prepare, state, pipe))
        while True:
            action, *arguments = pipe.recv()
            pipe.send(_guarded({"call": _call, "answer": _answer}[action], state, *arguments))


def _guarded(step: Any, *arguments: Any) -> tuple[bool, Any]:
    try:
        return True, step(*arguments)
    except Exception as error:  # an error of another library becomes a line in the table and does not end the run
        return False, describe(error)


def describe(error: Exception) -> str:
    """An exception in a few words."""
    text = str(error).strip().splitlines()
    if isinstance(error, MemoryError):
        return ": ".join(["out of memory", *text[:1]])
    if "OutOfMemory" in type(error).__name__:
        return "out of memory"
    return f"{type(error).__name__}: {text[0]}" if text else type(error).__name__


def _prepare(state: dict[str, Any], pipe: Connection) -> None:
    contender, workload = pipe.recv()
    state.update(contender=contender, workload=workload, input=contender.prepare(workload))
    _limit_memory()


def _limit_memory() -> None:
    """Fail with a `MemoryError` before the machine runs out of memory."""
    import psutil

    with contextlib.suppress(ImportError, ValueError, OSError):  # not on every system
        import resource

        room = psutil.Process().memory_info().vms + int(0.7 * psutil.virtual_memory().available)
        resource.setrlimit(resource.RLIMIT_AS, (room, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _call(state: dict[str, Any], with_memory: bool) -> Run:
    from hoscpool.support.machine import PeakMemory

    state.pop("result", None)
    with PeakMemory() if with_memory else contextlib.nullcontext() as peak:
        wall, cpu = time.perf_counter(), _processor_time()
        state["result"] = state["contender"].run(state["input"])
        run = Run(time.perf_counter() - wall, _processor_time() - cpu)
    return run if peak is None else run._replace(memory=peak.n_bytes)


def _processor_time() -> float:
    children = os.times()
    return time.process_time() + children.children_user + children.children_system


def _answer(state: dict[str, Any]) -> Any:
    return state["contender"].answer(state["workload"], state["result"])
