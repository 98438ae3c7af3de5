from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hoscpool.bench.harness.cases import difference


@pytest.mark.parametrize(
    ("ours", "theirs", "text"),
    [
        (np.array([1, 2]), np.array([1.0, 2.0]), None),
        (["12", "abc"], ["12", "abc"], None),
        (np.zeros(0), np.zeros(0), None),
        (np.array([1, 2]), np.array([2, 1]), "differs in 2 of 2 values (sum 3, ours 3)"),
        (np.array([1, 2]), np.array([1]), "differs in shape: (1,), ours (2,)"),
        (["12", "abc"], ["12", "abd"], "differs in 1 of 2 values"),
    ],
)
def test_difference(ours: Any, theirs: Any, text: str | None) -> None:
    assert difference(ours, theirs) == text
