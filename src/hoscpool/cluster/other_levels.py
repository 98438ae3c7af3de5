"""Other clusterings of the same graph, to compare with the fitted one: coarser levels, edges alone, a motif alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from hoscpool.graph import Graph
from hoscpool.motifs import get_motif
from hoscpool.support.errors import ignoring

if TYPE_CHECKING:
    from hoscpool.cluster.hosc_clustering import HoscClustering

Labels = npt.NDArray[np.int64]
MOST_LEVELS = 4
"""Coarser levels, at most: a half of the clusters, a quarter, and so on."""
MOST_MERGED = 500
"""Up to this number of clusters there are coarser levels. A merge looks at every two clusters."""
MOST_MATCHED = 2_000
"""Up to this number of clusters, those of another clustering are numbered like the fitted ones."""
MOST_EDGES = 5_000_000
"""On a larger graph nothing is clustered again."""


def clusterings_to_compare(model: HoscClustering, graph: Graph) -> dict[str, Labels]:
    """Clusterings of the graph of a fit by their names, for a person to compare.

    Coarser levels come from `HoscClustering.hierarchy`. Clusters by edges alone and by the heaviest motif alone, as
    many as the fit found, come from the multilevel solver and see no features. Every cluster has the number of the
    fitted cluster with which it shares most nodes, one to one.
    """
    used = len(np.unique(model.labels_))
    coarser = [used >> step for step in range(1, MOST_LEVELS + 1) if used >> step > 1] if used <= MOST_MERGED else []
    found = {
        f"{one.n_clusters} communities, merged": one.labels for one in (model.hierarchy(coarser) if coarser else ())
    }
    for name in _alone(model) if used > 1 and 0 < graph.num_edges <= MOST_EDGES else ():
        labels = _cluster(model, graph, name, used)
        if labels is not None:
            found[f"{used} communities by {name}s alone"] = labels
    return {name: match_numbers(model.labels_, labels) for name, labels in found.items()}


def match_numbers(labels: Labels, others: Labels) -> Labels:
    """Other clusters, numbered like those of ``labels`` with which they share most nodes, one to one.

    Examples:
        >>> match_numbers(np.array([0, 0, 1, 1]), np.array([5, 5, 3, 3])).tolist()
        [0, 0, 1, 1]
    """
    values, number = np.unique(others, return_inverse=True)
    count = max(int(labels.max(initial=-1)) + 1, len(values))
    if count > MOST_MATCHED:
        return others
    together = np.zeros((len(values), count))
    np.add.at(together, (number, labels), 1)
    matched: Labels = linear_sum_assignment(together, maximize=True)[1].astype(np.int64)[number]
    return matched


def _alone(model: HoscClustering) -> list[str]:
    """The edge and the heaviest undirected motif of the fit, where it used more than one of them."""
    weights = {name: weight for name, weight in model.motifs_.items() if weight > 0}
    motifs = [name for name in weights if name != "edge" and not get_motif(name).is_directed]
    heaviest = sorted(motifs, key=lambda name: -weights[name])[:1]
    return ["edge", *heaviest] if len(weights) > 1 or model.feature_weight_ or heaviest else []


def _cluster(model: HoscClustering, graph: Graph, motif: str, k: int) -> Labels | None:
    """As many clusters by one motif alone; ``None`` if the graph does not have it."""
    from hoscpool.cluster.hosc_clustering import HoscClustering as Estimator

    with ignoring(UserWarning):
        alone: Any = Estimator(k, {motif: 1.0}, mu=model.mu, solver="multilevel", random_state=0).fit(
            graph.undirected()
        )
    return alone.labels_ if alone.coarse_.matrices[motif].any() else None
