"""What every pool of the registry promises."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from hoscpool.nn import (
    Pool,
    PoolingOutput,
    list_encoders,
    list_pools,
    make_encoder,
    make_pool,
    pool_info,
    seed_parameters,
)
from hoscpool.support.errors import GraphWarning
from nn.cases import Case, as_case, degenerate_case, padded, random_case

POOLS = list_pools()
WIDTH, CLUSTERS = 6, 4


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """These tensors are tiny: on a busy machine a second thread is mostly waited for."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def make(name: str, dtype: torch.dtype = torch.float64, **options: Any) -> Pool:
    pool = make_pool(name, in_channels=WIDTH, num_clusters=CLUSTERS, **options)
    seed_parameters(pool, 0)
    return pool.to(dtype).eval()


def one_graph(case: Case, b: int) -> Case:
    return as_case([case.matrices[b]], [case.features[b]], case.edge_weight is not None, case.x.dtype)


def rows_of(out: PoolingOutput, b: int) -> Tensor:
    """The supernodes of one graph."""
    if out.is_dense:
        return out.x[b]
    assert out.batch is not None
    return out.x[out.batch == b]


def in_order(rows: Tensor) -> Tensor:
    """Rows sorted by their first entry: drop pools promise a set of nodes, not an order."""
    return rows[rows[:, 0].argsort()]


def total(out: PoolingOutput) -> Tensor:
    """A number that depends on everything that comes out."""
    value = out.loss + out.x.pow(2).sum()
    for part in (out.adjacency, out.edge_weight):
        value = value if part is None else value + part.pow(2).sum()
    return value


@pytest.mark.parametrize("name", POOLS)
def test_shapes(name: str) -> None:
    case, pool = random_case(), make(name)
    out = pool(case.x, **case.arguments)
    assert out.num_graphs == 3
    assert out.x.size(-1) == pool.out_channels
    assert out.x.dtype == torch.float64
    assert out.loss.shape == out.objective.shape == ()
    assert all(value.shape == () for value in out.losses.values())
    size = 1 if pool_info(name).is_global else CLUSTERS
    if out.is_dense:
        assert out.x.shape[:2] == (3, size)
        assert out.adjacency.shape == (3, size, size)
        assert out.assignment.shape == (24, size)
        torch.testing.assert_close(out.adjacency, out.adjacency.mT)
    else:
        assert out.batch.shape == out.x.shape[:1]
        assert out.assignment.shape == (24, len(out.x))
        assert bool((out.batch.diff() >= 0).all())
        assert len(out.edge_index) == 2


@pytest.mark.parametrize("name", POOLS)
def test_a_supernode_that_does_not_exist_has_no_edges(name: str) -> None:
    case = random_case(sizes=(1, 2, 9), weighted=True)
    out = make(name)(case.x, **case.arguments)
    if out.mask is not None:
        assert not bool(out.mask.all()), "a single node cannot fill several clusters"
        assert not bool(out.adjacency[~out.mask].any())
        assert not bool(out.adjacency.mT[~out.mask].any())


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", POOLS)
def test_a_batch_is_its_graphs(name: str, weighted: bool) -> None:
    # no two nodes with the same neighbours: EdgePool would score them alike, and PyG settles ties by chance
    case, pool = random_case(seed=3, sizes=(8, 12, 9), density=0.5, weighted=weighted), make(name)
    together = pool(case.x, **case.arguments)
    alone = []
    for b in range(3):
        single = one_graph(case, b)
        out = pool(single.x, single.edge_index, single.edge_weight)
        torch.testing.assert_close(rows_of(together, b), rows_of(out, 0))
        if out.is_dense:
            torch.testing.assert_close(together.adjacency[b], out.adjacency[0])
        alone.append(out.losses)
    for key, value in together.losses.items():
        torch.testing.assert_close(value, torch.stack([losses[key] for losses in alone]).mean())


