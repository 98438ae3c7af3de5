"""What the leader asks the other ranks to do, and how they do it."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.classify import GraphSet, Part
from hoscpool.cluster import FEATURES, AssignmentNet, Objective, Settings, smooth_rows
from hoscpool.distributed.training.node_ranges import NodeRanges, cut_nodes
from hoscpool.distributed.training.placement import Placement, as_scipy, deal_input, place, receive
from hoscpool.distributed.training.rank_classifier import GroupClassifierRun
from hoscpool.distributed.training.rank_run import GroupRun
from hoscpool.distributed.training.ranks import RankError, Ranks, Released
from hoscpool.distributed.training.spread_objective import SpreadObjective
from hoscpool.objectives import Adjacency, SparseAdjacency
from hoscpool.support.progress import FitBar
from hoscpool.support.threads import one_thread
from hoscpool.training import Checkpoint, Team

Array = npt.NDArray[np.float32]
PLACE, TRAIN, SMOOTH, CLASSIFY = "place", "train", "smooth", "classify"
A = "adjacency"
"""Name of A among the matrices, where no motif is the edge."""


class Leader(Team):
    """The leader's side: fits call it where they would train or smooth alone.

    Args:
        ranks: The processes.
    """

    def __init__(self, ranks: Ranks) -> None:
        self.ranks, self.size = ranks, ranks.size
        self._placed: tuple[tuple[Any, ...], Placement] | None = None
        self._ranges: tuple[bytes, NodeRanges] | None = None

    def clustering_run(self, *parts: Any) -> GroupRun:
        """A run of all ranks; the arguments of `cluster.Run`."""
        network, x, adjacency, objective, settings, warm, stop = parts
        matrices = _named(adjacency, objective)
        placed = self._place(matrices, adjacency)
        content = _describe_objective(objective), settings, network
        try:
            self.ranks.order(TRAIN, content)
        except (AttributeError, TypeError, pickle.PicklingError) as error:  # a function without a name cannot be sent
            raise ValueError(
                "schedule: with several ranks, expected 'constant', 'adaptive' or a function of a module, got a "
                "function that cannot be sent; define it at the top of a module"
            ) from error
        x = deal_input(self.ranks, placed.ranges, x)
        own, spread = _spread_objective(placed, content[0])
        return GroupRun(self.ranks, placed.ranges, placed.num_nodes, network, x, own, spread, settings, warm, stop)

    def smooth(self, adjacency: sp.csr_array, x: Array, hops: Sequence[int]) -> Array:
        """`cluster.views.smoothing.smooth` by all ranks."""
        placed = self._place({A: adjacency}, adjacency)
        assert placed.ranges is not None
        self.ranks.order(SMOOTH, tuple(hops))
        own = self.ranks.deal(placed.ranges.deal(x))
        return placed.ranges.restore(self.ranks.collect(_smooth(placed, own, hops)))

    def classifier_run(self, *parts: Any) -> GroupClassifierRun:
        """A run of all ranks; the arguments of `classify.Run`."""
        network, train, validation, settings, seed = parts
        sets = [(part.graphs.union.fingerprint, part.graphs.index, part.classes) for part in (train, validation)]
        self.ranks.order(CLASSIFY, (network, settings, seed, sets))
        return GroupClassifierRun(self.ranks, *parts)

    def _place(self, matrices: dict[str, Any], edges: Any) -> Placement:
        """The rows of these matrices on all ranks. Those of the last call stay there."""
        if self._placed is None or not _are_same(self._placed[0], tuple(matrices.values())):
            found = {name: _scipy_of(matrix) for name, matrix in matrices.items()}
            ranges = self._cut(_scipy_of(edges))
            self.ranks.order(PLACE)
            self._placed = tuple(matrices.values()), place(self.ranks, found, ranges)
        return self._placed[1]

    def _cut(self, edges: sp.csr_array) -> NodeRanges:
        key = blake2b(np.ascontiguousarray(edges.indptr, np.int64).tobytes() + edges.indices.tobytes()).digest()
        if self._ranges is None or self._ranges[0] != key:
            self._ranges = key, cut_nodes(edges, self.ranks.size)
        return self._ranges[1]


def follow(ranks: Ranks, *sets: GraphSet) -> None:
    """Do what the leader asks, until it needs this rank no more.

    Args:
        ranks: The processes.
        sets: The graphs of a classifier, the same as the leader's.

    Raises:
        RankError: The leader or another rank is lost, or the leader failed.
    """
    follower = _Follower(ranks, sets)
    with one_thread():
        while True:
            try:
                name, content = ranks.hear()
                follower.works[name](content)
            except Released as word:
                if str(word):
                    raise RankError(f"ranks: rank 0 stopped: {word}") from None
                return


class _Follower:
    def __init__(self, ranks: Ranks, sets: Sequence[GraphSet]) -> None:
        self.ranks, self.unions = ranks, {graphs.union.fingerprint: graphs.union for graphs in sets}
        self.placed: Placement | None = None
        self.works: dict[str, Callable[[Any], None]] = {
            PLACE: self.place,
            TRAIN: self.train,
            SMOOTH: self.smooth,
            CLASSIFY: self.classify,
        }

    def place(self, _: Any) -> None:
        self.placed = receive(self.ranks)

    def train(self, content: tuple[dict[str, Any], Settings, AssignmentNet]) -> None:
        assert self.placed is not None
        described, settings, network = content
        x = deal_input(self.ranks, None)
        own, objective = _spread_objective(self.placed, described)
        stop = threading.Event()
        run = GroupRun(self.ranks, None, self.placed.num_nodes, network, x, own, objective, settings, tuple, stop)
        run.complete(Checkpoint(), FitBar(0, settings.max_epochs))
        run.result()

    def smooth(self, hops: Sequence[int]) -> None:
        assert self.placed is not None
        self.ranks.collect(_smooth(self.placed, self.ranks.deal(), hops))

    def classify(self, content: tuple[Any, ...]) -> None:
        network, settings, seed, sets = content
        train, validation = (Part(GraphSet(self.unions[key], index), classes) for key, index, classes in sets)
        run = GroupClassifierRun(self.ranks, network, train, validation, settings, seed)
        run.complete(Checkpoint(), FitBar(0, settings.max_epochs))


def _smooth(placed: Placement, own: Array, hops: Sequence[int]) -> Array:
    matrix = placed.matrices[A]
    found = smooth_rows(matrix, matrix.degree.numpy(), own, hops)
    matrix.halo.forget()
    return found


def _named(adjacency: Adjacency, objective: Objective) -> dict[str, Adjacency]:
    """Every matrix of a run once, by name."""
    named = dict(objective.adjacencies)
    if objective.features is not None:
        named[FEATURES] = objective.features
    return named if any(matrix is adjacency for matrix in named.values()) else {A: adjacency, **named}


def _describe_objective(objective: Objective) -> dict[str, Any]:
    names = ("method", "motifs", "mu", "volume", "schedule", "feature_weight")
    described = {name: getattr(objective, name) for name in names}
    return {**described, "adjacencies": tuple(objective.adjacencies)}


def _spread_objective(placed: Placement, described: dict[str, Any]) -> tuple[Adjacency, Objective]:
    """A and the objective for the nodes of this rank."""
    found = placed.matrices
    names = {name: found[name] for name in described["adjacencies"]}
    own = found.get(A) or found["edge"]
    return own, SpreadObjective(**{**described, "adjacencies": names, "features": found.get(FEATURES)})


def _scipy_of(matrix: Any) -> sp.csr_array:
    if not isinstance(matrix, SparseAdjacency):
        return sp.csr_array(matrix)
    return as_scipy(matrix.matrix, matrix.num_nodes)


def _are_same(first: tuple[Any, ...], second: tuple[Any, ...]) -> bool:
    return len(first) == len(second) and all(a is b for a, b in zip(first, second, strict=True))
