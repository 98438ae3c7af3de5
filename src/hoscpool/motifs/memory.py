"""Refusing work that cannot fit before it starts, and taking memory in large pieces."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.errors import MemoryEstimateError

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
        MemoryEstimateError: They are not; the message has the estimate and the advice.
    """
    available = available_memory()
    if needed > available:
        raise MemoryEstimateError(what, needed, available, advice)


def empty_arrays(*wanted: tuple[int, npt.DTypeLike]) -> list[npt.NDArray[Any]]:
    """Uninitialised arrays of these lengths and types, all in one block of memory.

    The allocator keeps a large block for the next call where it gives back many middling ones, and each page that the
    system hands out anew costs as much as hundreds of entries counted.

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
