"""Signals that end a command, and workers that end with the process that started them."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import threading
import time
from typing import Any

import psutil

THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
"""Environment variables that say how many threads the libraries of a new process may use."""
INTERRUPTED = 128 + signal.SIGINT
"""Exit code after Ctrl-C."""
TERMINATED = 128 + signal.SIGTERM
"""Exit code after SIGTERM."""
GRACE = 5.0
"""Seconds that a process has to clean up after SIGTERM."""
INTERVAL = 1.0
"""Seconds between two looks at the parent process, where the system does not report its death."""
_PR_SET_PDEATHSIG = 1


class EndingSignals:
    """Inside the block SIGINT raises ``KeyboardInterrupt`` and SIGTERM ``SystemExit``. Both are remembered.

    An estimator ends at ``KeyboardInterrupt`` with its best so far, so a command may finish although it was
    interrupted. After SIGTERM the process has `GRACE` seconds to clean up. Then it is ended, because an exception in a
    callback of a C library is lost. Signals that are ignored or handled by somebody else are left alone, and so are all
    signals outside the main thread.

    Attributes:
        exit_code: The exit code for the first of these signals; 0 if there was none.
    """

    def __init__(self) -> None:
        self.exit_code = 0
        self._before: dict[int, Any] = {}

    def __enter__(self) -> EndingSignals:
        if threading.current_thread() is threading.main_thread():
            for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL)):
                if signal.getsignal(number) is usual:
                    self._before[number] = signal.signal(number, self._end)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _end(self, number: int, _: object) -> None:
        self.exit_code = self.exit_code or 128 + number
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        threading.Thread(target=_end_after, args=(GRACE, TERMINATED), daemon=True).start()
        raise SystemExit(TERMINATED)


def number_of_processes() -> int:
    """How many processes torchrun started for this command; 1 without torchrun."""
    text = os.environ.get("WORLD_SIZE", "1")
    return int(text) if text.isdecimal() and "RANK" in os.environ else 1


def is_follower() -> bool:
    """Whether another process of the same command prints and writes."""
    return number_of_processes() > 1 and os.environ["RANK"] != "0"


def follow_parent(parent: int) -> None:
    """Make this worker ignore Ctrl-C, and end when its parent ends, even if the parent is killed.

    Call it first in a worker process.

    Args:
        parent: Number of the parent process.
    """
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
    if not _is_told_by_the_system():
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    if os.getppid() != parent:  # it died before we asked
        os._exit(1)


def _is_told_by_the_system() -> bool:
    """Ask Linux to kill this process when its parent dies. Returns whether that worked."""
    if not sys.platform.startswith("linux"):
        return False
    with contextlib.suppress(OSError, AttributeError):
        return bool(ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL) == 0)
    return False


def _watch(parent: int) -> None:
    while os.getppid() == parent and psutil.pid_exists(parent):  # Windows does not forget the number of a dead parent
        time.sleep(INTERVAL)
    os._exit(1)


def _end_after(seconds: float, code: int) -> None:
    time.sleep(seconds)
    os._exit(code)
