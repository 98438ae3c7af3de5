from __future__ import annotations

import pytest
import torch

from hoscpool.nn import HoscPool, make_pool
from nn.cases import random_case


def test_lift_of_clusters_is_s_times_x() -> None:
    case = random_case()
    out = HoscPool(6, 3).double()(case.x, **case.arguments)
    lifted = out.lift(out.x)
    for b in range(3):
        rows = case.batch == b
        torch.testing.assert_close(lifted[rows], out.assignment[rows] @ out.x[b])


def test_lift_of_kept_nodes_puts_them_back() -> None:
    case = random_case()
    out = make_pool("topk", in_channels=6, ratio=0.5).double()(case.x, **case.arguments)
    lifted = out.lift(out.x)
    dropped = out.labels() == -1
    assert int(dropped.sum()) == len(case.x) - len(out.x)
    assert not bool(lifted[dropped].any())
    torch.testing.assert_close(lifted[~dropped], out.x[out.labels()[~dropped]])


def test_members_are_those_of_one_graph() -> None:
    case = random_case()
    out = HoscPool(6, 3).double()(case.x, **case.arguments)
    for b in range(3):
        for k in range(3):
            expected = [i for i in range(24) if case.batch[i] == b and int(out.assignment[i].argmax()) == k]
            assert out.members(k, graph=b).tolist() == expected


def test_members_of_a_contracted_edge() -> None:
    case = random_case()
    out = make_pool("edge", in_channels=6).double()(case.x, **case.arguments)
    sizes = [len(out.members(m)) for m in range(len(out.x))]
    assert sum(sizes) == 24
    assert set(sizes) <= {1, 2}


def test_members_of_an_ego_network_include_its_centre_and_neighbours() -> None:
    case = random_case()
    out = make_pool("asap", in_channels=6).double()(case.x, **case.arguments)
    neighbours = {(int(i), int(j)) for i, j in case.edge_index.t()}
    for m in range(len(out.x)):
        members = set(out.members(m).tolist())
        assert any(members == {i} | {j for j in range(24) if (j, i) in neighbours} for i in members)


def test_lift_refuses_other_shapes() -> None:
    case = random_case()
    out = HoscPool(6, 3).double()(case.x, **case.arguments)
    with pytest.raises(ValueError, match=r"x_pool: expected the shape \(3, 3, 'F'\) of out.x, got \(3, 4, 6\)"):
        out.lift(torch.randn(3, 4, 6))


def test_repr_is_short() -> None:
    case = random_case()
    out = HoscPool(6, 3).double()(case.x, **case.arguments)
    assert repr(out).startswith("PoolingOutput(x=[3, 3, 6], adjacency=[3, 3, 3], edge=-0.")
    assert "edge_index=[2, " in repr(make_pool("none", in_channels=6)(case.x, **case.arguments))


@pytest.mark.parametrize("name", ["hosc", "random"])
def test_to_sparse_lists_the_supernodes_that_exist(name: str) -> None:
    case = random_case()
    pool = make_pool(name, in_channels=6, num_clusters=12).double().requires_grad_(False)
    out = pool(case.x, **case.arguments)
    x, edge_index, edge_weight, batch = out.to_sparse()
    assert out.adjacency is not None
    assert edge_weight is not None
    rows = [(b, k) for b in range(3) for k in range(12) if out.mask is None or bool(out.mask[b, k])]
    assert name == "hosc" or len(rows) < 36
    assert batch.tolist() == [b for b, _ in rows]
    torch.testing.assert_close(x, torch.stack([out.x[place] for place in rows]))
    found = {(int(i), int(j)): float(w) for (i, j), w in zip(edge_index.t(), edge_weight, strict=True)}
    expected = {
        (i, j): float(out.adjacency[b, k, m])
        for i, (b, k) in enumerate(rows)
        for j, (c, m) in enumerate(rows)
        if b == c and float(out.adjacency[b, k, m]) > 0
    }
    assert found == expected


def test_gradients_reach_the_assignment_through_the_sparse_weights() -> None:
    case, pool = random_case(), HoscPool(6, 3).double()
    _, _, edge_weight, _ = pool(case.x, **case.arguments).to_sparse()
    assert edge_weight is not None
    edge_weight.square().sum().backward()
    assert all(bool(part.grad.abs().sum() > 0) for part in pool.mlp.parameters() if part.grad is not None)
    assert pool.mlp[0].weight.grad is not None


def test_to_sparse_of_an_edge_list_is_that_list() -> None:
    case = random_case()
    out = make_pool("topk", in_channels=6, ratio=0.5).double()(case.x, **case.arguments)
    assert all(a is b for a, b in zip(out.to_sparse(), (out.x, *out.graph.values()), strict=True))


def test_it_unpacks_as_documented() -> None:
    case = random_case()
    out = HoscPool(6, 3).double()(case.x, **case.arguments)
    x, adjacency, assignment, losses, loss = out
    assert x is out.x
    assert adjacency is out.adjacency
    assert assignment is out.assignment
    assert losses is out.losses
    assert loss is out.loss
