from __future__ import annotations

import pytest
import torch

from hoscpool.nn import make_pool
from nn.cases import random_case

SIZES = (1, 7, 30, 97)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("name", ["topk", "sag", "asap"])
@pytest.mark.parametrize(("ratio", "kept"), [(1.0, SIZES), (1, (1,) * 4), (5, (1, 5, 5, 5)), (0.5, (1, 4, 15, 49))])
def test_a_ratio_is_a_share_and_an_integer_a_number(
    ratio: float, kept: tuple[int, ...], name: str, dtype: torch.dtype
) -> None:
    case = random_case(sizes=SIZES, density=0.1, dtype=dtype)
    pool = make_pool(name, in_channels=6, ratio=ratio).to(dtype)
    out = pool(case.x, **case.arguments)
    assert torch.bincount(out.batch).tolist() == list(kept)
    assert f"ratio={ratio}" in repr(pool)