@pytest.mark.parametrize("name", sorted(set(POOLS) - {"random"}))
def test_the_order_of_the_nodes_does_not_matter(name: str) -> None:
    case, pool = random_case(weighted=True, density=0.7), make(name)
    rng = np.random.default_rng(1)
    orders = [rng.permutation(size) for size in case.sizes]
    matrices = [A[np.ix_(p, p)] for A, p in zip(case.matrices, orders, strict=True)]
    features = [X[p] for X, p in zip(case.features, orders, strict=True)]
    other = as_case(matrices, features, weighted=True)
    out, moved = pool(case.x, **case.arguments), pool(other.x, **other.arguments)
    torch.testing.assert_close(out.loss, moved.loss)
    for b in range(3):
        torch.testing.assert_close(in_order(rows_of(out, b)), in_order(rows_of(moved, b)))
    if out.is_dense:
        torch.testing.assert_close(out.adjacency, moved.adjacency)
        starts = np.cumsum([0, *case.sizes[:-1]])
        order = np.concatenate([p + start for p, start in zip(orders, starts, strict=True)])
        torch.testing.assert_close(out.assignment[torch.from_numpy(order)], moved.assignment)


@pytest.mark.parametrize("name", POOLS)
def test_a_dense_input_is_the_same_graph(name: str) -> None:
    case, pool = random_case(), make(name)
    x, adjacency, mask = padded(case)
    sparse, dense = pool(case.x, **case.arguments), pool(x, adjacency=adjacency, mask=mask)
    torch.testing.assert_close(sparse.x, dense.x)
    torch.testing.assert_close(sparse.loss, dense.loss)
    torch.testing.assert_close(dict(sparse.losses), dict(dense.losses))
    if sparse.is_dense:
        torch.testing.assert_close(sparse.adjacency, dense.adjacency)


@pytest.mark.parametrize("name", POOLS)
def test_gradients_reach_the_input_and_every_parameter(name: str) -> None:
    case, pool = random_case(), make(name)
    x = case.x.requires_grad_()
    torch.autograd.backward([total(pool(x, **case.arguments))])
    assert x.grad is not None
    assert bool((x.grad != 0).any())
    assert bool(x.grad.isfinite().all())
    idle = {"asap": {"operator.select.weight"}, "sag": {"operator.select.weight"}}.get(name, set())
    for key, parameter in pool.named_parameters():
        if key not in idle:  # PyG scores one number by one weight and divides by its size: only the sign counts
            assert parameter.grad is not None, key
            assert bool(parameter.grad.isfinite().all()), key


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("name", POOLS)
def test_degenerate_graphs_are_finite_with_finite_gradients(name: str, dtype: torch.dtype) -> None:
    case, pool = degenerate_case(dtype=dtype), make(name, dtype)
    singles = [one_graph(case, b) for b in range(len(case.matrices))]
    for graph in [case, *singles]:
        x = graph.x.requires_grad_()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", GraphWarning)  # a motif without an instance is reported
            out = pool(x, **graph.arguments)
        value = total(out)
        (gradient,) = torch.autograd.grad(value, x)
        assert bool(value.isfinite())
        assert bool(gradient.isfinite().all())
        assert bool(out.lift(out.x).isfinite().all())


@pytest.mark.parametrize("name", POOLS)
def test_a_graph_without_nodes_inside_a_batch(name: str) -> None:
    case, pool = random_case(sizes=(5, 6)), make(name)
    out = pool(case.x, case.edge_index, batch=case.batch * 2)  # graph 1 is empty
    full = pool(case.x, **case.arguments)
    assert out.num_graphs == 3
    assert bool(out.loss.isfinite())
    for found, expected in ((0, 0), (2, 1)):
        torch.testing.assert_close(rows_of(out, found), rows_of(full, expected))
    assert not bool(rows_of(out, 1).any())


@pytest.mark.parametrize("encoder", list_encoders())
@pytest.mark.parametrize("name", POOLS)
def test_the_output_feeds_any_layer(name: str, encoder: str) -> None:
    case, pool = random_case(), make(name)
    out = pool(case.x, **case.arguments)
    hidden = make_encoder(encoder, pool.out_channels, WIDTH).double()(out.x, **out.graph)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphWarning)  # the coarsened graph may have self-loops or no triangle
        for following in POOLS:
            again = make(following)(hidden, **out.graph)
            assert bool(again.x.isfinite().all())
            assert again.num_graphs == 3


