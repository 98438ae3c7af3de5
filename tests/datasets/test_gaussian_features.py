from __future__ import annotations

import numpy as np
import pytest

from hoscpool.datasets.gaussian_features import correlated_features, slope_of


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.95])
def test_correlation_of_the_first_column_alone(correlation: float) -> None:
    labels = np.repeat(np.arange(5), [10, 20, 400, 3_000, 5_000])
    features = correlated_features(labels, correlation)
    found = [np.corrcoef(column, labels)[0, 1] for column in features.T]
    assert found[0] == pytest.approx(correlation, abs=0.03)
    assert max(np.abs(found[1:])) < 0.05


def test_impossible_requests_are_refused() -> None:
    with pytest.raises(ValueError, match="at least two classes"):
        correlated_features([1, 1, 1], 0.5)
    with pytest.raises(ValueError, match="from 0 to less than 1"):
        correlated_features([0, 1], 1.0)
    assert slope_of(0, 1) == 0
