"""Spectral clustering on motifs."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClusterMixin

from hoscpool.cluster.views.embedding import RandomState, as_seed, kmeans, laplacian_eigenpairs, unit_rows
from hoscpool.graph import Graph, as_graph, in_mean_weights
from hoscpool.motifs import Motif, get_motif, motif_adjacency
from hoscpool.support.errors import GraphWarning
from hoscpool.support.threads import one_thread

Labels = npt.NDArray[np.int64]


class MotifSpectralClustering(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Spectral clustering on the motif adjacency (Benson, Gleich & Leskovec 2016): the paper's SC and MSC.

    It takes the leading eigenvectors of the normalised Laplacian of A_M, scales their rows to length 1 (Ng, Jordan &
    Weiss 2002) and runs k-means on the rows. This relaxes the motif conductance, Eq. (2). ``motif="edge"`` is plain
    spectral clustering.

    Nodes in no motif (`in_motif_` is false) are not clustered. Each joins the cluster to which most of its edge weight
    leads, ring by ring outwards. Nodes without any path to a cluster join the largest one. The same is done for small
    separate pieces of the motif graph that none of the K leading eigenvectors reaches. A `GraphWarning` reports both.

    Args:
        n_clusters: K, 1 to the number of nodes.
        motif: A name of `list_motifs`. ``"edge"`` uses edge weights, if there are any; other motifs are counted.
        induced: Count only instances with no further edges among their nodes.
        on_edges: Keep only the pairs of A_M that are joined. This changes nothing for edge, triangle and clique4. For
            open motifs it takes far less memory, but differs from the definition.
        regularize: This many mean degrees are added to every degree, so that small pieces do not become the clusters.
            0 is the textbook method, 1 that of Qin & Rohe (2013). The default was chosen by the objective of the
            labels, without class labels; see `spectral_embedding`.
        n_init: Number of starts of k-means.
        random_state: Seed. The same seed gives the same labels.

    Attributes:
        labels_: Cluster of every node, int64 ``[N]``.
        embedding_: Coordinates of the nodes, ``[N, K]``, rows of length 1; zeros for a node that was not clustered.
        eigenvalues_: The K smallest eigenvalues of the (regularised) normalised motif Laplacian, ascending; fewer
            when fewer nodes are in motifs.
        in_motif_: Whether each node is in a motif, ``[N]``.
        n_features_in_: Number of nodes, because a graph is read as its adjacency.

    Examples:
        >>> import networkx as nx
        >>> model = MotifSpectralClustering(n_clusters=2, random_state=0).fit(nx.barbell_graph(4, 0))
        >>> sorted(np.bincount(model.labels_).tolist())
        [4, 4]
    """

    def __init__(
        self,
        n_clusters: int = 8,
        motif: str | Motif = "triangle",
        *,
        induced: bool = False,
        on_edges: bool = False,
        regularize: float = 0.25,
        n_init: int = 10,
        random_state: RandomState = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.motif = motif
        self.induced = induced
        self.on_edges = on_edges
        self.regularize = regularize
        self.n_init = n_init
        self.random_state = random_state

    def fit(self, graph: Any, y: Any = None) -> MotifSpectralClustering:  # noqa: ARG002
        """Cluster the nodes of a graph.

        Args:
            graph: A `Graph` or anything that `as_graph` takes. Undirected motifs ignore directions.
            y: Not used.

        Raises:
            ValueError: ``n_clusters`` is not in 1 … N, or another parameter is out of range.
            MemoryEstimateError: The matrix of an open motif would not fit in memory; ``on_edges=True`` helps.
        """
        motif, graph = get_motif(self.motif), in_mean_weights(as_graph(graph))
        self._check_parameters(graph.num_nodes)
        weights = self._motif_weights(graph, motif)
        self.n_features_in_ = graph.num_nodes
        self.in_motif_ = np.diff(weights.indptr) > 0
        with one_thread():
            self._embed(weights)
            self._warn(weights, motif)
            self.labels_ = self._label(graph.undirected().adjacency)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = True
        tags.input_tags.sparse = True
        return tags

    def _check_parameters(self, num_nodes: int) -> None:
        for name, high in (("n_clusters", num_nodes), ("n_init", None)):
            value = getattr(self, name)
            if type(value) is bool or not isinstance(value, int | np.integer):
                raise ValueError(f"{name}: expected a whole number, got {value!r}")
            if value < 1 or (high is not None and value > high):
                limit = "a number ≥ 1" if high is None else f"1 to {high:,}, the number of nodes"
                raise ValueError(f"{name}: expected {limit}, got {value}")

    def _motif_weights(self, graph: Graph, motif: Motif) -> sp.csr_array:
        """A_M as floats without stored zeros; A itself, with its weights, for the edge."""
        if motif.name == "edge":
            weights = sp.csr_array(graph.undirected().adjacency, copy=True)
        else:
            counts = motif_adjacency(graph, motif, induced=self.induced, on_edges=self.on_edges)
            weights = counts.astype(np.float64)
        weights.eliminate_zeros()
        return weights

    def _embed(self, weights: sp.csr_array) -> None:
        """Set the embedding of the nodes in motifs, and the eigenvalues."""
        inside = np.flatnonzero(self.in_motif_)
        self.embedding_ = np.zeros((len(self.in_motif_), self.n_clusters))
        self.eigenvalues_ = np.zeros(0)
        self._seed = as_seed(self.random_state)
        count = min(self.n_clusters, len(inside))
        if count:
            self.eigenvalues_, vectors = laplacian_eigenpairs(
                weights[inside][:, inside], count, regularize=self.regularize, random_state=self._seed
            )
            self.embedding_[inside, :count] = unit_rows(vectors)

    def _label(self, adjacency: sp.csr_array) -> Labels:
        placed = np.asarray(self.embedding_.any(axis=1))
        labels = np.full(len(placed), -1)
        points = self.embedding_[placed]
        if len(points):
            count = min(self.n_clusters, len(points))
            labels[placed] = kmeans(points, count, random_state=self._seed, n_init=self.n_init)
        return spread_labels(adjacency, labels)

    def _warn(self, weights: sp.csr_array, motif: Motif) -> None:
        total, outside = len(self.in_motif_), int(np.count_nonzero(~self.in_motif_))
        follow = "each joins the cluster to which most of its edges lead"
        if outside:
            _say(f"{outside:,} of {total:,} nodes are in no {motif.name}: {follow}")
        pieces = sp.csgraph.connected_components(weights, directed=False)[0] - outside
        unreached = total - outside - int(np.count_nonzero(self.embedding_.any(axis=1)))
        if pieces > self.n_clusters or unreached:
            small = f"; {unreached:,} nodes are in pieces without a cluster: {follow}" if unreached else ""
            _say(f"the {motif.name} graph has {pieces:,} separate pieces{small}")


def spread_labels(adjacency: sp.csr_array, labels: Labels) -> Labels:
    """Give every node with label −1 the cluster to which most of its edge weight leads, ring by ring.

    Ties go to the larger cluster. Nodes without a path to a labelled node join the largest cluster, or cluster 0 if
    there is none.

    Args:
        adjacency: Symmetric weights of the edges.
        labels: Cluster of every node, −1 for none, ``[N]``.
    """
    labels, sizes = labels.copy(), np.bincount(labels[labels >= 0], minlength=1)
    missing = np.flatnonzero(labels < 0)
    rows = sp.csr_array(adjacency[missing])
    while len(missing):
        known = np.flatnonzero(labels >= 0)
        members = sp.csr_array((np.ones(len(known)), (known, labels[known])), shape=(len(labels), len(sizes)))
        reached, best = _row_argmax(sp.csr_array(rows @ members), sizes)
        if not len(reached):
            break
        labels[missing[reached]] = best
        left = labels[missing] < 0
        missing, rows = missing[left], rows[left]
    labels[missing] = sizes.argmax()
    return labels


def _row_argmax(scores: sp.csr_array, preference: Labels) -> tuple[Labels, Labels]:
    """Rows with a positive entry, and the column of the largest entry; between equal entries the preference decides."""
    rows = np.repeat(np.arange(scores.shape[0]), np.diff(scores.indptr))
    order = np.lexsort((scores.indices, -preference[scores.indices], -scores.data, rows))
    order = order[scores.data[order] > 0]
    reached, first = np.unique(rows[order], return_index=True)
    return reached, scores.indices[order][first].astype(np.int64)


def _say(message: str) -> None:
    warnings.warn(message, GraphWarning, stacklevel=4)
