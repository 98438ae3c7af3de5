"""The motif adjacency matrices of a fit, each computed once."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

import numpy as np
import scipy.sparse as sp
import torch

from hoscpool.errors import GraphWarning
from hoscpool.graph import Graph
from hoscpool.motifs import get_motif, motif_adjacencies
from hoscpool.objectives import Adjacency, as_adjacency


def without_directions(graph: Graph) -> Graph:
    """The graph as cuts see it; a change is said."""
    if graph.is_directed:
        message = "the graph is directed: directions are ignored, except by directed motifs"
        warnings.warn(message, GraphWarning, stacklevel=4)
    return graph.undirected()


def motif_matrices(graph: Graph, motifs: Iterable[str]) -> dict[str, sp.csr_array]:
    """A_M of every motif on the edges of the graph.

    As in `HoscPool`: of an open motif only pairs of joined nodes count, and on a weighted graph every instance counts
    with the product of its edge weights.
    """
    names = list(motifs)
    matrices = {"edge": graph.undirected().adjacency} if "edge" in names else {}
    for is_directed in (False, True):
        seen = graph if is_directed else graph.undirected()
        kind = [name for name in names if name != "edge" and get_motif(name).is_directed == is_directed]
        weights = "product" if seen.is_weighted else None
        matrices |= motif_adjacencies(seen, kind, on_edges=True, weights=weights)
    return {name: matrices[name] for name in names}


def as_operator(matrix: sp.csr_array) -> Adjacency:
    """A matrix in float32, ready to multiply."""
    return as_adjacency(sp.csr_array(matrix, dtype=np.float64), dtype=torch.float32)
