from __future__ import annotations

from typing import Any

import pytest
import scipy.sparse as sp
import torch

from hoscpool.objectives import as_adjacency, hosc_loss, motif_cut_loss, motif_weights, orthogonality_loss


@pytest.fixture
def inputs(draw: Any) -> tuple[dict[str, Any], torch.Tensor]:
    return {"edge": sp.csr_array(draw.adjacency(8)), "triangle": sp.csr_array(draw.adjacency(8))}, draw.assignment(8, 3)


def test_the_sum_and_its_parts(inputs: tuple[dict[str, Any], torch.Tensor]) -> None:
    matrices, s = inputs
    result = hosc_loss(matrices, s, {"edge": 0.3, "triangle": 0.7}, mu=0.1)
    edge, triangle = motif_cut_loss(matrices["edge"], s), motif_cut_loss(matrices["triangle"], s)
    assert result.losses == {"edge": edge, "triangle": triangle, "orthogonality": orthogonality_loss(s)}
    torch.testing.assert_close(result.total, 0.3 * edge + 0.7 * triangle + 0.1 * orthogonality_loss(s))


def test_defaults_are_equal_weights_and_no_regulariser(inputs: tuple[dict[str, Any], torch.Tensor]) -> None:
    matrices, s = inputs
    result = hosc_loss(matrices, s)
    torch.testing.assert_close(result.total, (result.losses["edge"] + result.losses["triangle"]) / 2)


def test_schedule_and_volume(inputs: tuple[dict[str, Any], torch.Tensor]) -> None:
    matrices, s = inputs
    at_the_start = hosc_loss(matrices, s, volume="diagonal", schedule="adaptive", progress=0.0)
    torch.testing.assert_close(at_the_start.total, motif_cut_loss(matrices["triangle"], s, volume="diagonal"))
    at_the_end = hosc_loss(matrices, s, schedule="adaptive", progress=1.0)
    torch.testing.assert_close(at_the_end.total, motif_cut_loss(matrices["edge"], s))


def test_batches_and_padding(draw: Any) -> None:
    A, s = torch.from_numpy(draw.adjacency(6)).expand(2, 6, 6), draw.assignment(12, 3).view(2, 6, 3)
    mask = torch.tensor([[True] * 6, [True] * 4 + [False] * 2])
    padded = hosc_loss({"edge": as_adjacency(A, mask=mask)}, s, mu=1.0)
    parts = [hosc_loss({"edge": A[b][mask[b]][:, mask[b]]}, s[b][mask[b]], mu=1.0).total for b in range(2)]
    torch.testing.assert_close(padded.total, torch.stack(parts).mean())
    whole = hosc_loss({"edge": sp.block_diag([A[0], A[1]])}, s.flatten(0, 1), mu=1.0, batch=torch.arange(12) // 6)
    torch.testing.assert_close(whole.total, hosc_loss({"edge": A}, s, mu=1.0).total)


def test_bad_arguments(inputs: tuple[dict[str, Any], torch.Tensor]) -> None:
    matrices, s = inputs
    with pytest.raises(ValueError, match="weights: expected one for each of edge, triangle, got edge"):
        hosc_loss(matrices, s, {"edge": 1.0})
    with pytest.raises(ValueError, match="expected at least one motif"):
        hosc_loss({}, s)
    with pytest.raises(ValueError, match=r"mu: expected a weight from 0 to 1e\+06, got -1"):
        hosc_loss(matrices, s, mu=-1)


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
def test_bad_arguments_schedule(name: str) -> None:
    motifs, schedule, progress, message = BAD[name]
    with pytest.raises(ValueError, match=message):
        motif_weights(motifs, schedule, progress)
