"""`HoscClustering`: the clustering of the paper as a scikit-learn estimator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted

from hoscpool.cluster.choosing.hierarchy import Level, build_hierarchy, coarsen
from hoscpool.cluster.fit import Solution, solve
from hoscpool.cluster.inputs import as_operator, fingerprint, is_table, resolve_graph, warn_collapse, without_directions
from hoscpool.cluster.objective import FEATURES, cut_weights
from hoscpool.cluster.saving import load_model, save_model
from hoscpool.cluster.views.starts import as_input, carry_over
from hoscpool.graph import Graph
from hoscpool.objectives import Schedule, Volume
from hoscpool.support.threads import threads_for


class HoscClustering(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Clusters of a graph that respect motifs, using node features when there are any.

    S = softmax(network(X, A)) is trained on L = Σ_j α_j L_mc^j + μ L_o (Eqs. 6–8 of the paper); a node's cluster is the
    largest entry of its row. Two presets:

    - ``"paper"``: the paper's set-up to the letter. ReLU(A X Θ₁ + X Θ₂) with 32 units, a perceptron with 32 units,
      softmax; Adam at 0.001, 500 epochs, gradients clipped at 2, patience 200, learning rate halved after 25 epochs
      without progress, adaptive weights of the motifs.
    - ``"robust"``: what works better without labels. Each restart sees another cheap view of the graph (features after
      TF-IDF, SVD and smoothing over few or many hops; spectral coordinates of A or of A_M), fits its perceptron to
      k-means on that view, and goes on with the objective. Runs are compared by their hard objective
      Σ_j α_j L_mc(argmax S) + L_o(argmax S); differences within two standard deviations are chance. Features are
      trusted before edges and edges before motifs, unless the next is better by more than chance. Of the equally good
      runs the one is kept whose clusters are most like those of the others. Where nodes have features, the cut on a
      graph of similar features stands in the objective beside those of the motifs.

    Parameters that are ``None`` have the preset's value.

    Args:
        n_clusters: K, or ``"auto"`` to choose it from ``k_range`` as [`select_k`][hoscpool.select_k] does: every K is
            fitted with the objective and the settings given here, but always as ``"robust"`` learns, one run from each
            start, and unless ``starts`` are given, from one start of each kind.
        motifs: Weight α of every motif, by name; ``None``: ``{"edge": 0.5, "triangle": 0.5}``.
        mu: Weight μ of the orthogonality term.
        preset: ``"robust"`` or ``"paper"``.
        method: ``"hosc"``; ``"hp-1"`` (edge alone), ``"hp-2"`` (without the edge); or, with the same network,
            ``"mincut"``, ``"diffpool"``, ``"dmon"``, ``"just-balance"``, which look at edges only.
        random_state: Seed, generator, or ``None`` for a new result every time. With ``None`` or a generator a fit that
            goes on from a ``checkpoint`` has the seeds with which it was begun.
        max_epochs: Most epochs of a run.
        learning_rate: Of Adam.
        hidden: Width of the hidden layers.
        n_init: Number of runs from every start.
        consensus: Whether the run is kept that is most like the other equally good ones; ``False``: the best one.
        feature_weight: Share of the cuts that is taken on the graph that joins every node to the ``n_neighbors`` nodes
            whose features are most alike, in [0, 1); the motifs have the rest. Features that follow the edges no more
            than chance would are left out of it.
        starts: What runs see: any of ``"raw"``, ``"smooth-H"`` (features over H hops, or several: ``"smooth-4+16"``),
            ``"spectral"``, ``"motif-spectral"``. Starts that a graph has not (no features, no motif) are left out.
        schedule: ``"constant"``, ``"adaptive"``, or a function; see `motif_weights`.
        volume: ``"soft"`` or ``"diagonal"``; see `motif_cut_loss`.
        levels: Numbers of clusters of pools before the last, falling: ``(50,)`` is the two-layer clustering of
            Appendix B, MP – pool – MP – pool with S = S₁S₂. The losses of all levels are added.
        patience: Epochs without a better constant-weight objective before a run stops.
        k_range: Smallest and largest K for ``"auto"``.
        n_neighbors: Neighbours in the graph of similar features, and in the one that ``fit(x)`` builds of features
            alone, where one graph serves as both.
        checkpoint: A folder where runs are kept at the end of an epoch: every 30 seconds, at the end of a run, and when
            Ctrl-C comes. The same fit with the same folder goes on from there, to the same result.
        verbose: 1 shows a bar with loss, live clusters and time left.

    Attributes:
        labels_: Cluster of every node, int64 ``[N]``.
        assignment_: S, float32 ``[N, K]``.
        objective_: The hard objective of the result.
        history_: Losses and constant-weight objective of the best run, a list over epochs each.
        runs_: One line about every run.
        feature_weight_: Share of the cut on the graph of similar features; 0 where the fit did not look at one.
        n_clusters_: K.
        selection_: The curve by which K was chosen, with ``"auto"``.
        n_features_in_: Width of the features, when there were any.
        start_: The view that the kept run saw.
        kept_run_: Number of the kept run in ``runs_``.
        n_equal_runs_: How many runs were equally good, the kept one included.
        interrupted_: Whether Ctrl-C ended the fit before its time.
        coarse_: The graph between the clusters: ``matrices`` SᵀA_MS ``[K, K]`` of the edge, of every motif, and of the
            graph of similar features (``"features"``), if the fit looked at one; ``sizes`` of the clusters; and their
            ``features`` SᵀX, summed over the nodes.

    Examples:
        >>> import networkx as nx
        >>> model = HoscClustering(n_clusters=2, random_state=0).fit(nx.karate_club_graph())
        >>> model.labels_.shape, model.assignment_.shape
        ((34,), (34, 2))
    """

    def __init__(
        self,
        n_clusters: int | str = 8,
        motifs: Mapping[str, float] | None = None,
        mu: float = 0.1,
        preset: str = "robust",
        method: str = "hosc",
        random_state: Any = None,
        *,
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
        k_range: tuple[int, int] = (2, 12),
        n_neighbors: int = 10,
        checkpoint: str | Path | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.motifs = motifs
        self.mu = mu
        self.preset = preset
        self.method = method
        self.random_state = random_state
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
        self.verbose = verbose

    def fit(self, x: Any = None, y: Any = None, *, graph: Any = None) -> HoscClustering:  # noqa: ARG002
        """Cluster a graph.

        Args:
            x: Features ``[N, F]``, dense or sparse (stays sparse); ``None``; or, without ``graph``, a NetworkX graph,
                a PyG ``Data``, a `Graph` or a path, with the features it carries.
            y: Not used.
            graph: Anything that [`as_graph`][hoscpool.as_graph] takes. Without it, and with ``x`` a table, a graph of
                nearest neighbours is built, and only starts that carry over to new points are used.

        Returns:
            The estimator.

        Raises:
            ValueError: A parameter is not valid, or the input is not; the message says which and what to do.
            KeyboardInterrupt: Ctrl-C came while K was being chosen; later it ends the fit with a warning.
        """
        if hasattr(self, "selection_"):
            del self.selection_
        found = resolve_graph(self, x, graph, n_neighbors=self.n_neighbors, reset=True)
        with threads_for(found.num_nodes):
            self._keep(solve(self, found, built=graph is None and is_table(x)), found)
        return self

    def predict(self, x: Any = None, *, graph: Any = None) -> npt.NDArray[np.int64]:
        """The cluster of every node of this or another graph with the same features; arguments as in `fit`."""
        labels: npt.NDArray[np.int64] = self.predict_proba(x, graph=graph).argmax(axis=1)
        return labels

    def predict_proba(self, x: Any = None, *, graph: Any = None) -> npt.NDArray[np.float32]:
        """S of this or another graph with the same features, ``[N, K]``; arguments as in `fit`.

        On the graph of the fit this is ``assignment_``.

        Raises:
            ValueError: The features are others than in the fit, or the model saw spectral coordinates, which another
                graph does not share.
        """
        check_is_fitted(self)
        found = resolve_graph(self, x, graph, n_neighbors=self.n_neighbors, reset=False)
        if fingerprint(found) == self.fingerprint_:
            return self.assignment_.copy()
        found = without_directions(found)
        table = as_input(carry_over(self.start_, found, self.feature_map_))
        with torch.no_grad():
            levels = self.network_(table, as_operator(found.adjacency))
        assignment: npt.NDArray[np.float32] = levels[-1].numpy()
        return assignment

    def hierarchy(self, n_clusters: Sequence[int]) -> list[Level]:
        """Coarser clusterings on top of the fitted one, nested, each with its coarsened graph.

        Clusters are merged two at a time, each time the two whose union has the best hard objective.

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
            ValueError: A file is truncated or altered.
        """
        return load_model(cls, Path(folder))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _keep(self, solution: Solution, graph: Graph) -> None:
        best = solution.kept
        self.labels_ = best.levels[-1].argmax(dim=1).numpy()
        self.assignment_ = best.levels[-1].numpy()
        self.level_assignments_ = [level.numpy() for level in best.levels]
        self.objective_, self.history_, self.n_iter_ = best.hard, best.progress.history, best.progress.epoch
        self.runs_ = [run.summary for run in solution.runs]
        self.kept_run_, self.n_equal_runs_ = best.number, best.equals
        self.start_, self.network_, self.feature_map_ = best.start, best.network, best.feature_map
        self.n_clusters_, self.motifs_ = solution.n_clusters, solution.motifs
        self.feature_weight_, self.interrupted_ = solution.feature_weight, solution.interrupted
        self.fingerprint_ = fingerprint(graph)
        self.coarse_ = coarsen(self.labels_, self.n_clusters_, solution.matrices, graph.features)
        if solution.selection is not None:
            self.selection_ = solution.selection
        warn_collapse(self.labels_, self.n_clusters_)
