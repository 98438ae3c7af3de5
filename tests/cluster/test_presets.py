"""Presets, and parameters in their place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hoscpool.cluster.presets import PRESETS, resolve_settings


def test_the_papers_preset_is_the_papers() -> None:
    paper = PRESETS["paper"]
    assert (paper.hidden, paper.max_epochs, paper.learning_rate) == (32, 500, 1e-3)
    assert (paper.clip, paper.patience, paper.decay_patience) == (2.0, 200, 25)
    assert (paper.message_passing, paper.starts, paper.warm_epochs, paper.n_init) == (True, ("raw",), 0, 1)
    assert paper.feature_weight is None


def test_none_is_the_presets_value_and_others_are_not_looked_at() -> None:
    settings = resolve_settings("paper", {"hidden": None, "max_epochs": 3, "starts": "spectral", "mu": 5})
    assert (settings.hidden, settings.max_epochs, settings.starts) == (32, 3, ("spectral",))


def test_numpys_numbers_are_numbers() -> None:
    given = {"max_epochs": np.int64(5), "learning_rate": np.float32(0.5), "consensus": np.bool_(True)}
    settings = resolve_settings("paper", given)
    assert (settings.max_epochs, settings.learning_rate, settings.consensus) == (5, 0.5, True)
    assert type(settings.max_epochs) is int


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"hidden": 0}, "hidden: expected a whole number ≥ 1, got 0"),
        ({"max_epochs": -1}, "max_epochs"),
        ({"n_init": 1.5}, "n_init"),
        ({"patience": True}, "patience"),
        ({"patience": np.bool_(True)}, "patience"),
        ({"feature_weight": 1.0}, "feature_weight: expected a share from 0 to below 1, got 1.0"),
        ({"feature_weight": -0.1}, "feature_weight"),
        ({"learning_rate": 0}, "learning_rate: expected a number above 0"),
    ],
)
def test_bad_values(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        resolve_settings("robust", given)


def test_unknown_preset() -> None:
    with pytest.raises(ValueError, match=r"unknown preset .* Did you mean .paper."):
        resolve_settings("papre", {})
