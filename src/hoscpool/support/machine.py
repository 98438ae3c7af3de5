"""The machine: processor, memory and versions, without the name of the host or the user."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib.metadata
import os
import platform
import re
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import psutil

from hoscpool.support.errors import MemoryEstimateError


def machine_summary() -> dict[str, str]:
    """Processor, number of cores this process may use, memory, and system."""
    return {
        "processor": _processor(),
        "cores": str(available_cores()),
        "memory": f"{psutil.virtual_memory().total / 1e9:.0f} GB",
        "system": f"{platform.system()} {platform.machine()}",
    }


def available_cores() -> int:
    """Number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def versions(packages: Iterable[str]) -> dict[str, str]:
    """The versions of Python and of those packages that are installed, by name."""
    found = {"python": platform.python_version()}
    for package in sorted(set(packages)):
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def _processor() -> str:
    """The model as the system names it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.processor() or platform.machine())


_RESET_PEAK = Path("/proc/self/clear_refs")
_STATUS = Path("/proc/self/status")


class PeakMemory:
    """Measures how far the resident memory of this process rises inside the ``with`` block.

    On Linux the kernel records the peak, so no short spike is missed. Elsewhere a thread samples every millisecond.

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
    """Return freed memory to the system. Otherwise a call that reuses it would seem to need none."""
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


def peak_memory() -> int:
    """The largest resident memory of this process so far in bytes; outside Linux that of now.

    Examples:
        >>> peak_memory() > 10_000_000
        True
    """
    return _kernel_peak() if _STATUS.exists() else int(psutil.Process().memory_info().rss)


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


_SHARE = 0.9
"""Share of the free memory that one result may take."""
_LINE = 64


def available_memory() -> int:
    """Bytes that this process may still take."""
    import psutil

    return int(psutil.virtual_memory().available * _SHARE)


def require_memory(needed: int, what: str, advice: str) -> None:
    """Raise unless ``needed`` bytes are free.

    Raises:
        MemoryEstimateError: They are not. The message has the estimate and the advice.
    """
    available = available_memory()
    if needed > available:
        raise MemoryEstimateError(what, needed, available, advice)


def empty_arrays(*wanted: tuple[int, npt.DTypeLike]) -> list[npt.NDArray[Any]]:
    """Uninitialised arrays of these lengths and types, all in one block of memory.

    The allocator keeps one large block for the next call, but returns many medium ones to the system. Every page that
    the system hands out again costs as much time as counting hundreds of entries.

    Examples:
        >>> [array.shape for array in empty_arrays((3, np.int64), (5, np.bool_))]
        [(3,), (5,)]
    """
    sizes = [length * np.dtype(kind).itemsize for length, kind in wanted]
    starts = np.cumsum([0, *(-(-size // _LINE) * _LINE for size in sizes)]).tolist()
    block = np.empty(starts[-1], np.uint8)
    return [
        block[start : start + size].view(kind) for start, size, (_, kind) in zip(starts, sizes, wanted, strict=False)
    ]


_UNITS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}


def parse_bytes(name: str, text: str) -> int:
    """A number of bytes.

    Args:
        name: Where it was given, for the message.
        text: A number with or without a unit.

    Raises:
        ValueError: It is not a size.

    Examples:
        >>> parse_bytes("memory", "16GB") == 16 * 2**30, parse_bytes("memory", "1.5 m") == 3 * 2**19
        (True, True)
    """
    found = re.fullmatch(r"(\d{1,15}(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE | re.ASCII)
    if found is None:
        raise ValueError(f"{name}: expected a size in bytes such as 16GB, got {text!r}")
    return int(float(found[1]) * 2 ** _UNITS[found[2].upper()])


def bytes_text(size: float) -> str:
    """A number of bytes in the largest unit that fits.

    Examples:
        >>> bytes_text(3 * 2**29), bytes_text(250 * 2**20), bytes_text(900)
        ('1.5 GB', '250 MB', '900 bytes')
    """
    for unit in "TGM":
        if size >= 2 ** _UNITS[unit]:
            return f"{size / 2 ** _UNITS[unit]:.3g} {unit}B"
    return f"{size:,.0f} bytes"
