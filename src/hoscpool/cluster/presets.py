"""The values of parameters that are ``None``: the two presets, and the choice of a solver, never by class labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from hoscpool.cluster.engine import minimise_cut
from hoscpool.cluster.inputs import check_clusters, edge_matrix
from hoscpool.cluster.objective import cuts_motifs
from hoscpool.cluster.views.blend import DISAGREE
from hoscpool.cluster.views.starts import Source
from hoscpool.graph import Graph
from hoscpool.objectives import Schedule
from hoscpool.support.names import lookup

if TYPE_CHECKING:
    from hoscpool.cluster.hosc_clustering import HoscClustering


@dataclass(frozen=True)
class Settings:
    """How an assignment is learned.

    Attributes:
        message_passing: Whether the assignment network begins with a graph convolution.
        starts: The views from which runs start; see `hoscpool.cluster.views.starts`.
        warm_epochs: Epochs in which the network first learns the k-means clusters of its input.
        hidden: Width of the hidden layers.
        max_epochs: Largest number of epochs on the objective.
        learning_rate: Learning rate of Adam.
        n_init: Number of runs from every start.
        restarts: Number of k-means starts in closed form.
        refine: Whether to minimise the objective by epochs; ``None``: where features do not say enough.
        consensus: Whether to keep the tied run that agrees best with the others, instead of the best run.
        feature_weight: Share of the cut of similar features in the cuts; ``None``: that cut is not used.
        schedule: How the weights of the motifs change during training.
        patience: Training stops after this many epochs without a better objective.
        decay_patience: The learning rate is halved after this many epochs without a better objective.
        clip: Largest norm of the gradient.
    """

    message_passing: bool
    starts: tuple[str, ...]
    warm_epochs: int
    hidden: int = 32
    max_epochs: int = 500
    learning_rate: float = 1e-3
    n_init: int = 1
    restarts: int = 40
    refine: bool | None = True
    consensus: bool = False
    feature_weight: float | None = None
    schedule: Schedule = "constant"
    patience: int = 200
    decay_patience: int = 25
    clip: float = 2.0


TRAINING = frozenset({"max_epochs", "learning_rate", "hidden", "schedule", "patience", "feature_weight"})
"""Who gives one of these wants training."""
PRESETS: dict[str, Settings] = {
    "paper": Settings(message_passing=True, starts=("raw",), warm_epochs=0, schedule="adaptive"),
    "robust": Settings(
        message_passing=False,
        starts=("blend",),
        warm_epochs=100,
        hidden=64,
        max_epochs=100,
        learning_rate=1e-2,
        n_init=2,
        refine=None,
        consensus=True,
        feature_weight=0.2,
    ),
}


def resolve_settings(preset: str, given: Mapping[str, Any]) -> Settings:
    """The values of a preset, replaced by the given ones.

    Raises:
        ValueError: The preset is unknown, or a value is out of range.
    """
    known = {field.name for field in fields(Settings)}
    changes = {name: value for name, value in given.items() if name in known and value is not None}
    changes = {name: value.item() if isinstance(value, np.generic) else value for name, value in changes.items()}
    if "starts" in changes:
        starts = changes["starts"]
        changes["starts"] = (starts,) if isinstance(starts, str) else tuple(starts)
    if "n_init" in changes:
        changes["restarts"] = changes["n_init"]
    chosen = lookup(preset, PRESETS, "preset")
    if chosen.refine is None and not TRAINING.isdisjoint(changes):
        changes["refine"] = changes.get("max_epochs") != 0
    settings = replace(chosen, **changes)
    _check(settings)
    return settings


def _check(settings: Settings) -> None:
    for name in ("hidden", "n_init", "patience", "decay_patience"):
        _check_whole(name, getattr(settings, name), least=1)
    for name in ("max_epochs", "warm_epochs"):
        _check_whole(name, getattr(settings, name), least=0)
    for name in ("learning_rate", "clip"):
        value = getattr(settings, name)
        if not value > 0:
            raise ValueError(f"{name}: expected a number above 0, got {value!r}")
    share = settings.feature_weight or 0.0
    if not 0 <= share < 1:
        raise ValueError(f"feature_weight: expected a share from 0 to below 1, got {share!r}")


def _check_whole(name: str, value: Any, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"{name}: expected a whole number ≥ {least}, got {value!r}")


AUTO, NETWORK, MULTILEVEL = "auto", "network", "multilevel"
SOLVERS = (AUTO, NETWORK, MULTILEVEL)
NETWORK_ONLY = ("max_epochs", "learning_rate", "hidden", "starts", "schedule", "levels", "patience")
"""Parameters that only a network has."""
USUAL = {"preset": "robust", "volume": "soft"}
"""Parameters with one value that both solvers have."""
SMALL = 100_000
"""Up to this many edges the network is taken. It takes seconds there.

Measured without features and without the block model that ends such a fit now: on real graphs of that size it is as
good as the search or better (Karate, Polblogs, Email-eu, CS), on generated ones worse.
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
