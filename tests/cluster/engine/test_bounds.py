"""Every kernel of the engine, once with checks of all indices."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ATTEMPT = """
import numba, numpy as np, scipy.sparse as sp
from hoscpool.cluster.engine import Engine, calibrate_weights, search_range, wide_range
from hoscpool.cluster.engine import level
from hoscpool.cluster.engine.kernels.pieces import count_pieces
from hoscpool.datasets import planted_communities
from hoscpool.motifs import motif_adjacency

@numba.njit
def beyond(array):
    return array[len(array)]

try:
    beyond(np.zeros(1))
    raise SystemExit("indices are not checked")
except IndexError:
    pass
level.BLOCK, level.SMALL = 2_000, 500  # blocks and ranges on small graphs too
graph = planted_communities(3_000, 20_000, 5, random_state=100)
small = planted_communities(800, 5_000, 5, random_state=100)
star = np.zeros((60, 60)); star[0, 1:] = star[1:, 0] = 1
odd = {"loops": np.eye(9), "none": np.zeros((9, 9)), "zeros": np.zeros((2_100, 2_100)), "star": star,
       "full": np.ones((30, 30))}
inputs = [{"edge": one.adjacency, "triangle": motif_adjacency(one, "triangle")} for one in (small, graph)]
inputs += [{"edge": sp.csr_array(matrix)} for matrix in odd.values()]
inputs += [{"edge": sp.csr_array(star), "other": sp.csr_array(np.eye(60)[::-1].copy())}]  # a union of patterns
for matrices in inputs:
    engine = Engine(matrices, dict.fromkeys(matrices, 0.5), n_threads=2)
    n = engine.num_nodes
    for k in sorted({1, 2, min(n, 7), n if n < 100 else 40}):
        found = engine.minimise_without_crumbs(k, tries=2, kicks=4, random_state=k)
        engine.ties(found.labels, k)
    if n < 2_000:
        search_range(engine, wide_range(engine, 0), 0.1, 0, lambda _: None)
    edge = sp.csr_array(matrices["edge"])
    for is_symmetric in (True, False):
        count_pieces(edge.indptr.astype(np.int64), edge.indices.astype(np.int32), is_symmetric,
                     np.empty(n, np.int32), np.zeros(n, np.int32))
calibrate_weights(inputs[0], {"edge": 0.5, "triangle": 0.5}, 5)
print("all indices are within bounds")
"""


@pytest.mark.slow
def test_kernels_stay_within_their_arrays(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", ATTEMPT], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "within bounds" in done.stdout
