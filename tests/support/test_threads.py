"""Fits run on one thread and give the others back; independent calls run in several."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import networkx as nx
import pytest
import torch
from threadpoolctl import ThreadpoolController
from torch_geometric.data import Data

import hoscpool as hp
from hoscpool.classify.epochs import Run as ClassifierRun
from hoscpool.cluster.run import Run as ClusteringRun
from hoscpool.support.threads import in_threads, one_thread, resolve_jobs, resolve_threads


@pytest.fixture(autouse=True)
def _two_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


def fit_clustering() -> None:
    hp.HoscClustering(2, max_epochs=5, random_state=0).fit(graph=nx.ring_of_cliques(2, 6))


def fit_classifier() -> None:
    ring = torch.tensor([[0, 1, 1, 2, 2, 0], [1, 0, 2, 1, 0, 2]])
    graphs = [Data(x=torch.full((3, 2), 1.0 + i % 2), edge_index=ring, y=torch.tensor([i % 2])) for i in range(20)]
    hp.GraphClassifier(pooling="none", max_epochs=2, random_state=0).fit(graphs)


FITS: dict[str, tuple[Callable[[], None], Any]] = {
    "clustering": (fit_clustering, ClusteringRun),
    "classifier": (fit_classifier, ClassifierRun),
}


def threads_in_training(monkeypatch: pytest.MonkeyPatch, name: str) -> int:
    """How many threads torch has while a fit trains."""
    fit, run = FITS[name]
    seen: list[int] = []
    train = run.train

    def watched(*args: Any) -> None:
        seen.append(torch.get_num_threads())
        train(*args)

    monkeypatch.setattr(run, "train", watched)
    fit()
    assert torch.get_num_threads() == 2
    (first,) = set(seen)
    return first


@pytest.mark.parametrize("name", FITS)
def test_fits_train_on_one_thread(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    assert threads_in_training(monkeypatch, name) == 1


def test_threads_are_given_back_after_an_error() -> None:
    def fail() -> None:
        with one_thread():
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert torch.get_num_threads() == 2


def libraries() -> list[int]:
    """The number of threads of every library, as this Python thread sees it."""
    return [library["num_threads"] for library in ThreadpoolController().info()]


def test_libraries_have_one_thread_inside_and_theirs_after() -> None:
    before = libraries()
    with one_thread(), one_thread():
        assert max(libraries()) == 1  # some library may say 0, before its first use
    assert libraries() == before


def test_overlapping_users_in_two_python_threads() -> None:
    """The first to enter leaves first, so a limit that each restores by itself would stay."""
    before, seen = libraries(), list[int]()
    inside, first_has_left = threading.Barrier(2), threading.Event()

    def first() -> None:
        with one_thread():
            inside.wait()
        first_has_left.set()

    def second() -> None:
        with one_thread():
            inside.wait()
            first_has_left.wait()
            seen.append(torch.get_num_threads())

    workers = [threading.Thread(target=work) for work in (first, second)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert seen == [1]
    assert libraries() == before
    later = list[int]()
    worker = threading.Thread(target=lambda: later.append(torch.get_num_threads()))
    worker.start()
    worker.join()
    assert later == [2]


@pytest.mark.parametrize("n_threads", [1, 2, 5])
def test_calls_in_threads_keep_their_order_and_use_one_thread(n_threads: int) -> None:
    def call(number: int) -> tuple[int, int]:
        return number, torch.get_num_threads()

    with one_thread():
        found = in_threads([partial(call, i) for i in range(7)], n_threads, threading.Event())
    assert found == [(i, 1) for i in range(7)]
    assert torch.get_num_threads() == 2


def test_no_call_begins_after_a_stop() -> None:
    stop = threading.Event()

    def call(number: int) -> int:
        if number == 1:
            stop.set()
        return number

    found = in_threads([partial(call, i) for i in range(3)], 1, stop)
    assert found == [0, 1]


def test_an_error_in_a_thread_ends_the_others() -> None:
    stop = threading.Event()

    def fail() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        in_threads([fail, lambda: None if stop.wait(20) else pytest.fail("was not stopped")], 2, stop)


@pytest.mark.parametrize(("given", "expected"), [(None, None), (3, 3), (-1, resolve_threads(None))])
def test_jobs(given: int | None, expected: int | None) -> None:
    assert resolve_jobs(given) == expected


@pytest.mark.parametrize("wrong", [0, -2, 1.5, "two", True])
def test_wrong_jobs(wrong: Any) -> None:
    with pytest.raises(ValueError, match="n_jobs: expected a whole number"):
        resolve_jobs(wrong)
