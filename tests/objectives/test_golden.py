"""The authors' published operator on random batches; ``about`` in the file says what each value is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import torch

from hoscpool.objectives import hosc_loss, mincut_orthogonality_loss, orthogonality_loss

CASES = json.loads((Path(__file__).parent / "data" / "authors_operator.json").read_text())["cases"]


def read(case: dict[str, Any]) -> tuple[dict[str, sp.csr_array], torch.Tensor, torch.Tensor]:
    """Edge and triangle adjacency, assignment and batch."""
    matrices = [np.array(graph["adjacency"], dtype=np.float64) for graph in case["graphs"]]
    edge, triangle = sp.block_diag(matrices), sp.block_diag([(A @ A) * A for A in matrices])
    logits = torch.cat([torch.tensor(graph["logits"], dtype=torch.float64) for graph in case["graphs"]])
    batch = torch.arange(len(matrices)).repeat_interleave(torch.tensor([len(A) for A in matrices]))
    return {"edge": edge, "triangle": triangle}, torch.softmax(logits, dim=1), batch


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{len(case['graphs'])} graphs, K = {case['k']}")
def test_same_values(case: dict[str, Any]) -> None:
    matrices, s, batch = read(case)
    expected = case["expected"]
    for alpha in (0.0, 0.5, 1.0):
        loss = hosc_loss(matrices, s, {"edge": 1 - alpha, "triangle": alpha}, batch=batch).total
        assert loss.item() == pytest.approx(expected[f"hosc_alpha_{alpha}"], abs=1e-6)
    assert orthogonality_loss(s, batch).item() == pytest.approx(expected["ortho_eq8"], abs=1e-6)
    assert mincut_orthogonality_loss(s, batch).item() == pytest.approx(expected["ortho_mincut"], abs=1e-6)
