from __future__ import annotations

from typing import Any

import pytest
import scipy.sparse as sp
import torch

from hoscpool.objectives import as_adjacency, hosc_loss, motif_cut_loss, orthogonality_loss


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
