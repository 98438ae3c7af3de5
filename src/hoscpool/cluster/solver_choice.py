"""The choice of a solver: by size, by features and by the given parameters, never by class labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hoscpool.cluster.objective import cuts_motifs
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


@dataclass(frozen=True)
class SolverChoice:
    """A solver and why it was taken.

    Attributes:
        name: ``"network"`` or ``"multilevel"``.
        reason: Why, in words that follow "solver: network, because".
    """

    name: str
    reason: str


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
    if _features_follow_edges(graph):
        return SolverChoice(NETWORK, "joined nodes have similar features")
    what = "has no features" if graph.features is None else "has features that do not follow its edges"
    return SolverChoice(MULTILEVEL, f"the graph is large ({graph.num_edges:,} edges) and {what}")


def only_a_network_has(model: HoscClustering) -> list[str]:
    """The given parameters that the multilevel solver cannot take.

    Raises:
        ValueError: The method is unknown.
    """
    given = [name for name in NETWORK_ONLY if getattr(model, name) is not None]
    given += [name for name, usual in USUAL.items() if getattr(model, name) != usual]
    return given if cuts_motifs(model.method) else [*given, f"method={model.method!r}"]


def _features_follow_edges(graph: Graph) -> bool:
    signal = None if graph.features is None else Source(graph.undirected(), {}, 1, 0).signal
    return signal is not None and signal.is_informative
