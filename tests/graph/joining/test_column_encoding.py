"""Columns as features: no NaN and no infinity, whatever is in them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoscpool.graph.joining.column_encoding import CATEGORIES, encode

CELLS = st.one_of(
    st.none(), st.floats().map(repr), st.text(max_size=3), st.sampled_from(["1e308", "-1e308", "5e-324", "1,5"])
)


@given(st.lists(CELLS, min_size=1, max_size=12))
def test_features_are_finite(cells: list[str | None]) -> None:
    found = encode("x", cells)
    assert np.isfinite(found.values).all()
    assert found.values.shape == (len(cells), len(found.names))


@pytest.mark.parametrize(
    ("name", "cells", "kind"),
    [
        ("age", ["1", "2", "3"], "number"),
        ("decimal", ["1,5", "2,5"], "number"),
        ("mixed", ["1", "b", "1", "b"], "category"),
        ("flag", ["True", "False", "True", "False"], "category"),
        ("bio", ["a", "b", "c"], "text"),
        ("many", [str(i % (CATEGORIES + 1)) + "x" for i in range(500)], "text"),
        ("Class", ["1", "2"], "classes"),
        ("facebook_id", ["1", "2"], "ids"),
        ("same", ["1", "1", None], "the same for all"),
    ],
)
def test_kinds(name: str, cells: list[str | None], kind: str) -> None:
    assert encode(name, cells).kind == kind
