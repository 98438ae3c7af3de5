"""`HoscClustering`: the clustering of the paper as a scikit-learn estimator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted

from hoscpool.cluster.certainty.evidence import ConfidenceAttributes, Evidence
from hoscpool.cluster.choosing.choose_k import KSelection
from hoscpool.cluster.choosing.consensus import warn_unstable
from hoscpool.cluster.choosing.hierarchy import Level, build_hierarchy
from hoscpool.cluster.choosing.small_clusters import check_min_size, merge_small
from hoscpool.cluster.fit import Solution, solve
from hoscpool.cluster.inputs import as_operator, is_table, resolve_graph, warn_collapse, without_directions
from hoscpool.cluster.multilevel_fit import solve_multilevel
from hoscpool.cluster.neighbour_labels import place_by_neighbours
from hoscpool.cluster.objective import FEATURES, cut_weights
from hoscpool.cluster.presets import MULTILEVEL, NETWORK, choose_solver
from hoscpool.cluster.saving import load_model, save_model
from hoscpool.cluster.showing import ShownClusters
from hoscpool.cluster.views.starts import as_input, carry_over
from hoscpool.graph import Graph, in_mean_weights
from hoscpool.objectives import Schedule, Volume
from hoscpool.support.threads import one_thread

_SOLVE = {NETWORK: solve, MULTILEVEL: solve_multilevel}


class HoscClustering(ShownClusters, ConfidenceAttributes, ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Clusters of a graph that cut few motifs. Node features are used when there are any.

    S = softmax(network(X, A)) is trained on L = Σ_j α_j L_mc^j + μ L_o (Eqs. 6–8 of the paper). A node's cluster is the
    largest entry of its row. Two presets:

    - ``"paper"``: exactly the set-up of the paper. ReLU(A X Θ₁ + X Θ₂) with 32 units, a perceptron with 32 units,
      softmax; Adam at 0.001, 500 epochs, gradients clipped at 2, patience 200, learning rate halved after 25 epochs
      without progress, adaptive weights of the motifs.
    - ``"robust"``: works better without labels. It first tests, on held-back edges, whether features follow the
      edges. If they do, the clusters come without training. Features get a metric that is learned from the edges, are
      smoothed over 2, 4, 8 and 16 hops, and k-means clusters this view. Of the best restarts, the one is kept that
      agrees most with the others. Where features explain much less of the edges than structure does, spectral
      coordinates stand beside them. Then the objective is minimised from there, and a graph of similar features is one
      of its cuts.
      If features do not follow the edges, or there are none, runs start from spectral coordinates of A and of A_M and
      minimise the objective. They are compared by the objective of their labels, Σ_j α_j L_mc(argmax S) +
      L_o(argmax S). Runs within two standard deviations are tied. Starts from edges come before starts from motifs,
      unless motifs are better by more than a tie. Any of ``max_epochs``, ``learning_rate``, ``hidden``, ``schedule``,
      ``patience``, ``feature_weight`` and ``levels``, and the methods outside the hosc family, ask for training in any
      case.

    Edge weights are divided by their mean, so their scale does not matter. A motif counts with the product of its edge
    weights.

    ``None`` means the value of the preset.

    Where links alone decide, the runs are a start: nodes move to where a block model of the links wants them, if links
    say more than chance. Such a fit has no ``network_``. Parameters of the training, ``starts`` and ``consensus=False``
    leave the block model out.

    ``solver="multilevel"`` trains no network. It searches for the labels that minimise the same objective: it coarsens
    the graph, finds clusters on the coarsest graph, and moves single nodes on the way back while the objective falls.
    This takes a small part of the time. While a cluster has less than a thousandth of the mean volume, μ is raised from
    ``mu`` to 0.1, 0.3 and 1. ``assignment_`` is the share of a node's weight that goes to each cluster; the node's own
    cluster always has the largest entry. ``n_init`` is 1 by default. Parameters of a network raise an error.

    Args:
        n_clusters: K, or ``"auto"`` to choose it from ``k_range`` as [`select_k`][hoscpool.select_k] does. Every K is
            fitted with the objective and settings given here, but always trained like ``"robust"``, with one run from
            each start. Without ``starts`` there is one start of each kind.
        motifs: Weight α of every motif, by name; ``None``: ``{"edge": 0.5, "triangle": 0.5}``.
        mu: Weight μ of the orthogonality term.
        preset: ``"robust"`` or ``"paper"``.
        method: ``"hosc"``; ``"hp-1"`` (edge alone), ``"hp-2"`` (without the edge); or, with the same network,
            ``"mincut"``, ``"diffpool"``, ``"dmon"``, ``"just-balance"``, which use edges only.
        random_state: Seed, generator, or ``None`` for a new result every time. With ``None`` or a generator, a fit that
            continues from a ``checkpoint`` keeps the seeds of the first attempt.
        solver: ``"network"``, ``"multilevel"``, or ``"auto"``: multilevel for graphs of more than 100,000 edges whose
            features, if there are any, do not follow the edges, or explain less than a fifth of what the structure does
            (then they are left out); the network for all others, and where a parameter is given that only a network
            has. ``solver_`` and ``solver_reason_`` say what was taken and why.
        calibrate: Whether the graph is compared with a rewired copy, which has the same degrees and no communities. The
            weight of a motif is multiplied by how much better its clusters are in the graph than in the copy.
            ``motifs_`` has the weights. Only the multilevel solver does this.
        max_epochs: Largest number of epochs of a run.
        learning_rate: Learning rate of Adam.
        hidden: Width of the hidden layers.
        n_init: Number of runs from every start; without training, number of k-means restarts (40 in ``"robust"``).
        consensus: ``True`` keeps the tied run that agrees best with the others; ``False`` keeps the best run.
        feature_weight: Share of the cut of similar features in the cuts, in [0, 1); the motifs have the rest. This cut
            is taken on a graph that joins every node to the ``n_neighbors`` nodes with the most similar features. It is
            left out if features are not more alike along edges than by chance.
        starts: Views from which runs start: any of ``"blend"`` (features, beside spectral coordinates as far as
            they are needed), ``"raw"``, ``"smooth-H"`` (features over H hops, or several:
            ``"smooth-4+16"``), ``"spectral"``, ``"motif-spectral"``, ``"multilevel"`` (memberships of the
            multilevel solver, with calibrated motifs). Starts that need missing features or
            motifs are left out.
        schedule: ``"constant"``, ``"adaptive"``, or a function; see `motif_weights`.
        volume: ``"soft"`` or ``"diagonal"``; see `motif_cut_loss`.
        levels: Numbers of clusters of pools before the last, largest first: ``(50,)`` is the two-layer clustering of
            Appendix B, MP – pool – MP – pool with S = S₁S₂. The losses of all levels are added.
        patience: A run stops after this many epochs without a better objective at constant motif weights.
        k_range: Smallest and largest K for ``"auto"``; ``None``: 2 to 12, or to twice the number of communities that
            modularity finds, if that is more than 12. Then a graph without features is judged by the multilevel search,
            unless a parameter asks for a network; with features, larger K are tried in steps of a fifth.
        n_neighbors: Neighbours in the graph of similar features, and in the graph that ``fit(x)`` builds from features
            alone. In the second case one graph serves as both.
        checkpoint: A folder where runs are saved: every 30 seconds, at the end of a run, and at Ctrl-C; by the
            multilevel solver at the end of a run. The same fit with the same folder continues from there and gives the
            same result.
        n_jobs: Largest number of threads; -1: one per core. The result does not depend on it. Networks train on one
            thread each, and so many runs at a time. ``None``: one run at a time; the compiled loops that count motifs
            and move nodes use every core on large graphs.
        verbose: 1 shows a bar with loss, clusters in use and time left.
        min_size: Clusters with fewer nodes are merged, the smallest first, into the one with which the objective of the
            labels is lowest. Then ``n_clusters_`` is smaller than ``n_clusters``.

    Attributes:
        labels_: Cluster of every node, int64 ``[N]``.
        assignment_: S, float32 ``[N, K]``.
        confidence_: Probability that each node belongs to its cluster, float32 ``[N]``. The links of the node, with the
            motifs that they are in, and its features are compared with those of every cluster, and the restarts are
            averaged. On planted graphs, nodes of confidence p are right about p of the time. It is computed on first
            use.
        second_choice_: The most probable other cluster of each node, int64 ``[N]``; −1 if there is no other one.
        between_: Whether each node lies between these two: the second is at least a third as probable.
        graph_: The graph of the fit; ``None`` after `load`.
        objective_: The objective of the labels of the result.
        history_: Losses of the kept run, and its objective at constant motif weights; one list over epochs each.
            Empty with ``"multilevel"``.
        n_iter_: Epochs of the kept run; 0 without training. With ``"multilevel"``: number of levels, the given graph
            included.
        runs_: One entry per run.
        feature_weight_: Share of the cut of similar features that was used; 0 without one.
        n_clusters_: K.
        selection_: The curves by which K was chosen, with ``"auto"``.
        n_features_in_: Width of the features, when there were any.
        start_: The view from which the kept run started, or ``"multilevel"``.
        merged_: New number of every cluster that was found, if ``min_size`` merged some; else ``None``.
        kept_run_: Number of the kept run in ``runs_``.
        n_equal_runs_: Number of tied runs, with the kept one.
        solver_: ``"network"`` or ``"multilevel"``.
        solver_reason_: Why this solver was taken.
        agreement_: How much the restarts agree: mean adjusted Rand index between the kept run and the other runs from
            its start, or all other runs if there are none. 1 is equal. Another seed agrees about as much. Below 0.5 a
            warning says so; there, little of planted communities was found. ``None`` with a single run.
        interrupted_: Whether Ctrl-C ended the fit early.
        communities_: With ``"multilevel"``: the communities of the coarser graphs, finest first, int32 ``[N]`` each.
            They nest: each is in one community of the next level, and in one cluster. Empty on graphs of up to 2,000
            nodes, which are not coarsened, and with a network.
        coarse_: The graph between the clusters: ``matrices`` SᵀA_MS ``[K, K]`` of the edge, of every motif, and of the
            graph of similar features (``"features"``), if the fit used one; ``sizes`` of the clusters; and their
            ``features`` SᵀX, summed over the nodes.

    Examples:
        >>> import networkx as nx
        >>> model = HoscClustering(n_clusters=2, random_state=0).fit(nx.karate_club_graph())
        >>> model.labels_.shape, model.assignment_.shape
        ((34,), (34, 2))
    """

    selection_: KSelection
    _mark: str | None

    def __init__(
        self,
        n_clusters: int | str = 8,
        motifs: Mapping[str, float] | None = None,
        mu: float = 0.1,
        preset: str = "robust",
        method: str = "hosc",
        random_state: Any = None,
        *,
        solver: str = "auto",
        calibrate: bool = False,
        max_epochs: int | None = None,
        learning_rate: float | None = None,
        hidden: int | None = None,
        n_init: int | None = None,
        consensus: bool | None = None,
        feature_weight: float | None = None,
        starts: str | Sequence[str] | None = None,
        schedule: Schedule | None = None,
        volume: Volume = "soft",
        levels: Sequence[int] | None = None,
        patience: int | None = None,
        k_range: tuple[int, int] | None = None,
        n_neighbors: int = 10,
        checkpoint: str | Path | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        min_size: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.motifs = motifs
        self.mu = mu
        self.preset = preset
        self.method = method
        self.random_state = random_state
        self.solver = solver
        self.calibrate = calibrate
        self.max_epochs = max_epochs
        self.learning_rate = learning_rate
        self.hidden = hidden
        self.n_init = n_init
        self.consensus = consensus
        self.feature_weight = feature_weight
        self.starts = starts
        self.schedule = schedule
        self.volume = volume
        self.levels = levels
        self.patience = patience
        self.k_range = k_range
        self.n_neighbors = n_neighbors
        self.checkpoint = checkpoint
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.min_size = min_size

    def fit(self, x: Any = None, y: Any = None, *, graph: Any = None) -> HoscClustering:  # noqa: ARG002
        """Cluster a graph.

        Args:
            x: Features ``[N, F]``, dense or sparse (stays sparse); ``None``; or, without ``graph``, a NetworkX graph,
                a PyG ``Data``, a `Graph` or a path, with its features.
            y: Not used.
            graph: Anything that [`as_graph`][hoscpool.as_graph] takes. With a table ``x`` and no graph, ``fit`` builds
                a graph of nearest neighbours and uses only starts that work for new points too.

        Returns:
            The estimator.

        Raises:
            ValueError: A parameter or the input is not valid. The message says which, and what to do.
            KeyboardInterrupt: Ctrl-C while K was being chosen, or before there were any clusters. Later, Ctrl-C ends
                the fit with a warning.
        """
        if hasattr(self, "selection_"):
            del self.selection_
        built = graph is None and is_table(x)
        with one_thread():
            found = resolve_graph(self, x, graph, n_neighbors=self.n_neighbors, reset=True)
            least = check_min_size(self.min_size, found.num_nodes)
            choice = choose_solver(self, found, built)
            leaves_out = {} if choice.uses_features else {"uses_features": False}
            solution = _SOLVE[choice.name](self, in_mean_weights(found), built=built, **leaves_out)
            cuts = cut_weights(solution.motifs, solution.feature_weight)
            solution, merged = merge_small(solution, cuts, least)
            solution = replace(solution, coarse=solution.coarse.in_weights_of(found))
            names = None if found.node_names is None else [str(name) for name in found.node_names]
            self._keep(solution, None, names)
        self.merged_: npt.NDArray[np.int64] | None = merged
        self.solver_, self.solver_reason_ = choice.name, choice.reason
        self.graph_, self._evidence, self._known_certainty = found, Evidence(solution.restarts, built), None
        return self

    def predict(self, x: Any = None, *, graph: Any = None) -> npt.NDArray[np.int64]:
        """The cluster of every node of this or another graph with the same features; arguments as in `fit`."""
        labels: npt.NDArray[np.int64] = self.predict_proba(x, graph=graph).argmax(axis=1)
        return labels

    def predict_proba(self, x: Any = None, *, graph: Any = None) -> npt.NDArray[np.float32]:
        """S of this or another graph with the same features, ``[N, K]``; arguments as in `fit`.

        On the graph of the fit this is ``assignment_``. If the multilevel solver had no features, or the fit ended with
        a block model, the other graph must share nodes with that of the fit, by name or else by number: they keep their
        memberships, and new nodes have the mean of their neighbours' (weighted by edges), ring by ring.

        Raises:
            ValueError: The features differ from those of the fit, the kept run started from spectral coordinates,
                which mean nothing on another graph, or the graph shares no node with that of a fit without features.
        """
        check_is_fitted(self)
        with one_thread():
            return self._place(resolve_graph(self, x, graph, n_neighbors=self.n_neighbors, reset=False))

    def _place(self, found: Graph) -> npt.NDArray[np.float32]:
        """S of a graph."""
        if found.fingerprint == self.fingerprint_:
            return self.assignment_.copy()
        if self.network_ is None:
            return place_by_neighbours(without_directions(found), self.node_names_, self.assignment_)
        found = in_mean_weights(without_directions(found))
        table = as_input(carry_over(self.start_, found, self.feature_map_))
        with torch.no_grad():
            levels = self.network_(table, as_operator(found.adjacency))
        assignment: npt.NDArray[np.float32] = levels[-1].numpy()
        if self.merged_ is not None:
            assignment = assignment @ np.eye(self.n_clusters_, dtype=np.float32)[self.merged_]
        return assignment

    def hierarchy(self, n_clusters: Sequence[int]) -> list[Level]:
        """Nested coarser clusterings, made from the fitted one, each with its coarsened graph.

        Clusters are merged two at a time. Each time, the two are merged whose union gives the best objective of the
        labels. Finer clusterings are in ``communities_``.

        Args:
            n_clusters: Numbers of clusters, each at most the fitted K, in any order.

        Returns:
            One level for each, finest first.

        Raises:
            ValueError: A number is not between 1 and the number of clusters in use.
        """
        check_is_fitted(self)
        # models saved by earlier versions do not have the graph of similar features
        weights = cut_weights(self.motifs_, self.feature_weight_ if FEATURES in self.coarse_.matrices else 0.0)
        return build_hierarchy(self.assignment_, self.coarse_, weights, n_clusters)

    def save(self, folder: str | Path) -> None:
        """Write the fitted model: ``model.safetensors`` and ``model.json``; nothing is pickled."""
        check_is_fitted(self)
        save_model(self, Path(folder))

    @classmethod
    def load(cls, folder: str | Path) -> HoscClustering:
        """Read what `save` wrote.

        Raises:
            FileNotFoundError: There is no model in the folder.
            ValueError: A file is truncated or was changed.
        """
        return load_model(cls, Path(folder))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    @property
    def fingerprint_(self) -> str:
        """A short text that identifies the graph of the fit with its features. It is computed when first needed."""
        return self.graph_.fingerprint if self._mark is None else self._mark

    @fingerprint_.setter
    def fingerprint_(self, mark: str) -> None:
        self._mark = mark

    def _keep(self, solution: Solution, mark: str | None, node_names: list[str] | None) -> None:
        """Store a solution. The mark is the fingerprint of its graph, if it is known already."""
        best = solution.kept
        self.labels_ = solution.restarts[0].copy() if solution.restarts else best.levels[-1].argmax(dim=1).numpy()
        self.assignment_ = best.levels[-1].numpy()
        self.level_assignments_ = [level.numpy() for level in best.levels]
        self.objective_, self.history_, self.n_iter_ = best.hard, best.progress.history, best.progress.epoch
        self.runs_ = [run.summary for run in solution.runs]
        self.kept_run_, self.n_equal_runs_ = best.number, best.equals
        self.start_, self.network_, self.feature_map_ = best.start, best.network, best.feature_map
        self.merged_ = None
        self.n_clusters_, self.motifs_ = solution.n_clusters, solution.motifs
        self.feature_weight_, self.interrupted_ = solution.feature_weight, solution.interrupted
        self.agreement_, self.communities_ = solution.agreement, list(solution.communities)
        self._mark, self.node_names_ = mark, node_names
        self.coarse_ = solution.coarse
        if solution.selection is not None:
            self.selection_ = solution.selection
        warn_collapse(self.labels_, self.n_clusters_)
        warn_unstable(self.agreement_)
