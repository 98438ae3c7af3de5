"""Checkpoints of unfinished fits: of a training, and of the multilevel solver with finished runs and one under way."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import networkx as nx

import hoscpool as hp
from attack.mutations import Case
from hoscpool.cluster.engine import single_run
from hoscpool.cluster.unfinished import SavedRuns
from hoscpool.training import checkpoint

K = 5
PLANTED = hp.datasets.planted_communities(2200, 8_000, K, mixing=0.3, random_state=1)
GRAPH = hp.graph.Graph(PLANTED.indptr, PLANTED.indices)
"""Large enough to be coarsened, and without features."""


class _KillError(Exception):
    """Stands for a kill."""


@contextlib.contextmanager
def _written_at_once() -> Iterator[None]:
    before = checkpoint.INTERVAL, single_run.INTERVAL
    checkpoint.INTERVAL = single_run.INTERVAL = 0.0
    try:
        yield
    finally:
        checkpoint.INTERVAL, single_run.INTERVAL = before


def train_from(folder: Path) -> object:
    """A training that goes on from a folder."""
    with _written_at_once():
        model = hp.HoscClustering(2, random_state=0, max_epochs=4, n_init=1, checkpoint=folder)
        return model.fit(graph=nx.karate_club_graph())


def search_from(folder: Path) -> object:
    """A search that goes on from a folder. Its result is a clustering of all nodes, or there is none."""
    model = hp.HoscClustering(K, solver="multilevel", n_init=2, random_state=0, checkpoint=folder).fit(graph=GRAPH)
    assert len(model.labels_) == GRAPH.num_nodes
    assert 0 <= model.labels_.min() <= model.labels_.max() < K
    return model


def _search_until(saves: int) -> Callable[[Path], object]:
    """Saves the search so often before it is killed."""

    def write(folder: Path) -> None:
        true, left = SavedRuns.pause, [saves]

        def pause(*given: Any) -> None:
            true(*given)
            left[0] -= 1
            if not left[0]:
                raise _KillError

        SavedRuns.pause = pause  # type: ignore[method-assign, assignment]
        try:
            with _written_at_once(), contextlib.suppress(_KillError):
                search_from(folder)
        finally:
            SavedRuns.pause = true  # type: ignore[method-assign]

    return write


@cache
def _saved(write: Callable[[Path], object]) -> Case:
    with TemporaryDirectory() as name:
        write(Path(name))
        return {path.name: path.read_bytes() for path in sorted(Path(name).iterdir()) if path.is_file()}


def training_cases() -> Sequence[Case]:
    """The checkpoint of a training."""
    return [_saved(train_from)]


_SEARCHES = (search_from, _search_until(1), _search_until(2))


def search_cases() -> Sequence[Case]:
    """A search that is done, one that has coarsened, and one that is on its way back."""
    return [_saved(write) for write in _SEARCHES]
