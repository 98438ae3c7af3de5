from __future__ import annotations

from typing import Any

import pytest
import torch

from hoscpool.objectives import just_balance_loss, orthogonality_loss


def test_one_cluster_is_0_with_gradient_0() -> None:
    s = torch.ones(5, 1, requires_grad=True)
    loss = orthogonality_loss(s)
    torch.autograd.backward(loss)
    assert loss.item() == 0
    assert s.grad is not None
    assert not s.grad.any()


def test_between_0_and_1(draw: Any) -> None:
    for clusters in (2, 3, 7):
        assert 0 <= orthogonality_loss(draw.assignment(20, clusters)).item() <= 1


def test_just_balance_has_the_same_preference(draw: Any) -> None:
    s = draw.assignment(9, 4)
    assert orthogonality_loss(s).item() == pytest.approx((1 + just_balance_loss(s).item()) * 2 / (2 - 1))
