"""How many clusters: every K of a range tried, judged by motif conductance, modularity and stability."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sklearn.metrics import adjusted_rand_score

from hoscpool.cluster.random_state import draw_seeds
from hoscpool.objectives import modularity_loss, motif_cut_loss
from hoscpool.progress import Progress

Array = npt.NDArray[np.float64]
CURVES = ("motif_conductance", "modularity", "stability")
STARTS = ("smooth-8", "spectral", "motif-spectral")
"""One view of each kind: a curve over K needs many fits."""


@dataclass(frozen=True)
class KSelection:
    """The curve by which K was chosen.

    Attributes:
        n_clusters: The K with the highest score.
        k: The numbers of clusters tried.
        motif_conductance: Mean share of motif weight that leaves a cluster, weighted over the motifs; low is good.
        modularity: Of the edges; high is good.
        stability: Adjusted Rand index of two fits with different seeds, from the same start; high is good.
        score: Mean of the three, each scaled to [0, 1] over the range, the first upside down.
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
    max_epochs: int = 100,
    verbose: int = 0,
) -> KSelection:
    """Choose the number of clusters of a graph.

    Every K is fitted from one start of each kind (smoothed features, edges, motifs), the best by the hard objective is
    kept, and fitted once more from the same start with another seed.

    Args:
        graph: Anything that `as_graph` takes.
        x: Features ``[N, F]``, instead of the graph's own.
        k_range: The numbers of clusters to try.
        motifs: Weight of every motif.
        random_state: Seed.
        max_epochs: Epochs of every fit.
        verbose: 1 shows a bar over the numbers of clusters.

    Returns:
        The choice and the curve.

    Raises:
        ValueError: The range is empty, or a number is not between 1 and the number of nodes.

    Examples:
        >>> import networkx as nx
        >>> select_k(nx.disjoint_union_all([nx.complete_graph(6)] * 4), k_range=range(2, 7)).n_clusters
        4
    """
    ks = tuple(sorted(set(k_range)))
    if not ks:
        raise ValueError("k_range: expected at least one number of clusters, got none")
    rows = []
    with warnings.catch_warnings(), Progress("choosing the number of clusters" if verbose else None, len(ks)) as bar:
        warnings.simplefilter("ignore", UserWarning)  # every fit would repeat what the final one says
        for k, seed in zip(ks, draw_seeds(random_state, len(ks)), strict=True):
            rows.append(_judge(graph, x, k, motifs, seed, max_epochs))
            bar.advance(1)
    curves = np.array(rows).T  # [3, len(ks)]
    score = _score(curves)
    conductance, modularity, stability, total = (tuple(curve) for curve in np.vstack([curves, score]).tolist())
    return KSelection(ks[int(score.argmax())], ks, conductance, modularity, stability, total)


def _judge(
    graph: Any, x: Any, k: int, motifs: Mapping[str, float] | None, seed: int, max_epochs: int
) -> tuple[float, float, float]:
    from hoscpool.cluster.estimator import HoscClustering

    settings: Any = {"motifs": motifs, "max_epochs": max_epochs, "consensus": False}
    fit = HoscClustering(k, random_state=seed, starts=STARTS, n_init=1, **settings).fit(x, graph=graph)
    again = HoscClustering(k, random_state=seed + 1, starts=fit.start_, n_init=1, **settings).fit(x, graph=graph)
    small = {name: torch.from_numpy(matrix) for name, matrix in fit.coarse_.matrices.items()}
    hard = torch.eye(k, dtype=torch.float64)  # S of the coarsened graph: every cluster is itself
    total = sum(fit.motifs_.values())
    cut = sum(weight * (1 + float(motif_cut_loss(small[name], hard))) for name, weight in fit.motifs_.items()) / total
    modularity = -float(modularity_loss(small["edge"], hard))
    return cut, modularity, float(adjusted_rand_score(fit.labels_, again.labels_))


def _score(curves: Array) -> Array:
    low, high = curves.min(axis=1, keepdims=True), curves.max(axis=1, keepdims=True)
    scaled = np.divide(curves - low, high - low, out=np.ones_like(curves), where=high > low)
    scaled[0] = np.where(high[0] > low[0], 1 - scaled[0], 1)
    mean: Array = scaled.mean(axis=0)
    return mean
