"""Small fits run on one thread, and give the others back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx
import pytest
import torch
from torch_geometric.data import Data

import hoscpool as hp
from hoscpool.classify.epochs import Run as ClassifierRun
from hoscpool.cluster.run import Run as ClusteringRun
from hoscpool.support import threads
from hoscpool.support.threads import one_thread, threads_for


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
def test_few_rows_train_on_one_thread(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    assert threads_in_training(monkeypatch, name) == 1


@pytest.mark.parametrize("name", FITS)
def test_many_rows_train_on_all_threads(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(threads, "WORTH_THREADS", 3)
    assert threads_in_training(monkeypatch, name) == 2


def test_threads_are_given_back_after_an_error() -> None:
    def fail() -> None:
        with one_thread():
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert torch.get_num_threads() == 2


@pytest.mark.parametrize(("rows", "expected"), [(0, 1), (threads.WORTH_THREADS - 1, 1), (threads.WORTH_THREADS, 2)])
def test_the_limit(rows: int, expected: int) -> None:
    with threads_for(rows):
        assert torch.get_num_threads() == expected