@pytest.mark.parametrize("name", POOLS)
def test_every_node_is_listed_and_lifted(name: str) -> None:
    case, pool = random_case(), make(name)
    out = pool(case.x, **case.arguments)
    lifted = out.lift(torch.ones_like(out.x))
    assert lifted.shape == (24, pool.out_channels)
    labels = out.labels()
    assert labels.shape == (24,)
    if not out.is_dense:
        return
    members = [out.members(k, b) for b in range(3) for k in range(out.x.size(1))]
    assert torch.equal(torch.cat(members).sort().values, torch.arange(24))
    torch.testing.assert_close(lifted, torch.ones_like(lifted))  # rows of S add up to 1


@pytest.mark.parametrize("name", POOLS)
def test_saved_and_loaded(name: str, tmp_path: Any) -> None:
    case, pool = random_case(), make(name)
    torch.save(pool.state_dict(), tmp_path / "pool.pt")
    other = make_pool(name, in_channels=WIDTH, num_clusters=CLUSTERS).double().eval()
    other.load_state_dict(torch.load(tmp_path / "pool.pt", weights_only=True))
    for second in (other, copy.deepcopy(pool)):
        first, again = pool(case.x, **case.arguments), second(case.x, **case.arguments)
        assert torch.equal(first.x, again.x)
        assert torch.equal(first.loss, again.loss)


@pytest.mark.parametrize("name", POOLS)
def test_the_same_seed_gives_the_same_layer(name: str) -> None:
    case = random_case()
    first, second = make_pool(name, in_channels=6, num_clusters=4), make_pool(name, in_channels=6, num_clusters=4)
    state = torch.get_rng_state()
    for pool in (first, second):
        seed_parameters(pool, 3).double().train()
    assert torch.equal(first(case.x, **case.arguments).x, second(case.x, **case.arguments).x)
    assert torch.equal(torch.get_rng_state(), state)


