"""`GraphClassifier`: the pipeline of the paper's Section 5.2 as a scikit-learn estimator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from hoscpool.classify.architecture import resolve_settings
from hoscpool.classify.data.collating import collate
from hoscpool.classify.data.graph_set import GraphSet, sorted_batches
from hoscpool.classify.data.labelled_parts import check_edge_features, labels_of, make_parts
from hoscpool.classify.epochs import fit_network
from hoscpool.classify.evaluation.diagnosis import PoolDiagnosis, PoolingLevel, diagnose_pools, pooling_levels
from hoscpool.classify.networks import Prediction, make_network, quiet_pools
from hoscpool.support.html_tables import html_card
from hoscpool.support.seeding import check_seed
from hoscpool.support.threads import one_thread
from hoscpool.training import load_estimator, refusing, restore_network, save_estimator


class GraphClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Predicts the classes of whole graphs with a graph neural network and any pool of the library.

    The network is GNN – pool – GNN – pool – GNN – global pool – dense ×2, with ReLU between them. Adam trains it on the
    cross-entropy plus the losses of the pools, L = L_s + Σ (L_mc + μ L_o). The epoch with the best accuracy on the
    validation graphs is kept; between equal ones the lower cross-entropy decides. The defaults are those of the paper.

    Args:
        pooling: A name of [`list_pools`][hoscpool.nn.list_pools]: ``"hosc"``, ``"hp-1"`` (edges only), ``"hp-2"``
            (triangles only), ``"mincut"``, ``"diffpool"``, ``"eigen"``, ``"sag"``, ``"asap"``, ``"gmt"``, ``"random"``,
            ``"none"``, ``"edge"``, ``"topk"``, ``"dmon"``, ``"just-balance"``. ``"gmt"`` leaves one supernode per
            graph, so it replaces the global pool.
        max_epochs: Largest number of passes over the training graphs. ``None``: 500, and 1,000 for a deep network.
        random_state: Seed of parameters, batches and held-out graphs; ``None`` for a new result every time.
        encoder: ``"gcn"`` (with skip connection, also ``"gcn-skip"``), ``"gin"``, ``"sage"``, ``"gat"`` or ``"gine"``.
        n_pools: Number of pooling blocks. The paper has 2, its ablation "1-pooling" has 1.
        ratio: Share of the nodes that a pool leaves: K = int(ratio · n), and int(ratio · K) at the second pool.
        clusters_from: What n is: the ``"mean"`` or the ``"largest"`` size of the training graphs.
        hidden: Width of all layers.
        batch_size: Graphs in a batch.
        mu: Weight μ of the orthogonality loss of HoscPool.
        motifs: Weights of HoscPool's motifs by name; ``None``: ``{"edge": 0.5, "triangle": 0.5}``.
        schedule: ``"adaptive"``: during training the weight moves from the higher-order motifs to the edges;
            ``"constant"``: the ablation "not-ada".
        remove_self_loops: ``False`` keeps the diagonal of coarsened graphs, the ablation "No-diag". ``True``: each pool
            treats the diagonal as its paper does.
        skip_readout: Pool the outputs of all GNNs globally and join them ("skip-co"), instead of the last one alone.
        readout: The global pool: ``"mean"`` or ``"sum"``.
        structural_features: Add degree, triangles and the like to the node features ("dense-feat").
        learning_rate: Learning rate of Adam.
        patience: Training stops after this many epochs without a better validation result. ``None``: 100, and 500 for a
            deep network.
        decay_patience: The learning rate is halved after this many epochs without a lower validation loss.
        clip: Largest norm of the gradient.
        checkpoint: A folder where training is saved. The same fit with the same folder continues from there and gives
            the same result. Needs a ``random_state``.
        verbose: 1 shows a progress bar with losses and accuracies.
        architecture: ``"paper"``, the network above; or ``"deep"``, the recipe of the fair comparison of Errica et al.
            (2020): an input perceptron, ``n_layers`` encoders with batch normalisation spread over the levels between
            the pools, read-outs of every layer summed.
        n_layers: Encoders of a deep network.
        edge_features: Use ``edge_attr`` of the graphs. Needs ``encoder="gine"`` or ``"gat"``. Coarsened graphs have no
            features of edges.

    Attributes:
        classes_: The classes, ascending.
        n_clusters_: K of every pool.
        n_features_in_: Width of the features of the graphs; 0 for none, and then every node gets a constant.
        n_edge_features_: Width of the features of edges that are used; 0 for none.
        history_: Losses and accuracies; one list over epochs each.
        n_epochs_: Number of epochs done.
        best_epoch_: The epoch that was kept, counted from 1; 0 when none was finished.
        validation_score_: Its accuracy on the validation graphs.
        stopped_: Why training ended: ``"epochs"``, ``"patience"``, ``"interrupted"`` or ``"diverged"``.
        earlier_: Time of the epochs that an earlier fit with the same ``checkpoint`` did.
        network_: The fitted network.
        seed_: The seed of the fit: ``random_state``, or a drawn one for ``None``.

    Examples:
        >>> import networkx as nx
        >>> from torch_geometric.utils import from_networkx
        >>> graphs = [from_networkx(nx.cycle_graph(n)) for n in range(4, 12)]
        >>> graphs += [from_networkx(nx.complete_graph(n)) for n in range(4, 12)]
        >>> for number, graph in enumerate(graphs):
        ...     graph.y = int(number >= 8)
        >>> model = GraphClassifier(max_epochs=2, random_state=0).fit(graphs[::2], validation=graphs[1::2])
        >>> model.predict(graphs).shape, model.predict_proba(graphs).shape
        ((16,), (16, 2))
    """

    def __init__(
        self,
        pooling: str = "hosc",
        max_epochs: int | None = None,
        random_state: int | None = None,
        *,
        encoder: str = "gcn",
        n_pools: int = 2,
        ratio: float = 0.25,
        clusters_from: str = "mean",
        hidden: int = 32,
        batch_size: int = 32,
        mu: float = 0.1,
        motifs: Mapping[str, float] | None = None,
        schedule: str = "adaptive",
        remove_self_loops: bool = True,
        skip_readout: bool = False,
        readout: str = "mean",
        structural_features: bool = False,
        learning_rate: float = 1e-3,
        patience: int | None = None,
        decay_patience: int = 50,
        clip: float = 2.0,
        checkpoint: str | Path | None = None,
        verbose: int = 0,
        architecture: str = "paper",
        n_layers: int = 4,
        edge_features: bool = False,
    ) -> None:
        self.pooling = pooling
        self.max_epochs = max_epochs
        self.random_state = random_state
        self.encoder = encoder
        self.n_pools = n_pools
        self.ratio = ratio
        self.clusters_from = clusters_from
        self.hidden = hidden
        self.batch_size = batch_size
        self.mu = mu
        self.motifs = motifs
        self.schedule = schedule
        self.remove_self_loops = remove_self_loops
        self.skip_readout = skip_readout
        self.readout = readout
        self.structural_features = structural_features
        self.learning_rate = learning_rate
        self.patience = patience
        self.decay_patience = decay_patience
        self.clip = clip
        self.checkpoint = checkpoint
        self.verbose = verbose
        self.architecture = architecture
        self.n_layers = n_layers
        self.edge_features = edge_features

    def fit(self, graphs: Any, y: Any = None, *, validation: Any = None) -> GraphClassifier:
        """Learn from graphs with classes.

        Ctrl-C ends training early and keeps the best epoch so far, with a warning. A loss that is not finite does the
        same, and the warning says where it happened.

        Args:
            graphs: A PyG dataset, a list of `Data` with their class in ``y``, or a `GraphSet`.
            y: The classes ``[n]``, instead of those in the graphs.
            validation: Graphs on which epochs are compared. Default: a stratified tenth of ``graphs``, held out.

        Returns:
            The estimator.

        Raises:
            ValueError: A parameter or a graph is not valid. The message says which, and what to do.
        """
        settings = resolve_settings(self.get_params(deep=False))
        if self.random_state is None and self.checkpoint is not None:
            raise ValueError("checkpoint: needs a random_state, because the fit must be repeatable; give a number")
        seed = check_seed(self.random_state)
        train, held_out, classes = make_parts(graphs, y, validation, seed)
        width, clusters = train.graphs.num_features, settings.clusters(train.graphs.sizes)
        edge_width = check_edge_features((train.graphs, held_out.graphs)) if settings.edge_features else 0
        network = make_network(settings.in_channels(width), len(classes), clusters, settings, seed, edge_width)
        progress, ending = fit_network(self, network, settings, train, held_out, seed)
        self.classes_, self.n_features_in_, self.n_clusters_ = classes, width, clusters
        self.n_edge_features_ = edge_width
        self.network_, self.history_ = network, progress.history
        self.stopped_, self.earlier_, self.seed_ = ending.reason, ending.earlier, seed
        self.n_epochs_, self.best_epoch_ = progress.epoch, progress.best_epoch
        self.validation_score_ = max(progress.best_accuracy, 0.0)
        return self

    def predict(self, graphs: Any) -> npt.NDArray[np.int64]:
        """The class of every graph, ``[n]``."""
        check_is_fitted(self)
        predicted: npt.NDArray[np.int64] = self.classes_[self.predict_proba(graphs).argmax(axis=1)]
        return predicted

    def predict_proba(self, graphs: Any) -> npt.NDArray[np.float32]:
        """The probability of every class of `classes_`, ``[n, C]``.

        Raises:
            ValueError: The graphs are not valid, or their features differ from those of the fit.
        """
        check_is_fitted(self)
        found = self._read(graphs)
        table = np.empty((len(found), len(self.classes_)), dtype=np.float32)
        with one_thread():  # also around the softmax: with several threads it would wait forever after a fork
            for places, prediction in self._run(found, merge=True):
                table[places] = prediction.logits.softmax(dim=1).numpy()
        return table

    def score(self, graphs: Any, y: Any = None) -> float:
        """The accuracy: the share of graphs whose class is predicted correctly.

        Args:
            graphs: As in `fit`.
            y: The classes, instead of those in the graphs. A class that the fit did not see counts as an error.

        Raises:
            ValueError: The number of classes differs from the number of graphs.
        """
        found = collate(graphs)
        return float((self.predict(found) == labels_of(found, y, "graphs")).mean())

    def diagnose(self, graphs: Any) -> list[PoolDiagnosis]:
        """What every pool does: clusters in use, entropy, balance."""
        check_is_fitted(self)
        with one_thread():
            return diagnose_pools(prediction.pools for _, prediction in self._run(self._read(graphs)))

    def assignments(self, graph: Any) -> list[PoolingLevel]:
        """The clusters of one graph at every pool, with the coarsened graphs, finest first.

        Args:
            graph: A `Data`, or a `GraphSet` of one graph.
        """
        check_is_fitted(self)
        found = self._read(graph if isinstance(graph, GraphSet) else [graph], "graph")
        if len(found) != 1:
            raise ValueError(f"graph: expected one graph, got {len(found)}")
        with one_thread():
            return pooling_levels(next(self._run(found))[1].pools)

    def _repr_html_(self) -> str:
        """What a notebook shows: the parameters before a fit, the course of the training after it."""
        if not hasattr(self, "network_"):
            return html_card(repr(self), [("fitted", "no")])
        facts = [
            ("classes", ", ".join(str(one) for one in self.classes_[:12])),
            ("features of a node", self.n_features_in_),
            ("clusters of the pools", ", ".join(map(str, np.atleast_1d(self.n_clusters_)))),
            ("epochs", f"{self.n_epochs_}, the best one is {self.best_epoch_}"),
            ("accuracy on the validation graphs", float(self.validation_score_)),
        ]
        return html_card(repr(self), facts)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        """The same for notebooks that ask scikit-learn's way."""
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def save(self, folder: str | Path) -> None:
        """Write the fitted model: ``model.safetensors`` and ``model.json``; nothing is pickled."""
        check_is_fitted(self)
        save_model(self, Path(folder))

    @classmethod
    def load(cls, folder: str | Path) -> GraphClassifier:
        """Read what `save` wrote.

        Raises:
            FileNotFoundError: There is no model in the folder.
            ValueError: A file is truncated or was changed.
        """
        return load_model(cls, Path(folder))

    def _read(self, graphs: Any, name: str = "graphs") -> GraphSet:
        found = collate(graphs, name)
        if found.num_features != self.n_features_in_:
            raise ValueError(
                f"{name}: expected {self.n_features_in_} features per node as in the fit, got {found.num_features}"
            )
        if self.edge_features:
            check_edge_features((found,), self.n_edge_features_)
        return found

    def _run(self, graphs: GraphSet, *, merge: bool = False) -> Iterator[tuple[npt.NDArray[np.int64], Prediction]]:
        """Yield predictions in batches, with the places of the graphs. Merged nodes share a row of the assignment."""
        settings = resolve_settings(self.get_params(deep=False))
        depth = settings.merge_depth if merge else 0
        for places in sorted_batches(graphs.sizes, self.batch_size):
            batch = graphs.batch(places, settings.motif_names, self.structural_features, depth, self.edge_features)
            with torch.no_grad(), quiet_pools():
                prediction = self.network_(batch)
            yield places, prediction


