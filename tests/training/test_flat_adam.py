"""Adam over one vector is Adam over the parameters, to the last digit of its state."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from hoscpool.training.flat_adam import FlatAdam


def make(seed: int = 0) -> nn.Sequential:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 2, bias=False))


def step(network: nn.Module, optimizer: torch.optim.Optimizer, number: int, clip: float = 0.5) -> float:
    optimizer.zero_grad()
    x = torch.randn(6, 4, generator=torch.Generator().manual_seed(number))
    loss: Tensor = network(x).square().sum()
    loss.backward()  # type: ignore[no-untyped-call]
    if isinstance(optimizer, FlatAdam):
        norm = optimizer.clip(clip)
    else:
        norm = float(nn.utils.clip_grad_norm_(network.parameters(), clip))
    optimizer.step()
    return norm


def both() -> tuple[tuple[nn.Module, FlatAdam], tuple[nn.Module, torch.optim.Adam]]:
    ours, theirs = make(), make()
    return (ours, FlatAdam(ours, 0.01)), (theirs, torch.optim.Adam(theirs.parameters(), lr=0.01))


def test_steps_norms_and_state_are_those_of_adam() -> None:
    ours, theirs = both()
    for number in range(5):
        assert step(*ours, number) == pytest.approx(step(*theirs, number), rel=1e-5)
    torch.testing.assert_close(ours[0].state_dict(), theirs[0].state_dict())
    own, other = ours[1].state_dict()["state"], theirs[1].state_dict()["state"]
    assert list(own) == list(other)
    for number in other:
        torch.testing.assert_close(own[number], other[number])


def test_a_small_gradient_is_not_clipped() -> None:
    ours, theirs = both()
    assert step(*ours, 0, clip=1e6) == pytest.approx(step(*theirs, 0, clip=1e6))
    torch.testing.assert_close(ours[0].state_dict(), theirs[0].state_dict())


def test_goes_on_from_the_state_of_plain_adam() -> None:
    theirs, other = both()[1]
    for number in range(3):
        step(theirs, other, number)
    ours = make(1)
    ours.load_state_dict(theirs.state_dict())
    optimizer = FlatAdam(ours, 0.01)
    optimizer.load_state_dict(other.state_dict())
    step(ours, optimizer, 3)
    step(theirs, other, 3)
    torch.testing.assert_close(ours.state_dict(), theirs.state_dict())


def test_a_parameter_that_the_state_does_not_know_begins_at_zero() -> None:
    (network, optimizer), _ = both()
    step(network, optimizer, 0)
    state = optimizer.state_dict()
    del state["state"][1]
    optimizer.load_state_dict(state)
    assert not bool(optimizer.state_dict()["state"][1]["exp_avg"].any())
    assert bool(optimizer.state_dict()["state"][2]["exp_avg"].any())


def test_an_optimizer_that_made_no_step_has_no_state() -> None:
    optimizer = FlatAdam(make(), 0.01)
    state = optimizer.state_dict()
    assert state["state"] == {}
    optimizer.load_state_dict(state)


def test_parameters_share_memory_until_released() -> None:
    (network, optimizer), _ = both()
    storages = {parameter.untyped_storage().data_ptr() for parameter in network.parameters()}
    assert len(storages) == 1
    before = {name: value.clone() for name, value in network.state_dict().items()}
    optimizer.release()
    storages = {parameter.untyped_storage().data_ptr() for parameter in network.parameters()}
    assert len(storages) == 3
    assert all(parameter.grad is None for parameter in network.parameters())
    torch.testing.assert_close(network.state_dict(), before)
