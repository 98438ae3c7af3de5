"""Refusing work that cannot fit, before it starts."""

from __future__ import annotations

from hoscpool.errors import MemoryEstimateError

_SHARE = 0.9
"""Share of the free memory that one result may take."""


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
