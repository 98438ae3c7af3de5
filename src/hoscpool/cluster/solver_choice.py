"""The choice of a solver: by size, by features and by the given parameters, never by class labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from hoscpool.cluster.engine import minimise_cut
from hoscpool.cluster.inputs import check_clusters, edge_matrix
from hoscpool.cluster.objective import cuts_motifs
from hoscpool.cluster.views.blend import DISAGREE
from hoscpool.cluster.views.starts import Source
from hoscpool.graph import Graph
from hoscpool.support.names import lookup

if TYPE_CHECKING:
    from hoscpool.cluster.hosc_clustering import HoscClustering

AUTO, NETWORK, MULTILEVEL = "auto", "network", "multilevel"
SOLVERS = (AUTO, NETWORK, MULTILEVEL)
NETWORK_ONLY = ("max_epochs", "learning_rate", "hidden", "starts", "schedule", "levels", "patience")
"""Parameters that only a network has."""
USUAL = {"preset": "robust", "volume": "soft"}
"""Parameters with one value that both solvers have."""
SMALL = 100_000
"""Up to this many edges the network is taken. It takes seconds there.

Measured without features: on real graphs of that size it is as good as the search or better (Karate, Polblogs,
Email-eu, CS), on generated ones worse.
"""


USUAL_K = 12
"""K at which structure and motifs are judged while K is not known."""


@dataclass(frozen=True)
class SolverChoice:
    """A solver and why it was taken.

    Attributes:
        name: ``"network"`` or ``"multilevel"``.
        reason: Why, in words that follow "solver: network, because".
        uses_features: Whether the multilevel solver is to use the features.
    """

    name: str
    reason: str
    uses_features: bool = True


def choose_solver(model: HoscClustering, graph: Graph, built: bool) -> SolverChoice:
    """The solver that a fit uses.

    Args:
        model: The estimator.
        graph: The graph with its features.
        built: Whether the graph was built of the features.

    Raises:
        ValueError: The solver or the method is unknown, or the network cannot do what is asked.
    """
    choice = _choice(model, graph, built)
    if choice.name == NETWORK and model.calibrate:
        raise ValueError(
            f"calibrate: only the multilevel solver compares motifs with chance, and the network was taken, because "
            f"{choice.reason}; leave calibrate out, or use solver='multilevel'"
        )
    return choice


def _choice(model: HoscClustering, graph: Graph, built: bool) -> SolverChoice:
    asked = lookup(model.solver, {name: name for name in SOLVERS}, "solver")
    if asked != AUTO:
        return SolverChoice(asked, "it was asked for")
    if given := only_a_network_has(model):
        return SolverChoice(NETWORK, f"only a network has {', '.join(given)}")
    if model.calibrate:
        return SolverChoice(MULTILEVEL, "only it compares motifs with chance")
    if built:
        return SolverChoice(NETWORK, "the graph was built of the features")
    if graph.num_edges <= SMALL:
        return SolverChoice(NETWORK, f"the graph is small: {graph.num_edges:,} edges, at most {SMALL:,}")
    large = f"the graph is large ({graph.num_edges:,} edges) and"
    signal = None if graph.features is None else Source(graph.undirected(), {}, 1, 0).signal
    if signal is None or not signal.is_informative:
        what = "has no features" if graph.features is None else "has features that do not follow its edges"
        return SolverChoice(MULTILEVEL, f"{large} {what}")
    k = USUAL_K if model.n_clusters == "auto" else check_clusters(model.n_clusters, graph)
    if model.feature_weight is None and signal.correlation < DISAGREE * explained_by_clusters(graph, k):
        what = "its structure says far more than its features, which are left out"
        return SolverChoice(MULTILEVEL, f"{large} {what}", uses_features=False)
    return SolverChoice(NETWORK, "joined nodes have similar features")


def explained_by_clusters(graph: Graph, n_clusters: int) -> float:
    """How much clusters of half of the edges know of the other half, on the scale of `FeatureSignal.correlation`.

    It is the modularity on the edges that were held back, as a part of the largest that these clusters can have. No
    class label is used.
    """
    upper = sp.triu(edge_matrix(graph.undirected()), k=1, format="coo")
    is_seen = np.random.default_rng(0).random(upper.nnz, dtype=np.float32) < 0.5
    if is_seen.all() or not is_seen.any():
        return 0.0
    half = sp.coo_array((upper.data[is_seen], (upper.row[is_seen], upper.col[is_seen])), shape=upper.shape).tocsr()
    labels = minimise_cut({"edge": sp.csr_array(half + half.T)}, {"edge": 1.0}, n_clusters, validate=False).labels
    ends = labels[upper.row[~is_seen]], labels[upper.col[~is_seen]]
    weights = upper.data[~is_seen].astype(np.float64)
    inside = np.average(ends[0] == ends[1], weights=weights)
    volume = np.bincount(np.concatenate(ends), np.tile(weights, 2), minlength=n_clusters)
    chance = float(np.sum((volume / volume.sum()) ** 2))
    return float((inside - chance) / (1 - chance)) if chance < 1 else 0.0


def only_a_network_has(model: HoscClustering) -> list[str]:
    """The given parameters that the multilevel solver cannot take.

    Raises:
        ValueError: The method is unknown.
    """
    given = [name for name in NETWORK_ONLY if getattr(model, name) is not None]
    given += [name for name, usual in USUAL.items() if getattr(model, name) != usual]
    return given if cuts_motifs(model.method) else [*given, f"method={model.method!r}"]
