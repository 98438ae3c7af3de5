"""Parameters chosen by the validation graphs, and by nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from torch_geometric.data import Data

from hoscpool.classify import GRID, GraphClassifier, collate, evaluate_split, fit_tuned, stratified_splits

SMALL: dict[str, Any] = {"max_epochs": 2, "random_state": 0, "hidden": 8, "batch_size": 16, "n_pools": 1}
TWO_BY_TWO = {"hidden": (8, 4), "mu": (0.1, 0.5)}


def parts(graphs: list[Data]) -> tuple[Any, Any]:
    found = collate(graphs)
    split = stratified_splits(found.labels, 1)[0]
    return found[split.train], found[split.validation]


def fitted(graphs: list[Data], **parameters: Any) -> GraphClassifier:
    train, validation = parts(graphs)
    return GraphClassifier(**{**SMALL, **parameters}).fit(train, validation=validation)


def test_the_best_of_the_trials_is_kept_as_if_fitted_alone(graphs: list[Data]) -> None:
    train, validation = parts(graphs)
    model = GraphClassifier(**SMALL)
    trials = fit_tuned(model, train, validation=validation, grid=TWO_BY_TWO)
    best = max(trials, key=lambda trial: trial.rank)
    assert {name: getattr(model, name) for name in TWO_BY_TWO} == best.parameters
    assert model.validation_score_ == best.validation_accuracy
    alone = fitted(graphs, **best.parameters)
    np.testing.assert_array_equal(model.predict_proba(validation), alone.predict_proba(validation))


def test_every_value_is_tried_beside_the_best_so_far(graphs: list[Data]) -> None:
    train, validation = parts(graphs)
    trials = fit_tuned(GraphClassifier(**SMALL), train, validation=validation, grid=TWO_BY_TWO)
    width = max(trials[:2], key=lambda trial: trial.rank).parameters["hidden"]
    tried = [tuple(trial.parameters.values()) for trial in trials]
    assert tried == [(8, 0.1), (4, 0.1), (width, 0.5)]
    for trial in trials:
        model = fitted(graphs, **trial.parameters)
        assert trial.validation_accuracy == model.validation_score_
        assert trial.validation_loss == model.history_["validation_loss"][model.best_epoch_ - 1]


def test_the_grid_is_what_the_paper_leaves_open() -> None:
    assert {name: set(values) for name, values in GRID.items()} == {
        "hidden": {16, 32, 64}, "skip_readout": {True, False}, "mu": {0, 0.1},
    }  # fmt: skip


def test_a_bad_value_is_refused_before_anything_is_fitted(graphs: list[Data], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GraphClassifier, "fit", lambda *_, **__: pytest.fail("was fitted"))
    with pytest.raises(ValueError, match="hidden: expected a whole number"):
        fit_tuned(GraphClassifier(**SMALL), graphs, validation=graphs, grid={"mu": (0.1,), "hidden": (0,)})


def test_a_split_records_its_trials(graphs: list[Data]) -> None:
    found = collate(graphs)
    split = stratified_splits(found.labels, 1)[0]
    model = GraphClassifier(**SMALL)
    result = evaluate_split(model, found, split, 0, TWO_BY_TWO)
    assert len(result.trials) == 3
    assert result.chosen == {name: getattr(model, name) for name in TWO_BY_TWO}
    assert result.accuracy == model.score(found[split.test])
    assert evaluate_split(GraphClassifier(**SMALL), found, split).chosen == {}


def test_an_interrupted_search_goes_on_with_its_checkpoints(
    graphs: list[Data], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train, validation = parts(graphs)
    whole = GraphClassifier(**SMALL)
    expected = fit_tuned(whole, train, validation=validation, grid=TWO_BY_TWO)
    fit, count = GraphClassifier.fit, [0]

    def interrupt(self: GraphClassifier, *arguments: Any, **more: Any) -> GraphClassifier:
        fit(self, *arguments, **more)
        count[0] += 1
        if count[0] == 2:
            self.stopped_ = "interrupted"
        return self

    model = GraphClassifier(**SMALL, checkpoint=tmp_path)
    monkeypatch.setattr(GraphClassifier, "fit", interrupt)
    assert len(fit_tuned(model, train, validation=validation, grid=TWO_BY_TWO)) == 2
    assert model.stopped_ == "interrupted"
    monkeypatch.setattr(GraphClassifier, "fit", fit)
    again = GraphClassifier(**SMALL, checkpoint=tmp_path)
    assert fit_tuned(again, train, validation=validation, grid=TWO_BY_TWO) == expected
    assert again.checkpoint == tmp_path
    np.testing.assert_array_equal(again.predict_proba(validation), whole.predict_proba(validation))
