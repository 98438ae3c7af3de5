"""k-means from many starts on one view. The starts share all preparation, and clearly worse ones stop early."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import partial
from threading import Event

import numpy as np
import numpy.typing as npt
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from hoscpool.support.seeding import draw_seeds
from hoscpool.support.threads import in_threads

Array = npt.NDArray[np.float32]
SHORT = 10
"""Iterations after which starts are compared."""
FINALISTS = 10
"""Number of starts that go on."""
VARIANCE = 0.99
"""Share of the variance of the view on which k-means works …"""
WIDTH = 96
"""… in at most this many directions."""
SAMPLE = 50_000
"""On more nodes the centres are found on a sample of this size."""


@dataclass(frozen=True)
class Restart:
    """The end of one start.

    Attributes:
        centres: Centres of the clusters, in the coordinates of the view, ``[K, C]``.
        spread: Mean squared distance of a point to its centre, in the directions that k-means saw.
    """

    centres: Array
    spread: float


def kmeans_restarts(view: Array, n_clusters: int, count: int, random_state: int, n_jobs: int = 1) -> list[Restart]:
    """The best starts of k-means, lowest spread first.

    Args:
        view: Points ``[N, C]``.
        n_clusters: K.
        count: Number of starts. At most `FINALISTS` of them are completed.
        random_state: Seed of the sample and of the starts.
        n_jobs: Starts at a time.
    """
    mean, basis = leading_directions(view)
    rng = np.random.default_rng(random_state)
    rows = np.sort(rng.choice(len(view), SAMPLE, replace=False)) if len(view) > SAMPLE else slice(None)
    points = np.ascontiguousarray((view[rows] - mean) @ basis)
    seeds = draw_seeds(int(rng.integers(2**31)), count)

    def fit(**given: object) -> KMeans:
        return KMeans(n_clusters, n_init=1, **given).fit(points)

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=ConvergenceWarning, module="sklearn")
        short = list(in_threads([partial(fit, random_state=seed, max_iter=SHORT) for seed in seeds], n_jobs, Event()))
        best = sorted(short, key=lambda run: run.inertia_)[:FINALISTS]
        ends = list(
            in_threads([partial(fit, init=run.cluster_centers_, random_state=0) for run in best], n_jobs, Event())
        )
    ends.sort(key=lambda run: run.inertia_)
    return [Restart(mean + run.cluster_centers_ @ basis.T, run.inertia_ / len(points)) for run in ends]


def leading_directions(view: Array) -> tuple[Array, Array]:
    """The mean of a view ``[C]`` and its leading principal directions ``[C, P]``.

    Distances to centres that lie in these directions lose only a part that is the same for all centres.
    """
    mean = view.mean(axis=0, dtype=np.float64)
    gram = (view.T @ view).astype(np.float64) / len(view) - np.outer(mean, mean)
    values, vectors = np.linalg.eigh((gram + gram.T) / 2)
    values, vectors = np.maximum(values[::-1], 0), vectors[:, ::-1]
    share = np.cumsum(values) / max(values.sum(), np.finfo(float).tiny)
    count = min(int(np.searchsorted(share, VARIANCE)) + 1, WIDTH, len(values))
    largest = vectors[np.abs(vectors).argmax(axis=0), np.arange(len(values))]
    signed = vectors * np.where(largest < 0, -1.0, 1.0)
    return mean.astype(np.float32), np.ascontiguousarray(signed[:, :count], dtype=np.float32)
