"""Gathers the evidence of a fitted estimator, with further clusterings where the fit left few, for its attributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError

from hoscpool.cluster.certainty.confidence import NO_CLUSTER, Confidence, Labels, measure_confidence
from hoscpool.cluster.certainty.link_evidence import Links, directions_to_use
from hoscpool.cluster.inputs import motif_matrices
from hoscpool.cluster.multilevel_fit import other_restarts
from hoscpool.cluster.presets import MULTILEVEL
from hoscpool.cluster.views.embedding import kmeans
from hoscpool.cluster.views.feature_map import FeatureMap, is_constant
from hoscpool.cluster.views.starts import SPECTRAL, Source
from hoscpool.graph import Graph, as_graph, in_mean_weights
from hoscpool.support.errors import GraphWarning, ignoring
from hoscpool.support.progress import waiting
from hoscpool.support.threads import one_thread

if TYPE_CHECKING:
    from hoscpool.cluster.hosc_clustering import HoscClustering


MOST_RESTARTS = 10
"""Restarts of the fit that are averaged, at most, the kept one included."""
SAVED = ("confidence_", "second_choice_", "between_")
"""The attributes that are saved with a model."""


@dataclass(frozen=True)
class Evidence:
    """What a fit leaves for the confidence of its clusters.

    Attributes:
        restarts: Labels of the kept run, then of the other runs from its start.
        built: Whether the graph was built of the features, so that its links say nothing more.
    """

    restarts: Sequence[Labels]
    built: bool


class ConfidenceAttributes:
    """The fitted attributes ``confidence_``, ``second_choice_`` and ``between_`` of `HoscClustering`."""

    graph_: Graph | None
    _known_certainty: Confidence | None

    @property
    def confidence_(self) -> npt.NDArray[np.float32]:
        """Probability that each node belongs to its cluster, float32 ``[N]``."""
        return self._certainty.own

    @property
    def second_choice_(self) -> npt.NDArray[np.int64]:
        """The most probable other cluster of every node; −1 if there is no other one."""
        return self._certainty.second

    @property
    def between_(self) -> npt.NDArray[np.bool_]:
        """Which nodes lie between two communities: the second is at least a third as probable as their own."""
        return self._certainty.between

    @property
    def knows_confidence(self) -> bool:
        """Whether there is a confidence. Models that were saved by earlier versions have none."""
        return getattr(self, "_known_certainty", None) is not None or getattr(self, "graph_", None) is not None

    @property
    def _certainty(self) -> Confidence:
        known: Confidence | None = getattr(self, "_known_certainty", None)
        if known is None:
            known = self._known_certainty = _measure(self)  # type: ignore[arg-type]
        return known


def restore_confidence(model: HoscClustering, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Give a loaded model the confidence that was saved with it, if any; see `saved_confidence`.

    Raises:
        ValueError: The arrays do not fit the labels.
    """
    model.graph_, known = None, [arrays.get(name) for name in SAVED]
    if any(array is None for array in known):
        return
    found = Confidence(*known)  # type: ignore[arg-type]
    second = found.second
    if not (
        {array.shape for array in known if array is not None} == {model.labels_.shape}
        and [array.dtype.str[1:] for array in known if array is not None] == ["f4", "i8", "b1"]
        and ((found.own >= 0) & (found.own <= 1)).all()
        and ((second >= NO_CLUSTER) & (second < model.assignment_.shape[1]) & (second != model.labels_)).all()
    ):
        raise ValueError("the confidence does not fit the labels")
    model._known_certainty = found


def saved_confidence(model: HoscClustering) -> dict[str, npt.NDArray[Any]]:
    """What `restore_confidence` reads."""
    return {name: getattr(model, name) for name in SAVED} if model.knows_confidence else {}


def _measure(model: HoscClustering) -> Confidence:
    """The confidence of a fitted model.

    Raises:
        NotFittedError: It is not fitted, or was saved by a version without confidence.
    """
    evidence: Evidence | None = getattr(model, "_evidence", None)
    if evidence is None or model.graph_ is None:
        why = "was saved by an earlier version" if hasattr(model, "labels_") else "is not fitted yet"
        raise NotFittedError(f"confidence: this {type(model).__name__} {why}; call fit first")
    with waiting(model.verbose, "confidence"), one_thread(), ignoring(GraphWarning):
        whole = in_mean_weights(model.graph_)
        graph, own = whole.undirected(), evidence.restarts[:MOST_RESTARTS]
        further = further_runs(model, whole, len(own), evidence.built)
        is_linked = graph.num_edges > 0 and not evidence.built
        links = Links.of(graph, motif_matrices(whole, model.motifs_), model.motifs_) if is_linked else None
        table = _table(graph, model.n_clusters_)
        return measure_confidence([*own, *further], model.n_clusters_, links, table)


def _table(graph: Graph, k: int) -> Any:
    """The leading directions of the features, or ``None``."""
    if graph.features is None or is_constant(graph.features):
        return None
    width = directions_to_use(graph.num_nodes, graph.num_features, k)
    if not width:
        return None
    table = FeatureMap.fit(graph.features, 0)(graph.features)
    _, directions = np.linalg.eigh(np.cov(table, rowvar=False).reshape(table.shape[1], -1))
    return table @ directions[:, ::-1][:, :width].astype(np.float32)


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
    if model.start_ not in SPECTRAL or model.network_ is None:  # without a network a search is among the restarts
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
