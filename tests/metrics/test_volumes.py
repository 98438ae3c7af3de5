"""For hard labels the sums are those of the objectives."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch

from hoscpool import objectives
from hoscpool.metrics.volumes import association, volume
from metrics.direct import weighted_graph


@pytest.mark.parametrize("seed", range(5))
def test_they_are_those_of_a_one_hot_assignment(seed: int) -> None:
    matrix = sp.csr_array(weighted_graph(seed, size=12))
    cluster = np.random.default_rng(seed).integers(0, 4, 12).astype(np.int32)  # one of five clusters is empty
    s = torch.nn.functional.one_hot(torch.from_numpy(cluster).long(), 5).double()
    np.testing.assert_allclose(association(matrix, cluster, 5), objectives.association(matrix, s)[0])
    np.testing.assert_allclose(volume(matrix, cluster, 5), objectives.volume(matrix, s)[0])
