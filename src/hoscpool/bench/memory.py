"""Peak memory of one call, beyond what the process held before it."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import threading
from pathlib import Path

import psutil

_RESET_PEAK = Path("/proc/self/clear_refs")
_STATUS = Path("/proc/self/status")


class PeakMemory:
    """Measures how far the resident memory of this process rises inside the ``with`` block.

    On Linux the kernel keeps the peak, so that no short spike is missed; elsewhere a thread samples every millisecond.

    Attributes:
        n_bytes: The peak beyond the start of the block, set at its end.

    Examples:
        >>> with PeakMemory() as peak:
        ...     block = bytearray(50_000_000)
        >>> 45_000_000 < peak.n_bytes < 60_000_000
        True
    """

    n_bytes = 0

    def __enter__(self) -> PeakMemory:
        _give_back_free_memory()
        self._sampler = None if _reset_kernel_peak() else _Sampler()
        self._before = psutil.Process().memory_info().rss
        return self

    def __exit__(self, *_: object) -> None:
        peak = _kernel_peak() if self._sampler is None else self._sampler.stop()
        self.n_bytes = max(0, peak - self._before)


def _give_back_free_memory() -> None:
    """Return freed memory to the system; otherwise a call that reuses it would seem to need none."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):  # glibc only
        ctypes.CDLL(None).malloc_trim(0)


def _reset_kernel_peak() -> bool:
    try:
        _RESET_PEAK.write_text("5")
    except OSError:
        return False
    return True


def _kernel_peak() -> int:
    line = next(line for line in _STATUS.read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


class _Sampler:
    def __init__(self) -> None:
        self._peak: int = 0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        process = psutil.Process()
        while not self._done.wait(0.001):
            self._peak = max(self._peak, process.memory_info().rss)

    def stop(self) -> int:
        self._done.set()
        self._thread.join()
        return max(self._peak, int(psutil.Process().memory_info().rss))
