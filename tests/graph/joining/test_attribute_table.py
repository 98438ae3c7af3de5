"""Which column has the names of the nodes."""

from __future__ import annotations

import pytest

from hoscpool.graph.joining.attribute_table import AttributeTable, read_attributes


def table(**columns: list[str]) -> AttributeTable:
    return AttributeTable("t", columns, range(3))


@pytest.mark.parametrize(
    ("columns", "key"),
    [
        ({"age": ["0", "1", "2"], "id": ["2", "1", "0"]}, "id"),
        ({"who": ["0", "1", "2"], "x": ["5", "6", "7"]}, "who"),
        ({"x": ["5", "6", "0"], "who": ["0", "1", "2"]}, "who"),
        ({"id": ["q", "r", "s"], "page": ["0", "1", "2"]}, "page"),
    ],
)
def test_the_column_of_names(columns: dict[str, list[str]], key: str) -> None:
    assert table(**columns).id_column(["0", "1", "2"]) == key


def test_missing_cells() -> None:
    found = read_attributes({"a": {"x": 1.0, "y": None}, "b": {"x": float("nan"), "y": "N/A"}, "c": {"y": 2.5}})
    assert found.columns == {"node": ["a", "b", "c"], "x": ["1", None, None], "y": [None, None, "2.5"]}
