"""The head is the nearest centre."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from hoscpool.cluster.centroid_head import CentroidHead


@pytest.mark.parametrize("spread", [2.0, 1e-3, 0.0])
def test_the_largest_membership_is_the_nearest_centre(spread: float) -> None:
    rng = np.random.default_rng(0)
    points, centres = rng.normal(size=(200, 6)).astype(np.float32), rng.normal(size=(4, 6)).astype(np.float32)
    nearest = ((points[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
    [s] = CentroidHead.of(centres, spread)(torch.from_numpy(points))
    np.testing.assert_array_equal(s.argmax(dim=1).numpy(), nearest)
    assert torch.isfinite(s).all()
    np.testing.assert_allclose(s.sum(dim=1).numpy(), 1, atol=1e-5)


def test_memberships_are_those_of_equal_gaussians() -> None:
    centres = np.array([[0.0], [1.0]], dtype=np.float32)
    [s] = CentroidHead.of(centres, 0.5)(torch.tensor([[0.25]]))
    weight = np.exp(-np.array([0.25**2, 0.75**2]) / 0.5)
    np.testing.assert_allclose(s[0].numpy(), weight / weight.sum(), rtol=1e-5)
