from __future__ import annotations

import pytest

from hoscpool.graph.raw import find_ends, find_weight


@pytest.mark.parametrize(
    ("names", "ends"),
    [
        (["source", "target"], (0, 1)),
        (["Weight", "FROM", "to"], (1, 2)),
        (["start", "end", "src", "dst"], (2, 3)),
        (["from_node_id", "ToNodeId"], (0, 1)),
        (["a", "b"], None),
        (["source", "b"], None),
    ],
)
def test_ends(names: list[str], ends: tuple[int, int] | None) -> None:
    assert find_ends(names) == ends


def test_only_what_is_called_a_weight_is_one() -> None:
    assert find_weight(["source", "target", "year"], (0, 1)) is None
    assert find_weight(["source", "target", "year", "Edge Weight"], (0, 1)) == 3
    assert find_weight(["value", "count"], (0, 1)) is None
