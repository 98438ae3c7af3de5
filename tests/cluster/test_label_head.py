"""The linear map from features to clusters."""

from __future__ import annotations

import numpy as np
import torch
from sklearn.linear_model import Ridge

from hoscpool.cluster.label_head import RIDGE, LabelHead


def test_it_is_ridge_regression_of_one_hot_labels() -> None:
    rng = np.random.default_rng(0)
    labels = np.concatenate([np.arange(3), rng.integers(0, 3, 47)])
    view = rng.normal(size=(50, 4)).astype(np.float32) + 2 * np.eye(3, 4, dtype=np.float32)[labels]
    head = LabelHead.fit(view, labels, 4)  # nobody is in the last cluster
    scores = np.maximum(Ridge(RIDGE * 50).fit(view, np.eye(4)[labels]).predict(view), 0)
    (found,) = head(torch.from_numpy(view))
    np.testing.assert_allclose(found.numpy(), scores / scores.sum(axis=1, keepdims=True), atol=1e-5)
    assert (found[:, 3].abs() < 1e-5).all()
