from __future__ import annotations

import pytest
import torch
from torch.autograd import gradcheck, gradgradcheck

from hoscpool.nn.sums.segments import Sizes, is_paddable, lift_segments, pad_segments, reduce_segments

ONE_LARGE: Sizes = (9, 1, 1, 0, 1, 1, 1)
SIZES: list[Sizes] = [(3, 4, 2), (3, 3), (0, 5, 1), (6,), (0, 0), ONE_LARGE]


def parts(sizes: Sizes) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(1)
    n = sum(sizes)
    shapes = ((n, 2), (n, 3), (len(sizes), 2, 3))
    s, x, p = (torch.randn(*shape, dtype=torch.float64, generator=generator) for shape in shapes)
    return s.requires_grad_(), x.requires_grad_(), p.requires_grad_()


@pytest.mark.parametrize("sizes", SIZES)
def test_reduce_is_the_product_of_every_graph(sizes: Sizes) -> None:
    s, x, _ = parts(sizes)
    expected = [a.t() @ b for a, b in zip(torch.split(s, list(sizes)), torch.split(x, list(sizes)), strict=True)]
    torch.testing.assert_close(reduce_segments(s, x, sizes), torch.stack(expected))


@pytest.mark.parametrize("sizes", SIZES)
def test_lift_is_the_product_of_every_graph(sizes: Sizes) -> None:
    s, _, p = parts(sizes)
    expected = [a @ b for a, b in zip(torch.split(s, list(sizes)), p, strict=True)]
    torch.testing.assert_close(lift_segments(s, p, sizes), torch.cat(expected))


def test_only_graphs_of_similar_size_are_padded() -> None:
    assert [is_paddable(sizes, work=6) for sizes in SIZES] == [True, True, True, True, True, False]
    assert is_paddable((100, 300), work=2_500)  # 200 rows of padding, 500,000 multiplications: two calls
    assert not is_paddable((100, 300), work=2_501)
    assert is_paddable((300, 300), work=10**9)
    x = parts((1, 0, 2))[1]
    zero = torch.zeros(2, 3, dtype=x.dtype)
    torch.testing.assert_close(pad_segments(x, (1, 0, 2)), torch.stack([torch.cat([x[:1], zero[:1]]), zero, x[1:]]))


@pytest.mark.parametrize("sizes", [(3, 4, 2), (2, 2), (0, 3, 1), ONE_LARGE])
def test_gradients_of_first_and_second_order(sizes: Sizes) -> None:
    s, x, p = parts(sizes)
    assert gradcheck(lambda s, x: reduce_segments(s, x, sizes), (s, x))
    assert gradcheck(lambda s, p: lift_segments(s, p, sizes), (s, p))
    assert gradgradcheck(lambda s, x: reduce_segments(s, x, sizes), (s, x))
    assert gradgradcheck(lambda s, p: lift_segments(s, p, sizes), (s, p))
