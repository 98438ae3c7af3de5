from __future__ import annotations

import torch

from hoscpool.nn import RandomPool
from nn.cases import random_case


def test_training_draws_anew_and_evaluation_repeats() -> None:
    case = random_case()
    pool = RandomPool(6, 4, random_state=1).double()
    first, second = pool(case.x, **case.arguments), pool(case.x, **case.arguments)
    assert not torch.equal(first.assignment, second.assignment)
    pool.eval()
    third, fourth = pool(case.x, **case.arguments), pool(case.x, **case.arguments)
    assert torch.equal(third.assignment, fourth.assignment)


def test_the_sequence_follows_the_seed_and_survives_saving() -> None:
    case = random_case()
    pool, twin, other = (RandomPool(6, 4, random_state=seed).double() for seed in (1, 1, 2))
    drawn = [pool(case.x, **case.arguments).assignment for _ in range(3)]
    assert torch.equal(twin(case.x, **case.arguments).assignment, drawn[0])
    assert not torch.equal(other(case.x, **case.arguments).assignment, drawn[0])
    resumed = RandomPool(6, 4, random_state=1).double()
    resumed.load_state_dict(twin.state_dict())
    assert torch.equal(resumed(case.x, **case.arguments).assignment, drawn[1])
    pool.reset_parameters()
    assert torch.equal(pool(case.x, **case.arguments).assignment, drawn[0])


def test_clusters_that_nobody_joined_are_masked() -> None:
    case = random_case(sizes=(3, 5))
    out = RandomPool(6, 20).double()(case.x, **case.arguments)
    joined = torch.stack([out.assignment[case.batch == b].sum(0) > 0 for b in range(2)])
    assert out.mask is not None
    assert torch.equal(out.mask, joined)
    assert not bool(out.x[~out.mask].any())
    again = RandomPool(6, 3).double()(out.x, **out.graph)
    assert len(again.assignment) == int(out.mask.sum())
