"""From an estimator's parameters and a graph to a fitted result."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import scipy.sparse as sp

from hoscpool.cluster.checkpoint import Checkpoint
from hoscpool.cluster.checks import check_clusters, check_graph, check_levels, check_motifs
from hoscpool.cluster.choose_k import KSelection, select_k
from hoscpool.cluster.fitting import Fitter, Result
from hoscpool.cluster.inputs import fingerprint
from hoscpool.cluster.matrices import as_operator, motif_matrices, without_directions
from hoscpool.cluster.objective import SIBLINGS, Objective, method_motifs
from hoscpool.cluster.random_state import draw_seeds
from hoscpool.cluster.settings import Settings, resolve_settings
from hoscpool.cluster.similarity import follows_edges, similarity_graph
from hoscpool.cluster.starts import Source, inductive
from hoscpool.graph import Graph
from hoscpool.objectives import Adjacency
from hoscpool.progress import waiting

if TYPE_CHECKING:
    from hoscpool.cluster.estimator import HoscClustering


@dataclass(frozen=True)
class Solution:
    """All that a fit found.

    Attributes:
        kept: The result.
        runs: Every run.
        motifs: α of every motif.
        matrices: A without directions as ``"edge"``, and A_M of every motif.
        feature_weight: Share of the cut on the graph of similar features, 0 without one.
        n_clusters: K.
        selection: The curve by which K was chosen, if it was.
    """

    kept: Result
    runs: list[Result]
    motifs: dict[str, float]
    matrices: dict[str, sp.csr_array]
    feature_weight: float
    n_clusters: int
    selection: KSelection | None


def solve(model: HoscClustering, graph: Graph, built: bool) -> Solution:
    """Fit a graph, which was built of features or given.

    Raises:
        ValueError: A parameter or the graph is not valid.
    """
    settings = _settings(model, built)
    motifs = method_motifs(model.method, model.motifs)
    seeds = draw_seeds(model.random_state, 1 + settings.n_init * len(settings.starts))
    check_graph(graph)
    selection = _select_k(model, graph, seeds[0]) if model.n_clusters == "auto" else None
    k = check_clusters(model.n_clusters if selection is None else selection.n_clusters, graph)
    sizes = check_levels(model.levels, k, graph)
    matrices = motif_matrices(graph, motifs)
    check_motifs(matrices)
    undirected = without_directions(graph)
    operators = {name: as_operator(matrix) for name, matrix in matrices.items()}
    source, checkpoint = Source(undirected, matrices, k, seeds[0]), _checkpoint(model, graph, seeds)
    similar = None if built else _similar_features(model, source, settings)
    share = 0.0 if similar is None else settings.feature_weight or 0.0
    objective = Objective(
        model.method, operators, motifs, model.mu, model.volume, settings.schedule, similar, share
    )  # fmt: skip
    adjacency = operators.get("edge") or as_operator(undirected.adjacency)
    fitter = Fitter(source, adjacency, objective, settings, sizes, checkpoint, model.verbose)
    kept, runs = fitter.run_all(seeds[1:])
    return Solution(kept, runs, motifs, {"edge": undirected.adjacency, **matrices}, share, k, selection)


def _settings(model: HoscClustering, built: bool) -> Settings:
    settings = resolve_settings(model.preset, model.get_params(deep=False))
    if built and model.starts is None:  # new points must find their place in `predict`
        return replace(settings, starts=inductive(settings.starts))
    return settings


def _similar_features(model: HoscClustering, source: Source, settings: Settings) -> Adjacency | None:
    """The graph of similar features, if this fit looks at one."""
    if model.method in SIBLINGS or not settings.feature_weight or not source.has_features:
        return None
    with waiting(model.verbose, "comparing features"):
        if not follows_edges(source.table, source.graph.adjacency, source.random_state):
            return None
        return as_operator(similarity_graph(source.table, model.n_neighbors, source.random_state))


def _select_k(model: HoscClustering, graph: Graph, seed: int) -> KSelection:
    low, high = model.k_range
    ks = range(low, min(high, graph.num_nodes) + 1)
    motifs, epochs = method_motifs(model.method, model.motifs), model.max_epochs or 100
    return select_k(graph, None, ks, motifs=motifs, random_state=seed, max_epochs=epochs, verbose=model.verbose)


def _checkpoint(model: HoscClustering, graph: Graph, seeds: list[int]) -> Checkpoint:
    """The folder of unfinished runs, under a key of everything that the result depends on."""
    parameters = model.get_params(deep=False) | {"verbose": 0, "checkpoint": 0}
    return Checkpoint(model.checkpoint, repr((parameters, seeds, fingerprint(graph))))
