"""Further clusterings for the confidence, where the fit left few that are independent of each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.cluster.inputs import motif_matrices
from hoscpool.cluster.multilevel_fit import other_restarts
from hoscpool.cluster.solver_choice import MULTILEVEL
from hoscpool.cluster.views.embedding import kmeans
from hoscpool.cluster.views.starts import SPECTRAL, Source
from hoscpool.graph import Graph, as_graph

if TYPE_CHECKING:
    from hoscpool.cluster.hosc_clustering import HoscClustering

Labels = npt.NDArray[np.int64]

COUNT = 4
"""Further clusterings."""
QUICK = 2_000_000
"""Up to this many edges they are made. Each takes less than a second."""
LEFT_OUT = 0.1
"""Share of the edges that is left out before spectral coordinates are computed again."""
SEED = 1_723_905_846
"""Seed of the further searches, another one than a person would choose."""


def further_runs(model: HoscClustering, graph: Graph, known: int, built: bool) -> list[Labels]:
    """Labels of further runs of a fitted model. Empty if its own restarts are enough, or the graph is large.

    A single search of the multilevel solver is repeated with other seeds. Runs that start from the same spectral
    coordinates make the same mistakes. So k-means is repeated on coordinates of the graph without a tenth of its edges.

    Args:
        model: The fitted model.
        graph: Its graph.
        known: Number of restarts of the fit.
        built: Whether the graph was built of the features.
    """
    if graph.num_edges > QUICK or model.n_clusters_ == 1:
        return []
    if model.solver_ == MULTILEVEL:
        return [] if known > 1 else other_restarts(model, graph, built, COUNT, SEED)
    if model.start_ not in SPECTRAL:
        return []
    found = (_spectral_labels(model, thinned(graph, LEFT_OUT, number), number) for number in range(COUNT))
    return [labels for labels in found if labels is not None]


def thinned(graph: Graph, share: float, seed: int) -> Graph:
    """The graph without directions and without a random share of its edges."""
    edges = sp.coo_array(sp.triu(graph.undirected().adjacency, k=1))
    kept = np.random.default_rng(seed).random(edges.nnz) >= share
    half = sp.coo_array((edges.data[kept], (edges.row[kept], edges.col[kept])), shape=edges.shape)
    return as_graph(sp.csr_array(half + half.T), directed=False)


def _spectral_labels(model: HoscClustering, graph: Graph, seed: int) -> Labels | None:
    """k-means on spectral coordinates of the graph; ``None`` if nothing is left to take them from."""
    matrices = motif_matrices(graph, model.motifs_)
    source = Source(graph, matrices, model.n_clusters_, seed)
    if source.available((model.start_,)) != (model.start_,) or not graph.num_edges:
        return None
    coordinates, _ = source.input(model.start_)
    return kmeans(coordinates, model.n_clusters_, random_state=seed, n_init=3).astype(np.int64)