@pytest.mark.parametrize("name", POOLS)
def test_single_precision_is_kept_and_close(name: str) -> None:
    case, single = random_case(), make(name, torch.float32)
    double = copy.deepcopy(single).double()
    out = single(case.x.float(), **case.arguments)
    expected = double(case.x, **case.arguments)
    assert out.x.dtype == out.loss.dtype == torch.float32
    torch.testing.assert_close(out.x.double(), expected.x, rtol=1e-3, atol=1e-4)
    torch.testing.assert_close(out.loss.double(), expected.loss, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("name", POOLS)
def test_moving_to_another_device_keeps_the_shapes(name: str) -> None:
    pool = make(name).to("meta")
    assert all(tensor.device.type == "meta" for tensor in pool.state_dict().values())


@pytest.mark.parametrize("name", POOLS)
def test_repr_names_the_width(name: str) -> None:
    assert str(WIDTH) in repr(make(name))


BAD_INPUTS = {
    "wide": (
        {"x": torch.randn(3, 7), "edge_index": torch.tensor([[0], [1]])},
        "x: expected in_channels = 6 features per node",
    ),
    "flat": ({"x": torch.randn(3), "edge_index": torch.tensor([[0], [1]])}, r"x: expected .* \[N, F\]"),
    "range": ({"x": torch.randn(3, 6), "edge_index": torch.tensor([[0], [3]])}, "expected nodes 0 to 2"),
    "below": ({"x": torch.randn(3, 6), "edge_index": torch.tensor([[0], [-1]])}, "expected nodes 0 to 2"),
    "float": ({"x": torch.randn(3, 6), "edge_index": torch.rand(3, 3)}, "pass a dense adjacency as adjacency="),
    "dense": (
        {"x": torch.randn(1, 3, 6), "edge_index": torch.rand(1, 3, 3)},  # as PyG calls its dense pools
        "edge_index: expected integers .* pass a dense adjacency as adjacency= or adj=",
    ),
    "neither": ({"x": torch.randn(3, 6)}, "expected exactly one of them, got neither"),
    "both": (
        {"x": torch.randn(3, 6), "edge_index": torch.tensor([[0], [1]]), "adjacency": torch.ones(1, 3, 3)},
        "expected exactly one of them, got both",
    ),
    "negative": (
        {"x": torch.randn(3, 6), "edge_index": torch.tensor([[0], [1]]), "edge_weight": torch.tensor([-1.0])},
        "edge_weight: expected finite numbers of at least 0",
    ),
    "nan": (
        {"x": torch.randn(3, 6), "edge_index": torch.tensor([[0], [1]]), "edge_weight": torch.tensor([torch.nan])},
        "edge_weight: expected finite numbers of at least 0",
    ),
    "few weights": (
        {"x": torch.randn(3, 6), "edge_index": torch.tensor([[0], [1]]), "edge_weight": torch.ones(2)},
        "edge_weight: expected 1 floating point numbers",
    ),
    "short batch": (
        {"x": torch.randn(3, 6), "edge_index": torch.tensor([[0], [1]]), "batch": torch.tensor([0, 0])},
        "batch: expected 3 integers",
    ),
    "edge between graphs": (
        {"x": torch.randn(3, 6), "edge_index": torch.tensor([[0, 1], [1, 2]]), "batch": torch.tensor([0, 0, 1])},
        "got edge 1 between graphs 0 and 1",
    ),
    "unsorted batch": (
        {"x": torch.randn(3, 6), "edge_index": torch.tensor([[0], [1]]), "batch": torch.tensor([1, 0, 1])},
        "in ascending order, got unsorted ones",
    ),
    "dense shape": (
        {"x": torch.randn(1, 3, 6), "adjacency": torch.ones(1, 4, 4)},
        r"adjacency: expected floating point numbers of shape \(1, 3, 3\)",
    ),
    "dense negative": ({"x": torch.randn(1, 3, 6), "adjacency": -torch.ones(1, 3, 3)}, "adjacency: expected finite"),
    "dense directed": (
        {"x": torch.randn(1, 3, 6), "adjacency": torch.ones(1, 3, 3).triu()},
        r"adjacency: expected a symmetric matrix, got an asymmetric one; pass \(A \+ A.mT\) / 2 instead",
    ),
    "mask": (
        {"x": torch.randn(1, 3, 6), "adjacency": torch.ones(1, 3, 3), "mask": torch.ones(1, 2, dtype=torch.bool)},
        r"mask: expected booleans of shape \(1, 3\)",
    ),
}


@pytest.mark.parametrize("case", list(BAD_INPUTS))
@pytest.mark.parametrize("name", POOLS)
def test_bad_input(name: str, case: str) -> None:
    arguments, message = BAD_INPUTS[case]
    with pytest.raises(ValueError, match=message):
        make(name, torch.float32)(**arguments)


@pytest.mark.parametrize("name", POOLS)
def test_bad_construction(name: str) -> None:
    info = pool_info(name)
    with pytest.raises(ValueError, match="in_channels: expected an integer of at least 1, got 0"):
        make_pool(name, in_channels=0, num_clusters=2)
    with pytest.raises(ValueError, match=f"unknown option 'nonsense' of '{name}'"):
        make_pool(name, in_channels=6, num_clusters=2, nonsense=1)
    if info.size == "num_clusters":
        with pytest.raises(ValueError, match="num_clusters: expected an integer of at least 1, got 0"):
            make_pool(name, in_channels=6, num_clusters=0)
        with pytest.raises(
            ValueError, match=r"num_clusters: expected an integer.* because .* forms clusters, got None"
        ):
            make_pool(name, in_channels=6)
    if info.size == "ratio":
        for ratio in (0.0, 1.5, 0, -2, True):
            with pytest.raises(ValueError, match="ratio: expected a share in"):
                make_pool(name, in_channels=6, ratio=ratio)
