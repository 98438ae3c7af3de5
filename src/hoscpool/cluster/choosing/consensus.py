"""The choice between runs: those that are tied with the best one, and among them the one that agrees best."""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score
from torch import Tensor

from hoscpool.cluster.views.starts import parse_start

DEVIATIONS = 2.0
"""Runs within this many standard deviations of the best one are tied with it."""

STABLE = 0.5
"""A fit warns when its restarts agree less. Measured on planted graphs that fade to noise: the agreement is about that
with another seed, and below 0.5 the clusters have little to do with the planted ones (docs/reliability.md)."""


class Scored(Protocol):
    """The attributes of a finished run that this module uses."""

    @property
    def start(self) -> str:
        """Name of the view that the run started from."""

    @property
    def hard(self) -> float:
        """The objective of its labels."""

    @property
    def levels(self) -> list[Tensor]:
        """S of every level."""


T = TypeVar("T", bound=Scored)


@dataclass(frozen=True)
class Tolerance:
    """How much the objectives of the labels of two runs can differ by chance.

    Attributes:
        restarts: Standard deviation between runs from the same start, pooled over the starts.
        sampling: Standard error of the best run's cut, if edges are a random sample. It matters on small graphs.
    """

    restarts: float
    sampling: float

    @property
    def width(self) -> float:
        """Runs that differ by at most this are tied."""
        return DEVIATIONS * float(np.hypot(self.restarts, self.sampling))


def best_of(runs: Sequence[T]) -> T:
    """The run with the lowest objective of the labels, the first of equal ones."""
    return min(runs, key=lambda run: run.hard)


def estimate_tolerance(runs: Sequence[Scored], adjacency: sp.csr_array) -> Tolerance:
    """Estimate both deviations from the runs and the graph, without class labels."""
    labels = best_of(runs).levels[-1].argmax(dim=1).numpy()
    return Tolerance(_restart_deviation(runs), _sampling_error(adjacency, labels))


def tied_runs(runs: Sequence[T], tolerance: Tolerance) -> list[T]:
    """The best run and those that are tied with it."""
    limit = best_of(runs).hard + tolerance.width
    return [run for run in runs if run.hard <= limit]


def trusted_kind(runs: Sequence[T], tolerance: Tolerance) -> list[T]:
    """The runs from one kind of start: the first kind, unless a later one is better by more than a tie.

    We trust features before edges, and edges before motifs. Without this order, noise would decide a tie between two
    kinds, differently with every seed.
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
    """The run whose clusters agree best with the others (mean adjusted Rand index); between equal ones the better run.

    A clustering that several starts find is less likely to be an accident.
    """
    labels = [run.levels[-1].argmax(dim=1).numpy() for run in runs]
    likeness = [np.mean([adjusted_rand_score(own, other) for other in labels]) for own in labels]
    order = sorted(range(len(runs)), key=lambda i: (-round(float(likeness[i]), 9), runs[i].hard))
    return runs[order[0]]


def agreement(kept: npt.NDArray[np.integer], others: Sequence[npt.NDArray[np.integer]]) -> float | None:
    """Mean adjusted Rand index between the kept labels and those of other restarts; ``None`` without others."""
    return float(np.mean([adjusted_rand_score(kept, other) for other in others])) if others else None


def restart_agreement(kept: T, runs: Sequence[T]) -> float | None:
    """The `agreement` of a run with the other runs from the same start, or with all if there are none.

    Runs from other starts see other features, so they may rightly differ.
    """
    same = same_start(kept, runs) or _others(kept, runs)
    return agreement(labels_of([kept])[0], labels_of(same))


def warn_unstable(agreement: float | None) -> None:
    """Warn if restarts agree so little that another seed may give other clusters."""
    if agreement is not None and agreement < STABLE:
        warnings.warn(
            f"restarts agree by only {agreement:.2f} (adjusted Rand index; 1 is equal), so another seed may give other "
            "clusters; raise n_init, or try another n_clusters",
            ConvergenceWarning,
            stacklevel=3,
        )


def same_start(kept: T, runs: Sequence[T]) -> list[T]:
    """The other runs from the start of a run."""
    return [run for run in _others(kept, runs) if run.start == kept.start]


def _others(kept: T, runs: Sequence[T]) -> list[T]:
    return [run for run in runs if run.levels is not kept.levels]  # the kept run may be a copy of one of them


def labels_of(runs: Sequence[Scored]) -> list[npt.NDArray[np.int64]]:
    """The labels of runs."""
    return [run.levels[-1].argmax(dim=1).numpy() for run in runs]


def _restart_deviation(runs: Sequence[Scored]) -> float:
    """Pooled standard deviation of runs from the same start; 0 when no start has two runs."""
    groups = defaultdict(list)
    for run in runs:
        groups[run.start].append(run.hard)
    squares = sum(float(np.var(group)) * len(group) for group in groups.values())
    freedom = len(runs) - len(groups)
    return float(np.sqrt(squares / freedom)) if freedom else 0.0


def _sampling_error(adjacency: sp.csr_array, labels: npt.NDArray[np.int64]) -> float:
    """Standard error of the mean share of a cluster's edges that stay inside it.

    √(Σ_k r_k (1 − r_k) / e_k) / K over the clusters with an edge, with shares r_k of e_k edges.
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
