from __future__ import annotations

from pathlib import Path

import pytest

from experiments.made_up import make_record
from hoscpool.experiments import Results, Store
from hoscpool.report.results.classification_goals import goals_grid


@pytest.mark.parametrize(("last", "mark"), [(0.7796, "✗"), (0.7804, "✓")])
@pytest.mark.parametrize("splits", [9, 10])
def test_a_goal_is_that_of_the_mean_of_hoscpool(splits: int, last: float, mark: str, tmp_path: Path) -> None:
    store = Store(tmp_path)
    for seed in range(splits):
        accuracy = 0.78 if seed else last
        store.append(make_record("classification", "er-md-bonds", "deep-hosc", seed, {"accuracy": accuracy}))
    store.append(make_record("classification", "er-md-bonds", "deep-none", 0, {"accuracy": 0.9}))
    rows = {row[:2]: row[2:] for row in goals_grid(Results(tmp_path)).rows}
    deep = rows["ER-MD, bonds", "deep"]
    assert deep[:4] == ("78", "90.0 (1)", "not run", "not run")
    assert deep[-2:] == (f"78.0 ± 0.0 ({splits})", mark if splits == 10 else f"{mark} so far")
    assert set(rows["ER-MD, bonds", "paper's network"][1:]) == {"not run", ""}
    assert len(rows) == 16
