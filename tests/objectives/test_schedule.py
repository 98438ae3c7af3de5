from __future__ import annotations

from typing import Any

import pytest

from hoscpool.objectives import motif_weights

EVEN = {"edge": 0.5, "triangle": 0.5}


def test_constant_needs_no_progress() -> None:
    assert motif_weights(EVEN) == EVEN
    assert motif_weights({"edge": 1, "cycle4": 3}, "constant", 0.7) == {"edge": 1.0, "cycle4": 3.0}


@pytest.mark.parametrize(("progress", "edge"), [(0.0, 0.0), (0.25, 0.25), (1.0, 1.0)])
def test_adaptive_is_linear(progress: float, edge: float) -> None:
    assert motif_weights(EVEN, "adaptive", progress) == {"edge": edge, "triangle": 1 - edge}


def test_adaptive_keeps_the_sum_and_the_proportions() -> None:
    weights = motif_weights({"edge": 1.0, "triangle": 2.0, "clique4": 1.0}, "adaptive", 0.5)
    assert weights == {"edge": 2.0, "triangle": pytest.approx(4 / 3), "clique4": pytest.approx(2 / 3)}


@pytest.mark.parametrize("motifs", [{"edge": 1.0}, {"triangle": 1.0, "wedge": 2.0}, {"edge": 1.0, "triangle": 0.0}])
def test_nothing_to_move(motifs: dict[str, float]) -> None:
    assert motif_weights(motifs, "adaptive", 0.3) == motifs


def test_functions() -> None:
    assert motif_weights(EVEN, lambda p: (1 - p) ** 2, 0.5) == {"edge": 0.75, "triangle": 0.25}
    assert motif_weights(EVEN, lambda p: {"edge": 2 * p, "triangle": 3}, 0.5) == {"edge": 1.0, "triangle": 3.0}


BAD: dict[str, tuple[dict[str, float], Any, float | None, str]] = {
    "no motif": ({}, "constant", None, "motifs: expected at least one motif"),
    "negative": ({"edge": -1.0}, "constant", None, r"motifs\['edge'\]: expected a weight from 0 to 1e\+06, got -1.0"),
    "NaN": ({"edge": float("nan")}, "constant", None, r"motifs\['edge'\]: expected a weight from 0 to 1e\+06, got nan"),
    "too large": (
        {"edge": 2e6},
        "constant",
        None,
        r"motifs\['edge'\]: expected a weight from 0 to 1e\+06, got 2000000.0",
    ),
    "schedule": (EVEN, "cosine", 0.5, "schedule: expected one of constant, adaptive or a function, got 'cosine'"),
    "no progress": (EVEN, "adaptive", None, "progress: this schedule needs to know"),
    "progress": (EVEN, "adaptive", 1.5, "progress: expected a number from 0 to 1, got 1.5"),
    "progress NaN": (EVEN, "adaptive", float("nan"), "progress: expected a number from 0 to 1, got nan"),
    "share": (EVEN, lambda _: 2.0, 0.5, "schedule: expected a share from 0 to 1 for the higher-order motifs, got 2.0"),
    "names": (EVEN, lambda _: {"edge": 1.0}, 0.5, "schedule: expected weights for edge, triangle, got edge"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_arguments(name: str) -> None:
    motifs, schedule, progress, message = BAD[name]
    with pytest.raises(ValueError, match=message):
        motif_weights(motifs, schedule, progress)
