"""A study over splits: its numbers, and that it goes on where it stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch_geometric.data import Data

from hoscpool.classify import SplitResult, collate, evaluate_split, stratified_splits
from hoscpool.classify.evaluation import study
from hoscpool.classify.evaluation.study import run_study

PARAMETERS: dict[str, Any] = {"max_epochs": 1, "random_state": 0, "hidden": 8, "batch_size": 16, "n_pools": 1}


def without_times(results: list[SplitResult]) -> list[dict[str, Any]]:
    return [{**result.as_dict(), "seconds": 0} for result in results]


def test_an_interrupted_study_goes_on(graphs: list[Data], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = collate(graphs)
    splits = stratified_splits(found.labels, 3)
    whole = run_study(found, splits, PARAMETERS, tmp_path / "whole")
    seen: list[int] = []

    def interrupt(*arguments: Any) -> SplitResult:
        if arguments[3] == 2:
            raise KeyboardInterrupt
        return evaluate_split(*arguments)

    def watch(*arguments: Any) -> SplitResult:
        seen.append(arguments[3])
        return evaluate_split(*arguments)

    monkeypatch.setattr(study, "evaluate_split", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run_study(found, splits, PARAMETERS, tmp_path / "cut")
    monkeypatch.setattr(study, "evaluate_split", watch)
    resumed = run_study(found, splits, PARAMETERS, tmp_path / "cut")
    assert seen == [2], "finished splits are not done again"
    assert without_times(resumed.results) == without_times(whole.results)
    assert resumed.split == whole.split
    np.testing.assert_array_equal(resumed.model.predict_proba(found), whole.model.predict_proba(found))
    assert resumed.accuracy == pytest.approx(np.mean([row.accuracy for row in resumed.results]))
    assert resumed.spread == pytest.approx(np.std([row.accuracy for row in resumed.results], ddof=1))


def test_another_study_in_the_same_folder_is_refused(graphs: list[Data], tmp_path: Path) -> None:
    found = collate(graphs)
    splits = stratified_splits(found.labels, 1)
    alone = run_study(found, splits, PARAMETERS, tmp_path)
    assert alone.spread is None
    assert alone.summary == f"{100 * alone.accuracy:.1f} % (one split)"
    with pytest.raises(ValueError, match="holds an unfinished run with other data or settings"):
        run_study(found, splits, {**PARAMETERS, "mu": 0.3}, tmp_path)
    for name, change in (("x", lambda data: data.x + 1), ("edge_weight", lambda data: torch.ones(data.num_edges) * 2)):
        others = [data.clone() for data in graphs]
        for data in others:
            data[name] = change(data)
        with pytest.raises(ValueError, match="holds an unfinished run with other data or settings"):
            run_study(collate(others), splits, PARAMETERS, tmp_path)
    (tmp_path / "results.json").write_text("{")
    with pytest.raises(ValueError, match="damaged"):
        run_study(found, splits, PARAMETERS, tmp_path)


@pytest.mark.slow
def test_several_splits_at_a_time_give_the_same_study(graphs: list[Data], tmp_path: Path) -> None:
    found = collate(graphs)
    splits = stratified_splits(found.labels, 3)
    one, two = (run_study(found, splits, PARAMETERS, tmp_path / str(n), n_jobs=n) for n in (1, 2))
    assert without_times(two.results) == without_times(one.results)
    assert two.split == one.split
    np.testing.assert_array_equal(two.model.predict_proba(found), one.model.predict_proba(found))
    assert sorted(path.name for path in (tmp_path / "2").iterdir()) == ["model", "results.json"]
