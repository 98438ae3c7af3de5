"""The choice of K: every K of a range is tried, and scored by its modularity times its stability."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import torch
from sklearn.base import clone
from sklearn.metrics import adjusted_rand_score

from hoscpool.cluster.inputs import resolve_graph
from hoscpool.graph import Graph, in_mean_weights
from hoscpool.objectives import modularity_loss, motif_cut_loss
from hoscpool.support.errors import ignoring
from hoscpool.support.progress import Progress
from hoscpool.support.seeding import draw_seeds

if TYPE_CHECKING:
    from hoscpool.cluster.fit import Solution
    from hoscpool.cluster.hosc_clustering import HoscClustering

Array = npt.NDArray[np.float64]
STARTS = ("blend",)
"""Features and structure together; without informative features one start of each kind of structure."""


@dataclass(frozen=True)
class KSelection:
    """The curves by which K was chosen.

    Attributes:
        n_clusters: The K with the highest score.
        k: The numbers of clusters tried.
        motif_conductance: Mean share of motif weight that leaves a cluster, weighted over the motifs; low is good.
        modularity: Modularity of the edges; high is good.
        stability: Adjusted Rand index of two fits with different seeds, from the same start; high is good.
        score: Modularity times stability; stability alone where no K has modularity. It does not depend on the range.
    """

    n_clusters: int
    k: tuple[int, ...]
    motif_conductance: tuple[float, ...]
    modularity: tuple[float, ...]
    stability: tuple[float, ...]
    score: tuple[float, ...]


def select_k(
    graph: Any,
    x: Any = None,
    k_range: Iterable[int] = range(2, 13),
    *,
    motifs: Mapping[str, float] | None = None,
    random_state: Any = 0,
    max_epochs: int | None = None,
    verbose: int = 0,
) -> KSelection:
    """Choose the number of clusters of a graph.

    Every K is fitted once. Runs start from features and structure together or, without informative features, from edges
    and from motifs. The run with the lowest objective of the labels is kept. A second fit from the same start with
    another seed shows how stable it is. ``HoscClustering("auto")`` does the same with its own objective and settings.

    Args:
        graph: Anything that `as_graph` takes.
        x: Features ``[N, F]``, instead of the graph's own.
        k_range: The numbers of clusters to try.
        motifs: Weight of every motif.
        random_state: Seed.
        max_epochs: Epochs of every fit; ``None``: those of the robust preset, 0 if features are informative.
        verbose: 1 shows a bar over the numbers of clusters.

    Returns:
        The choice and its curves.

    Raises:
        ValueError: The range is empty, or a number is not between 1 and the number of nodes.
        KeyboardInterrupt: Ctrl-C. There is no choice from an incomplete curve.

    Examples:
        >>> import networkx as nx
        >>> select_k(nx.disjoint_union_all([nx.complete_graph(6)] * 4), k_range=range(2, 7)).n_clusters
        4
    """
    from hoscpool.cluster.hosc_clustering import HoscClustering

    model = HoscClustering(motifs=motifs, max_epochs=max_epochs, verbose=verbose)
    with quiet():
        found = resolve_graph(model, x, graph, n_neighbors=model.n_neighbors, reset=True)
    return best_in_range(model, in_mean_weights(found), k_range, starts=STARTS, built=False, seed=random_state)


def best_in_range(
    model: HoscClustering, graph: Graph, k_range: Iterable[int], *, starts: tuple[str, ...], built: bool, seed: Any
) -> KSelection:
    """The best K of a range, by fits with an estimator's settings and one run from each start.

    Args:
        model: The estimator. Its number of clusters and its seed are ignored.
        graph: The graph with its features.
        k_range: The numbers of clusters to try.
        starts: The starts of the runs.
        built: Whether the graph was built from the features; see `solve`.
        seed: Seed of all fits.
    """
    ks = check_range(k_range)
    words = "choosing the number of clusters" if model.verbose else None
    rows = []
    with quiet(), Progress(words, len(ks)) as bar:
        for k, number in zip(ks, draw_seeds(seed, len(ks)), strict=True):
            rows.append(_measure(model, graph, built, n_clusters=k, random_state=number, starts=starts))
            bar.advance(1)
    return best_k(ks, rows)


def check_range(k_range: Iterable[int]) -> tuple[int, ...]:
    """The numbers of clusters to try, rising.

    Raises:
        ValueError: There are none.
    """
    ks = tuple(sorted(set(k_range)))
    if not ks:
        raise ValueError("k_range: expected a number of clusters that the graph and levels allow, got none")
    return ks


def best_k(ks: tuple[int, ...], rows: Sequence[tuple[float, float, float]]) -> KSelection:
    """The choice among numbers of clusters by what `judge` says of each."""
    curves = np.array(rows).T  # [3, len(ks)]
    score = _score(curves)
    conductance, modularity, stability, total = (tuple(curve) for curve in np.vstack([curves, score]).tolist())
    return KSelection(ks[int(score.argmax())], ks, conductance, modularity, stability, total)


@contextmanager
def quiet() -> Iterator[None]:
    """Without the warnings that every fit would repeat."""
    with ignoring(UserWarning):  # every fit would repeat the warnings of the final one
        yield


def _measure(model: HoscClustering, graph: Graph, built: bool, **given: Any) -> tuple[float, float, float]:
    """Motif conductance, modularity and stability of one K."""
    fit = _fit(model, graph, built, given)
    again = _fit(model, graph, built, given | {"random_state": given["random_state"] + 1, "starts": fit.kept.start})
    labels, others = (found.kept.levels[-1].argmax(dim=1).numpy() for found in (fit, again))
    stability = float(adjusted_rand_score(labels, others))
    return judge(fit.coarse.matrices, stability, fit.motifs)


def judge(
    small: Mapping[str, npt.NDArray[Any]], stability: float, motifs: Mapping[str, float]
) -> tuple[float, float, float]:
    """Motif conductance, modularity and stability of K clusters.

    Args:
        small: SᵀAS ``[K, K]`` of the edges as ``"edge"``, and of every motif.
        stability: How alike the clusters of two seeds are.
        motifs: α of every motif.
    """
    tensors = {name: torch.from_numpy(matrix) for name, matrix in small.items()}
    hard = torch.eye(len(small["edge"]), dtype=torch.float64)  # S of the coarsened graph: one node per cluster
    total = sum(motifs.values())
    cut = sum(weight * (1 + float(motif_cut_loss(tensors[name], hard))) for name, weight in motifs.items()) / total
    return cut, -float(modularity_loss(tensors["edge"], hard)), stability


def _fit(model: HoscClustering, graph: Graph, built: bool, given: dict[str, Any]) -> Solution:
    from hoscpool.cluster.fit import solve

    quick: dict[str, Any] = {"n_init": 1, "consensus": False, "checkpoint": None, "verbose": 0}
    found = solve(clone(model).set_params(**quick, **given), graph, built)
    if found.interrupted:
        raise KeyboardInterrupt
    return found


def _score(curves: Array) -> Array:
    """Modularity times stability. Conductance is shown but does not count: it always prefers few clusters."""
    modularity, stability = np.maximum(curves[1], 0), np.maximum(curves[2], 0)
    score: Array = modularity * stability if modularity.any() else stability
    return score
