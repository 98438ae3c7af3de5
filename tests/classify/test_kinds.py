"""Features by kind give what the same features give row by row."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from classify.conftest import make_graphs
from hoscpool.classify import GraphClassifier, collate
from hoscpool.classify.data import merging
from hoscpool.classify.data.merging import find_kinds
from hoscpool.nn import list_encoders, make_encoder
from hoscpool.nn.encoders.propagation import Kinds, propagation
from nn.cases import random_case


@pytest.mark.parametrize("name", list_encoders())
def test_encoders_take_kinds(name: str) -> None:
    case, generator = random_case(), torch.Generator().manual_seed(0)
    table = torch.randn(3, 6, generator=generator, dtype=torch.float64)
    kinds = Kinds(table, torch.randint(0, 3, (len(case.x),), generator=generator))
    encoder = make_encoder(name, 6, 4).double()
    found = []
    for x in (table[kinds.of_node], kinds):
        out = encoder.encode(x, propagation(case.x, case.edge_index, case.edge_weight, None))
        found.append((out, *torch.autograd.grad(out.square().sum(), list(encoder.parameters()))))
    torch.testing.assert_close(*found)


def test_kinds_are_the_different_rows() -> None:
    x = torch.from_numpy(np.random.default_rng(0).integers(0, 2, (400, 3))).float().repeat(1, 20)
    found = find_kinds(x)
    assert found is not None
    assert len(found.table) == len(x.unique(dim=0))  # type: ignore[no-untyped-call]
    assert torch.equal(found.table[found.of_node], x)
    assert find_kinds(x[:, :3]) is None  # narrow
    assert find_kinds(torch.randn(400, 60)) is None  # all differ


def test_a_clash_of_words_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merging, "_digest_rows", lambda x, _: np.zeros(len(x), np.uint64))
    assert find_kinds(torch.eye(60).repeat(20, 1)) is None


def test_a_classifier_learns_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    graphs = make_graphs(40, width=0)
    rng = np.random.default_rng(0)
    for data in graphs:
        data.x = torch.eye(60)[torch.from_numpy(rng.integers(0, 6, data.num_nodes))]
    assert collate(graphs).batch(np.arange(4), ()).kinds is not None
    losses = []
    for wide in (merging.WIDE, 1000):
        monkeypatch.setattr(merging, "WIDE", wide)
        model = GraphClassifier(hidden=8, max_epochs=3, random_state=0, verbose=0).fit(collate(graphs))
        losses.append(model.history_["task_loss"])
    assert np.allclose(losses[0], losses[1], rtol=1e-4)
