from __future__ import annotations

import numpy as np
import pytest

from hoscpool.distributed.blocks.node_ids import IdSet, places_in


@pytest.mark.parametrize("limit", [0, 5, 1000])
@pytest.mark.parametrize("spread", [3, 50, 10**15])
def test_ids_and_their_places(limit: int, spread: int) -> None:
    rng = np.random.default_rng(0)
    parts = [rng.integers(-spread, spread, 30) for _ in range(4)] + [np.empty(0, np.int64)]
    ids = IdSet(limit)
    for part in parts:
        ids.add(part)
    found = ids.sorted()
    np.testing.assert_array_equal(found, np.unique(np.concatenate(parts)))
    for part in parts[:4]:
        np.testing.assert_array_equal(found[places_in(found, limit)(part)], part)


def test_no_ids() -> None:
    assert len(IdSet(10).sorted()) == 0
    assert len(places_in(IdSet(10).sorted(), 10)(np.empty(0, np.int64))) == 0
