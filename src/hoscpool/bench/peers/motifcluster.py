"""motifcluster: the motif adjacency of M4, the triangle of reciprocal links, as in an undirected graph."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from hoscpool.bench.peers import scipy
from hoscpool.graph import Graph


def prepare(graph: Graph) -> Any:
    """The adjacency as the ``csr_matrix`` of floats that the library works on."""
    return sp.csr_matrix(scipy.prepare(graph, np.float64))


def run(adjacency: Any) -> Any:
    """The triangle support of every edge as a symmetric matrix."""
    from motifcluster.motifadjacency import build_motif_adjacency_matrix

    return build_motif_adjacency_matrix(adjacency, "M4", motif_type="func", mam_method="sparse")
