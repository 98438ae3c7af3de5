"""The restarts of k-means: as good as scikit-learn's, on the view itself, on a sample, and with few points."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from hoscpool.cluster.views import restarts
from hoscpool.cluster.views.restarts import kmeans_restarts, leading_directions

POINTS, LABELS = make_blobs(600, 20, centers=6, cluster_std=4.0, random_state=1)
VIEW = POINTS.astype(np.float32) + 7


def nearest(view: npt.NDArray[np.float32], centres: npt.NDArray[np.float32]) -> npt.NDArray[np.int64]:
    return np.asarray(((view[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1))


def test_as_good_as_many_full_runs() -> None:
    found = kmeans_restarts(VIEW, 6, 20, 0)
    own = [((VIEW - run.centres[nearest(VIEW, run.centres)]) ** 2).sum() for run in found]
    best = KMeans(6, n_init=30, random_state=5).fit(VIEW)
    assert min(own) <= 1.005 * best.inertia_
    assert [run.spread for run in found] == sorted(run.spread for run in found)
    assert len(found) == restarts.FINALISTS
    assert adjusted_rand_score(best.labels_, nearest(VIEW, found[0].centres)) > 0.95


def test_the_seed_alone_decides_and_not_the_number_of_jobs() -> None:
    first, second, other = (kmeans_restarts(VIEW, 6, 5, seed, jobs) for seed, jobs in [(3, 1), (3, 2), (4, 1)])
    for a, b in zip(first, second, strict=True):
        np.testing.assert_array_equal(a.centres, b.centres)
    assert not np.array_equal(first[-1].centres, other[-1].centres)


def test_many_points_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restarts, "SAMPLE", 300)
    clear, labels = make_blobs(900, 5, centers=4, cluster_std=0.3, random_state=2)
    found = kmeans_restarts(clear.astype(np.float32), 4, 5, 0)
    assert adjusted_rand_score(labels, nearest(clear.astype(np.float32), found[0].centres)) == 1


@pytest.mark.parametrize("view", [np.ones((5, 3)), np.zeros((4, 1)), np.repeat([[1.0, 2], [3, 4]], 4, axis=0)])
def test_fewer_different_points_than_clusters(view: npt.NDArray[np.float64]) -> None:
    found = kmeans_restarts(view.astype(np.float32), 3, 4, 0)
    assert all(np.isfinite(run.centres).all() and run.centres.shape == (3, view.shape[1]) for run in found)
    assert found[0].spread == pytest.approx(0, abs=1e-6)


def test_directions_are_those_of_largest_variance() -> None:
    mean, basis = leading_directions(VIEW)
    np.testing.assert_allclose(mean, VIEW.mean(axis=0), rtol=1e-5)
    np.testing.assert_allclose(basis.T @ basis, np.eye(basis.shape[1]), atol=1e-5)
    centred = VIEW - VIEW.mean(axis=0)
    assert ((centred @ basis) ** 2).sum() >= restarts.VARIANCE * (centred**2).sum()
    assert ((centred @ basis[:, :-1]) ** 2).sum() < restarts.VARIANCE * (centred**2).sum()
