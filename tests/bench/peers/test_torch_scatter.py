from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from hoscpool.bench.peers import torch_scatter as stand_in

REDUCES = ("sum", "add", "mul", "mean", "min", "max")


def groups(src: Tensor, index: Tensor, dim: int, size: int) -> dict[tuple[int, ...], list[tuple[int, float]]]:
    """For every place of the result: the places along ``dim`` and the values of the entries that belong there."""
    shape = list(src.shape)
    shape[dim] = size
    found: dict[tuple[int, ...], list[tuple[int, float]]] = {p: [] for p in itertools.product(*map(range, shape))}
    for place in itertools.product(*map(range, src.shape)):
        target = list(place)
        target[dim] = int(index[place[dim]] if index.dim() == 1 else index[place])
        found[tuple(target)].append((place[dim], float(src[place])))
    return found


def reduce_by_loops(src: Tensor, index: Tensor, dim: int, size: int, reduce: str) -> Tensor:
    functions: dict[str, Callable[[list[float]], float]] = {
        "sum": sum,
        "add": sum,
        "mul": math.prod,
        "mean": lambda values: sum(values) / len(values) if values else 0,
        "min": lambda values: min(values, default=0),
        "max": lambda values: max(values, default=0),
    }
    shape = list(src.shape)
    shape[dim] = size
    result = torch.zeros(shape, dtype=src.dtype)
    for place, entries in groups(src, index, dim, size).items():
        result[place] = functions[reduce]([value for _, value in entries])
    return result


@pytest.fixture
def src() -> Tensor:
    return torch.randn(5, 4, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize("reduce", REDUCES)
@pytest.mark.parametrize("dim", [0, 1, 2, -1, -2])
def test_every_reduction_is_that_of_plain_loops(src: Tensor, dim: int, reduce: str) -> None:
    index = torch.tensor([2, 0, 2, 4, 0])[: src.shape[dim]]
    axis = dim % 3
    expected = reduce_by_loops(src, index, axis, 6, reduce)
    torch.testing.assert_close(stand_in.scatter(src, index, dim, dim_size=6, reduce=reduce), expected)
    without_size = stand_in.scatter(src, index, dim, reduce=reduce)
    torch.testing.assert_close(without_size, expected.narrow(axis, 0, int(index.max()) + 1))


@pytest.mark.parametrize("reduce", REDUCES)
def test_an_index_of_the_shape_of_the_entries(src: Tensor, reduce: str) -> None:
    index = torch.randint(0, 3, src.shape, generator=torch.Generator().manual_seed(1))
    found = stand_in.scatter(src, index, 1, dim_size=3, reduce=reduce)
    torch.testing.assert_close(found, reduce_by_loops(src, index, 1, 3, reduce))


@pytest.mark.parametrize("reduce", REDUCES)
def test_gradients(src: Tensor, reduce: str) -> None:
    index = torch.tensor([2, 0, 2, 4, 0])
    leaf = src.clone().requires_grad_()
    assert torch.autograd.gradcheck(lambda x: stand_in.scatter(x, index, 0, dim_size=6, reduce=reduce), (leaf,))


@pytest.mark.parametrize("reduce", REDUCES)
def test_nothing_to_reduce(reduce: str) -> None:
    src, index = torch.zeros(0, 2, requires_grad=True), torch.zeros(0, dtype=torch.int64)
    fill = 1.0 if reduce == "mul" else 0.0
    found = stand_in.scatter(src, index, 0, dim_size=3, reduce=reduce)
    torch.testing.assert_close(found, torch.full((3, 2), fill))
    assert stand_in.scatter(src, index, 0, reduce=reduce).shape == (0, 2)
    (slope,) = torch.autograd.grad(found.sum(), src)
    assert slope.shape == (0, 2)


@pytest.mark.parametrize("find", [stand_in.scatter_min, stand_in.scatter_max])
def test_where_an_extreme_was_found(src: Tensor, find: Callable[..., tuple[Tensor, Tensor]]) -> None:
    index = torch.tensor([2, 0, 2, 4, 0])
    best = min if find is stand_in.scatter_min else max
    _, where = find(src, index, 0, dim_size=6)
    for place, entries in groups(src, index, 0, 6).items():
        expected = best(entries, key=lambda entry: entry[1])[0] if entries else len(src)
        assert where[place] == expected


def test_of_equal_entries_the_first_wins_and_gets_the_gradient() -> None:
    src = torch.tensor([1.0, 3.0, 3.0], requires_grad=True)
    found, where = stand_in.scatter_max(src, torch.zeros(3, dtype=torch.int64))
    assert (found.tolist(), where.tolist()) == ([3.0], [1])
    assert torch.autograd.grad(found.sum(), src)[0].tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("reduce", "expected"),
    [("sum", [12, 10]), ("mul", [30, 10]), ("mean", [6, 10]), ("min", [1, 10]), ("max", [6, 10])],
)
def test_on_top_of_an_output_which_is_written_to(reduce: str, expected: list[float]) -> None:
    out = torch.tensor([1.0, 10.0])
    result = stand_in.scatter(torch.tensor([5.0, 6.0]), torch.tensor([0, 0]), out=out, reduce=reduce)
    assert result is out
    assert out.tolist() == expected


def test_an_entry_that_only_equals_the_output_does_not_win() -> None:
    out = torch.tensor([3.0, 7.0])
    found, where = stand_in.scatter_min(torch.tensor([3.0, 4.0, 9.0]), torch.tensor([0, 1, 1]), out=out)
    assert (found.tolist(), where.tolist()) == ([3, 4], [3, 1])


def test_whole_numbers() -> None:
    src, index = torch.tensor([1, 2, -4, -3]), torch.tensor([0, 0, 1, 1])
    assert stand_in.scatter(src, index, reduce="mean").tolist() == [1, -4]
    assert stand_in.scatter(src, index, reduce="mul").tolist() == [2, 12]
    assert stand_in.scatter(src, index, reduce="max").tolist() == [2, -3]


def test_an_unknown_reduction() -> None:
    with pytest.raises(ValueError, match="reduce: expected one of sum, add"):
        stand_in.scatter(torch.ones(1), torch.zeros(1, dtype=torch.int64), reduce="median")


def test_the_module_has_the_names_and_arguments_of_the_real_one() -> None:
    module = stand_in.as_module()
    assert module.__name__ == "torch_scatter"
    arguments = ["src", "index", "dim", "out", "dim_size"]
    for name in ("scatter_sum", "scatter_add", "scatter_mul", "scatter_mean", "scatter_min", "scatter_max"):
        assert list(inspect.signature(getattr(module, name)).parameters) == arguments
    assert list(inspect.signature(module.scatter).parameters) == [*arguments, "reduce"]
