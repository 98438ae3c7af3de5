"""Gaussian features of nodes, of which the first may be correlated with the class."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

NUM_FEATURES = 10
Features = npt.NDArray[np.float32]


def slope_of(correlation: float, spread: float) -> float:
    """The factor s for which s·y + noise has this correlation with y; y has this spread, the noise has spread 1.

    Raises:
        ValueError: The correlation is negative, 1 or more, or not a number.

    Examples:
        >>> round(slope_of(0.6, 1.0), 12)
        0.75
    """
    if not 0 <= correlation < 1:
        raise ValueError(f"correlation: expected a number from 0 to less than 1, got {correlation!r}")
    return float(correlation / spread / (1 - correlation**2) ** 0.5)


def gaussian_features(n: int, rng: np.random.Generator) -> Features:
    """Ten columns of standard Gaussian noise."""
    noise: Features = rng.standard_normal((n, NUM_FEATURES), dtype=np.float32)
    return noise


def correlated_features(labels: Any, correlation: float, random_state: int = 0) -> Features:
    """Gaussian noise whose first column has this correlation with the number of the class, on average over seeds.

    Raises:
        ValueError: The correlation is not in [0, 1), or there is only one class.
    """
    y = np.asarray(labels, dtype=np.float64)
    if not len(y) or y.std() == 0:
        raise ValueError("labels: expected at least two classes, because a constant is correlated with nothing")
    features = gaussian_features(len(y), np.random.default_rng(random_state))
    features[:, 0] += (slope_of(correlation, float(y.std())) * (y - y.mean())).astype(np.float32)
    return features
