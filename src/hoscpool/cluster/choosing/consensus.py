"""Runs that are as good as the best one, and the one of them that stands for all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.metrics import adjusted_rand_score
from torch import Tensor

from hoscpool.cluster.views.starts import parse_start

DEVIATIONS = 2.0
"""A run this many standard deviations behind the best one is worse; a nearer one may be so by chance."""


class Scored(Protocol):
    """What this module needs of a finished run."""

    @property
    def start(self) -> str:
        """What its network saw."""

    @property
    def hard(self) -> float:
        """Its hard objective."""

    @property
    def levels(self) -> list[Tensor]:
        """S of every level."""


T = TypeVar("T", bound=Scored)


@dataclass(frozen=True)
class Tolerance:
    """How far two hard objectives lie apart by chance.

    Attributes:
        restarts: Standard deviation between runs from the same start, pooled over the starts.
        sampling: Standard error of the best run's cut, its edges taken as a sample; it matters on small graphs.
    """

    restarts: float
    sampling: float

    @property
    def width(self) -> float:
        """Differences up to this are draws."""
        return DEVIATIONS * float(np.hypot(self.restarts, self.sampling))


def best_of(runs: Sequence[T]) -> T:
    """The run with the lowest hard objective, the first of several."""
    return min(runs, key=lambda run: run.hard)


def estimate_tolerance(runs: Sequence[Scored], adjacency: sp.csr_array) -> Tolerance:
    """The two kinds of chance, from the runs and from the graph; no label is needed."""
    labels = best_of(runs).levels[-1].argmax(dim=1).numpy()
    return Tolerance(_restart_deviation(runs), _sampling_error(adjacency, labels))


def equals_of_best(runs: Sequence[T], tolerance: Tolerance) -> list[T]:
    """The best run and those that chance alone could put behind it."""
    limit = best_of(runs).hard + tolerance.width
    return [run for run in runs if run.hard <= limit]


def favourites(runs: Sequence[T], tolerance: Tolerance) -> list[T]:
    """The runs from one kind of start: the first kind, unless a later one is better by more than chance.

    Starts come in order of trust: features, then edges, then motifs. Without this, a draw between two kinds would be
    decided by noise, and differently with every seed.
    """
    kinds: dict[str, list[T]] = {}
    for run in runs:
        kinds.setdefault(parse_start(run.start)[0], []).append(run)
    chosen, *others = kinds.values()
    for kind in others:
        if best_of(kind).hard < best_of(chosen).hard - tolerance.width:
            chosen = kind
    return chosen


def representative(runs: Sequence[T]) -> T:
    """The run whose clusters are most like those of the others (mean adjusted Rand index), the better of two alike.

    What several runs from different starts found is less likely to be an accident than what only one of them found.
    """
    labels = [run.levels[-1].argmax(dim=1).numpy() for run in runs]
    likeness = [np.mean([adjusted_rand_score(own, other) for other in labels]) for own in labels]
    order = sorted(range(len(runs)), key=lambda i: (-round(float(likeness[i]), 9), runs[i].hard))
    return runs[order[0]]


def _restart_deviation(runs: Sequence[Scored]) -> float:
    """Pooled standard deviation within starts; 0 when no start was taken twice."""
    groups = defaultdict(list)
    for run in runs:
        groups[run.start].append(run.hard)
    squares = sum(float(np.var(group)) * len(group) for group in groups.values())
    freedom = len(runs) - len(groups)
    return float(np.sqrt(squares / freedom)) if freedom else 0.0


def _sampling_error(adjacency: sp.csr_array, labels: npt.NDArray[np.int64]) -> float:
    """Standard error of the mean share of a cluster's edges that stay inside, for shares r_k of e_k edges.

    √(Σ_k r_k (1 − r_k) / e_k) / K over the clusters with an edge.
    """
    arcs = sp.coo_array(adjacency)
    same = labels[arcs.row] == labels[arcs.col]
    clusters = int(labels.max()) + 1
    inside = np.bincount(labels[arcs.row[same]], minlength=clusters) / 2
    border = np.bincount(labels[arcs.row[~same]], minlength=clusters)
    edges = inside + border
    inside, edges = inside[edges > 0], edges[edges > 0]
    share = inside / edges
    return float(np.sqrt(np.sum(share * (1 - share) / edges)) / max(len(edges), 1))
