from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from torch import nn

from hoscpool.nn import seed_parameters
from hoscpool.support.seeding import seeded


class Slow(nn.Linear):
    """Draws in steps, so that another thread could draw in between."""

    pause = threading.Event()

    def reset_parameters(self) -> None:
        for row in self.weight.data:
            nn.init.normal_(row)
            self.pause.wait(0.002)
        nn.init.zeros_(self.bias)


def test_threads_do_not_disturb_each_other_or_the_global_generator() -> None:
    alone = {seed: seed_parameters(Slow(3, 4), seed).state_dict() for seed in range(4)}
    modules = [Slow(3, 4) for _ in range(8)]
    state = torch.get_rng_state()
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(lambda i: seed_parameters(modules[i], i % 4).state_dict(), range(8)))
    assert torch.equal(torch.get_rng_state(), state)
    for i, found in enumerate(together):
        assert torch.equal(found["weight"], alone[i % 4]["weight"])


def test_other_devices_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "manual_seed_all", lambda _: pytest.fail("seeded a device that is not restored"))
    state = torch.get_rng_state()
    with seeded(3):
        drawn = torch.rand(2)
    assert torch.equal(torch.get_rng_state(), state)
    assert torch.equal(drawn, torch.rand(2, generator=torch.Generator().manual_seed(3)))


@pytest.mark.parametrize(
    "make",
    [
        lambda: nn.MultiheadAttention(4, 2),
        lambda: nn.TransformerEncoderLayer(4, 2, dim_feedforward=8, batch_first=True),
        lambda: nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.LayerNorm(4)),
    ],
)
def test_every_parameter_is_drawn(make: type[nn.Module]) -> None:
    module = make()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.fill_(7.0)
    seed_parameters(module, 0)
    assert all(bool((parameter != 7.0).all()) for parameter in module.parameters())


class Bare(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(2))


def test_a_parameter_that_nobody_draws_is_refused() -> None:
    first = nn.Linear(2, 2)
    module, before = nn.Sequential(first, Bare()), first.weight.clone()
    with pytest.raises(ValueError, match=r"every part .* reset_parameters\(\), but Bare with scale has none"):
        seed_parameters(module, 0)
    assert torch.equal(first.weight, before)
