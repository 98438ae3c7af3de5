from __future__ import annotations

from typing import Any

import pytest

from hoscpool.nn import HoscPool
from hoscpool.nn.batch import motif_matrices
from hoscpool.objectives import wedge_operator
from nn.cases import random_case


def test_the_wedge_operator_is_built_once_for_an_edge_list(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[Any] = []

    def count(adjacency: Any) -> Any:
        built.append(adjacency)
        return wedge_operator(adjacency)

    monkeypatch.setattr(motif_matrices, "wedge_operator", count)
    case, pool = random_case(), HoscPool(6, 3, {"wedge": 1.0}, on_edges=False).double()
    losses = [pool(case.x, **case.arguments).loss.item() for _ in range(3)]
    assert len(built) == 1
    assert len(set(losses)) == 1
