"""Every pooling name trains on a real dataset."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import hoscpool as hp
from hoscpool.classify import GraphClassifier, GraphSet, collate, stratified_splits


@pytest.fixture(scope="module")
def mutag(data_root: Path) -> GraphSet:
    return collate(hp.datasets.load_graphs("mutag", data_root))


@pytest.mark.data
@pytest.mark.filterwarnings(
    "ignore:motifs. no training graph:hoscpool.support.errors.GraphWarning"
)  # MUTAG has no triangle
@pytest.mark.parametrize("pooling", hp.nn.list_pools())
def test_every_pooling_name_trains_on_mutag(mutag: GraphSet, pooling: str) -> None:
    split = stratified_splits(mutag.labels)[0]
    model = GraphClassifier(pooling, max_epochs=3, random_state=0, learning_rate=5e-3)
    model.fit(mutag[split.train], validation=mutag[split.validation])
    assert model.stopped_ == "epochs"
    assert model.history_["task_loss"][-1] < model.history_["task_loss"][0]
    assert np.isfinite(model.predict_proba(mutag[split.test])).all()