ATTRIBUTES = ("n_clusters_", "n_features_in_", "history_", "n_epochs_", "best_epoch_", "validation_score_", "stopped_",
              "seed_", "n_edge_features_")  # fmt: skip


def save_model(model: GraphClassifier, folder: Path) -> None:
    """Write a fitted model; see `GraphClassifier.save`."""
    tensors = {name: value.detach() for name, value in model.network_.state_dict().items()}
    save_estimator(model, folder, tensors, ATTRIBUTES, classes=model.classes_.tolist())


def load_model(cls: type[GraphClassifier], folder: Path) -> GraphClassifier:
    """Read a fitted model; see `GraphClassifier.load`."""
    with refusing(folder):
        return _load(cls, folder)


def _load(cls: type[GraphClassifier], folder: Path) -> GraphClassifier:
    model, tensors, content = load_estimator(cls, folder)
    model.n_clusters_ = tuple(model.n_clusters_)
    model.classes_ = np.array(content["classes"], dtype=np.int64)
    if model.classes_.ndim != 1:
        raise ValueError("classes: expected a list of whole numbers")
    settings = resolve_settings(model.get_params(deep=False))
    width = settings.in_channels(model.n_features_in_)
    seed = getattr(model, "seed_", model.random_state or 0)  # random pools need it; old files do not have it
    edge_width = getattr(model, "n_edge_features_", 0)  # old files do not have it
    if len(tensors) < settings.n_pools:
        raise ValueError(f"{settings.n_pools:,} pools have more parameters than the file")
    build = partial(make_network, width, len(model.classes_), model.n_clusters_, settings, seed, edge_width)
    model.network_ = restore_network(build, tensors).eval()
    return model
