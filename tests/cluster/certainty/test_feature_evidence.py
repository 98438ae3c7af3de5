"""Normal distributions with one covariance, against scikit-learn's discriminant analysis."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from hoscpool.cluster.certainty import feature_evidence
from hoscpool.cluster.certainty.feature_evidence import FeatureModel


def test_the_probabilities_are_those_of_discriminant_analysis(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feature_evidence, "RIDGE", 0.0)
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1, 2], [40, 100, 60])
    table = rng.normal(size=(200, 4)) @ rng.normal(size=(4, 4)) + np.eye(3, 4)[labels]
    model = FeatureModel.fit(table, labels, 3)
    score = model.log_likelihood(table) + np.log(np.bincount(labels) / 200)
    found = np.exp(score - score.max(axis=1, keepdims=True))
    found /= found.sum(axis=1, keepdims=True)
    expected = LinearDiscriminantAnalysis(solver="lsqr").fit(table, labels).predict_proba(table)
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_constant_columns_and_empty_clusters_give_numbers() -> None:
    table = np.column_stack([np.ones(6), np.arange(6.0)])
    model = FeatureModel.fit(table, np.array([0, 0, 0, 2, 2, 2]), 3)
    score = model.log_likelihood(table)
    assert np.isfinite(score).all()
    assert (score[:, [0, 2]].argmax(axis=1) == [0, 0, 0, 1, 1, 1]).all()
