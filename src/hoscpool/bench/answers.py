"""Compares what contenders answer."""

from __future__ import annotations

from typing import Any

import numpy as np


def difference(ours: Any, theirs: Any) -> str | None:
    """How two answers (arrays, numbers or strings) differ, in a few words; ``None`` when they are equal.

    Examples:
        >>> difference([1, 2, 3], [1, 2, 4])
        'differs in 1 of 3 values (sum 7, ours 6)'
    """
    a, b = np.asarray(ours), np.asarray(theirs)
    if a.shape != b.shape:
        return f"differs in shape: {b.shape}, ours {a.shape}"
    unequal = int(np.count_nonzero(a != b))
    if not unequal:
        return None
    sums = f" (sum {b.sum()}, ours {a.sum()})" if np.issubdtype(a.dtype, np.number) else ""
    return f"differs in {unequal:,} of {a.size:,} values{sums}"
