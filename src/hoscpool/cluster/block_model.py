"""The end of a fit that sees links alone: nodes move to where a block model of the links wants them.

A cut asks only how many links stay inside the clusters. A degree-corrected block model also knows which clusters are
linked to each other: with e_kl links between clusters k and l and κ_k link ends in k, its log-likelihood is, up to a
constant, ½ Σ_kl e_kl log(e_kl Σκ / (κ_k κ_l)) (Karrer & Newman 2011). The sizes n_k of the clusters are a prior:
Σ_k n_k log(n_k / N) is added. No class label is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
import torch

from hoscpool.cluster.closed_form import BLEND
from hoscpool.cluster.engine import Engine, rewired
from hoscpool.cluster.presets import MULTILEVEL
from hoscpool.cluster.run import ClusteringProgress
from hoscpool.cluster.views.starts import SPECTRAL
from hoscpool.support.seeding import draw_seeds

if TYPE_CHECKING:
    from hoscpool.cluster.fit import Result
    from hoscpool.cluster.objective import Objective
    from hoscpool.cluster.presets import Settings
    from hoscpool.cluster.views.starts import Source

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]

SWEEPS = 30
"""Largest number of times that all nodes are asked."""
MOVED = 0.6
"""Share of the willing nodes that move at a time. If all moved at once, neighbours would change places for ever."""
PSEUDO = 1.0
"""So many links, spread by chance, are added to those between two clusters."""
COPIES = 5
"""Rewired copies that tell what a search finds by chance."""
DEVIATIONS = 3.0
"""Links say more than chance if a search is this many standard deviations better than on the copies."""
ENTRIES = 1 << 22
"""Scores that are held at a time."""


@dataclass(frozen=True)
class BlockModel:
    """A degree-corrected block model of labelled nodes.

    Attributes:
        log_rates: How many more links than by chance there are between two clusters, as a logarithm, ``[K, K]``.
        log_sizes: Logarithm of the share of the nodes in every cluster, ``[K]``.
        log_likelihood: That of links and sizes, up to a constant that is the same for all labels.
    """

    log_rates: Floats
    log_sizes: Floats
    log_likelihood: float

    @classmethod
    def fit(cls, links: sp.csr_array, labels: Labels, k: int) -> BlockModel:
        """The likeliest model.

        Args:
            links: Weight of the links of every node to every cluster, ``[N, K]``.
            labels: Cluster of every node; none is empty.
            k: Number of clusters.
        """
        members = sp.csr_array((np.ones(len(labels)), (labels, np.arange(len(labels)))), shape=(k, len(labels)))
        between: Floats = (members @ links).toarray()  # [K, K]
        ends = between.sum(axis=1)
        chance = np.outer(ends, ends) / max(ends.sum(), np.finfo(float).tiny)
        smooth = between + PSEUDO * np.minimum(chance / PSEUDO, 1.0)
        rates = np.divide(smooth, chance + PSEUDO, out=np.ones_like(chance), where=chance > 0)
        sizes = np.bincount(labels, minlength=k)
        log_sizes = np.log(sizes / len(labels))
        linked = between > 0
        value = (between[linked] * np.log(between[linked] / chance[linked])).sum() / 2 + sizes @ log_sizes
        return cls(np.log(np.maximum(rates, np.finfo(float).tiny)), log_sizes, float(value))


def settle(adjacency: sp.csr_array, labels: Labels, k: int, random_state: int = 0) -> tuple[Labels, float]:
    """Move nodes to the cluster that their links make likeliest, as long as the likelihood grows. No cluster empties.

    Args:
        adjacency: A, symmetric.
        labels: Cluster of every node, ``[N]``.
        k: Number of clusters.
        random_state: Seed of the order in which nodes move.

    Returns:
        The likeliest labels on the way, and their log-likelihood; −∞ if a cluster was empty from the start.
    """
    labels = labels.astype(np.int64)
    if len(np.unique(labels)) < k:
        return labels, -np.inf
    best, likeliest = labels, -np.inf
    rng, nodes = np.random.default_rng(random_state), np.arange(len(labels))
    for _ in range(SWEEPS):
        links = sp.csr_array(adjacency @ sp.csr_array((np.ones(len(labels)), (nodes, labels)), shape=(len(labels), k)))
        model = BlockModel.fit(links, labels, k)
        if model.log_likelihood > likeliest:
            best, likeliest = labels, model.log_likelihood
        wanted, gain = _wishes(model, links, labels)
        moves = (gain > 1e-9) & (rng.random(len(labels)) < MOVED)
        if not (gain > 1e-9).any():
            break
        labels = _kept_in_use(labels, np.where(moves, wanted, labels), gain, k)
    return best, likeliest


def _wishes(model: BlockModel, links: sp.csr_array, labels: Labels) -> tuple[Labels, Floats]:
    """The likeliest cluster of every node, and by how much it is likelier than its own."""
    wanted, gain = np.empty_like(labels), np.empty(len(labels))
    for start, stop in _pieces(len(labels), len(model.log_sizes)):
        scores = links[start:stop] @ model.log_rates + model.log_sizes
        rows = np.arange(stop - start)
        wanted[start:stop] = scores.argmax(axis=1)
        gain[start:stop] = scores[rows, wanted[start:stop]] - scores[rows, labels[start:stop]]
    return wanted, gain


def _pieces(count: int, k: int) -> Iterator[tuple[int, int]]:
    step = max(1, ENTRIES // k)
    for start in range(0, count, step):
        yield start, min(start + step, count)


def _kept_in_use(before: Labels, after: Labels, gain: Floats, k: int) -> Labels:
    """The new labels. Of a cluster that all would leave, the node stays that gains least."""
    for cluster in np.flatnonzero(np.bincount(after, minlength=k) == 0):
        members = np.flatnonzero(before == cluster)
        after[members[gain[members].argmin()]] = cluster
    return after


def links_tell(adjacency: sp.csr_array, k: int, random_state: int = 0) -> bool:
    """Whether a search for K clusters finds clearly better ones than on copies whose edges are rewired.

    Where it does not, as on `syn1`, the edges are noise, and the block model would fit the noise.
    """
    seeds = draw_seeds(random_state, COPIES)
    copies = [_lowest_cut(rewired(adjacency, np.random.default_rng(seed)), k, seed) for seed in seeds]
    margin = float(np.mean(copies)) - _lowest_cut(adjacency, k, random_state)
    return margin > DEVIATIONS * float(np.std(copies, ddof=1))


def _lowest_cut(adjacency: sp.csr_array, k: int, seed: int) -> float:
    return Engine({"edge": adjacency}, {"edge": 1.0}, validate=False).minimise(k, 1.0, kicks=4, random_state=seed).value


def ends_with_block_model(source: Source, objective: Objective, settings: Settings, kept: Result) -> bool:
    """Whether the kept run of a fit is only a start for the block model.

    It is where nobody asked for a certain training, links alone decide, there are enough links for the rates between
    all clusters, and links say more than chance.
    """
    k = kept.levels[-1].shape[1]
    usual = settings.refine is None and settings.consensus and settings.starts == (BLEND,)
    alone = kept.start in SPECTRAL and not objective.feature_weight and not source.for_others
    counts = objective.cuts_motifs and objective.motifs.get("edge", 0.0) > 0 and len(kept.levels) == 1
    enough = k > 1 and k**2 <= source.graph.num_edges
    return usual and alone and counts and enough and links_tell(source.graph.adjacency, k, source.random_state)


def finish(source: Source, objective: Objective, runs: Sequence[Result]) -> tuple[list[Result], Result]:
    """Settle the labels of runs and of a search for labels.

    Args:
        source: Has the graph and its motifs.
        objective: The objective of the fit.
        runs: The kept run, and those that started from the same view.

    Returns:
        All settled results, the likeliest first; and the search as it was.
    """
    k, seed = runs[0].levels[-1].shape[1], source.random_state
    engine = Engine(source.matrices, objective.motifs, validate=False)
    found = engine.minimise_without_crumbs(k, random_state=seed)

    def result(run: Result, labels: Labels) -> Result:
        shares = torch.from_numpy(engine.ties(labels.astype(np.int32), k)[0])
        hard = objective.hard(torch.from_numpy(labels), k)
        return replace(run, levels=[shares], hard=hard, network=None, feature_map=None)

    progress = ClusteringProgress(best=found.value)
    search = replace(runs[0], start=MULTILEVEL, progress=progress, number=1 + max(run.number for run in runs), equals=1)
    search = result(search, found.labels.astype(np.int64))
    settled = []
    for run in (*runs, search):
        labels, value = settle(source.graph.adjacency, run.levels[-1].argmax(dim=1).numpy(), k, seed)
        settled.append((value, result(run, labels)))
    order = sorted(range(len(settled)), key=lambda place: (-settled[place][0], place))
    return [settled[place][1] for place in order], search
