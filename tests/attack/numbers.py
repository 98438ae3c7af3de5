"""Random sizes, weights, scales and rates: every number is right or refused by name, and none is NaN."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from math import comb, perm
from typing import Any

import networkx as nx
import numpy as np
import scipy.sparse as sp
import torch

import hoscpool as hp
from attack.reports import Attack, Budget, Report
from hoscpool.graph import Graph, as_graph

TOLERANCE = 1e-4


def _star(leaves: int) -> Graph:
    indptr = np.concatenate([[0], np.arange(leaves, 2 * leaves + 1)])
    return Graph(indptr, np.concatenate([np.arange(1, leaves + 1), np.zeros(leaves)]).astype(np.int32))


def _counts(rng: random.Random) -> str | None:
    """Closed formulas on a complete, a bipartite and a star graph."""
    n, a, b, leaves = rng.randint(5, 150), rng.randint(3, 200), rng.randint(3, 200), 10 ** rng.uniform(1, 6.5)
    symmetric = {"edge": 2, "wedge": 2, "triangle": 6, "star4": 6, "path4": 2, "tailed-triangle": 2, "cycle4": 8,
                 "diamond": 4, "clique4": 24}  # fmt: skip
    expected: list[tuple[Graph, dict[str, int]]] = [
        (as_graph(nx.complete_graph(n)),
         {name: perm(n, hp.motifs.get_motif(name).num_nodes) // size for name, size in symmetric.items()}),
        (as_graph(nx.complete_bipartite_graph(a, b)),
         {"edge": a * b, "wedge": a * comb(b, 2) + b * comb(a, 2), "star4": a * comb(b, 3) + b * comb(a, 3),
          "path4": perm(a, 2) * perm(b, 2), "cycle4": comb(a, 2) * comb(b, 2), "triangle": 0, "diamond": 0}),
        (_star(int(leaves)), {"wedge": comb(int(leaves), 2), "star4": comb(int(leaves), 3), "path4": 0}),
    ]  # fmt: skip
    for graph, counts in expected:
        for name, count in counts.items():
            if (found := hp.motif_count(graph, name)) != count:
                return f"{name} of {graph}: {found:,} instead of {count:,}"
    return None


def _weights(rng: random.Random) -> str | None:
    """Weights of any scale give the clusters of scale 1, or are refused by name."""
    numbers = np.random.default_rng(rng.randrange(2**32))
    group = np.arange(30) // 10
    links = np.triu(numbers.random((30, 30)) < np.where(group[:, None] == group, 0.7, 0.15), 1)
    spread = 10 ** numbers.uniform(-rng.choice([0.3, 3, 12]), 0, (30, 30))
    scale = 10 ** rng.uniform(-300, 300)
    weights = links * spread
    settings: dict[str, Any] = rng.choice([{"preset": "paper", "max_epochs": 30}, {"solver": "multilevel"}])
    x = numbers.standard_normal((30, 4)) if "preset" in settings else None

    def fit(factor: float) -> Any:
        graph = as_graph(sp.csr_array((weights + weights.T) * factor))
        return hp.HoscClustering(3, random_state=0, **settings).fit(x, graph=graph)

    try:
        plain = fit(1.0)
    except ValueError as error:
        return None if str(error).startswith("weights:") else f"{settings}: {error}"
    try:
        scaled = fit(scale)
    except ValueError as error:
        return f"{settings}: refused at scale {scale:.3g} only: {error}"
    if not abs(scaled.objective_ - plain.objective_) < TOLERANCE:
        return f"{settings}, scale {scale:.3g}: objective {scaled.objective_} instead of {plain.objective_}"
    return None


DEGENERATE: tuple[Callable[[], nx.Graph], ...] = (
    lambda: nx.empty_graph(6), lambda: nx.star_graph(7), lambda: nx.complete_graph(6), lambda: nx.path_graph(2),
    lambda: nx.disjoint_union(nx.complete_graph(4), nx.empty_graph(3)), lambda: nx.complete_bipartite_graph(3, 4),
    lambda: nx.disjoint_union_all([nx.path_graph(2)] * 5),
)  # fmt: skip


def _long_training(rng: random.Random, epochs: int = 10_000) -> str | None:
    """Epochs at a high rate on a degenerate graph."""
    graph = as_graph(rng.choice(DEGENERATE)())
    method = rng.choice(["hosc", "mincut", "dmon", "just-balance", "diffpool"])
    x = np.random.default_rng(0).standard_normal((graph.num_nodes, 3)) * 10 ** rng.uniform(-3, 3)
    rate = 10 ** rng.uniform(-1, 2)
    model = hp.HoscClustering(
        2, random_state=0, preset="paper", method=method, max_epochs=epochs, patience=epochs, learning_rate=rate
    )
    found = model.fit(x, graph=graph)
    values = [*found.history_["loss"], found.objective_, *found.assignment_.ravel().tolist()]
    if not np.isfinite(values).all():
        return f"{method} on {graph} at rate {rate:.3g}: not finite after {epochs:,} epochs"
    return None


def _half_and_single(rng: random.Random) -> str | None:
    """Objectives in float32 beside those in float64, beside hubs."""
    leaves, k = int(10 ** rng.uniform(2, 6)), rng.randint(2, 6)
    matrix = _star(leaves).adjacency
    generator = torch.Generator().manual_seed(rng.randrange(2**31))
    exact = torch.randn(leaves + 1, k, dtype=torch.float64, generator=generator).softmax(-1)
    both = [float(hp.objectives.motif_cut_loss(matrix, s)) for s in (exact, exact.float())]
    return None if abs(both[0] - both[1]) < TOLERANCE else f"hub of {leaves:,}: {both}"


TRIALS: dict[str, tuple[Callable[[random.Random], str | None], int]] = {
    "counts on complete, bipartite and star graphs": (_counts, 4),
    "scales of weights from 1e-300 to 1e300": (_weights, 4),
    "float32 beside hubs": (_half_and_single, 2),
    "10,000 epochs at a high rate": (_long_training, 1),
}
"""Every kind of trial, and how often it is done in one round."""


def run(budget: Budget) -> Report:
    """Rounds of all trials until the time is over."""
    report, rng = Report(), random.Random(budget.seed)
    while budget.left > 0 and len(report.failures) < 20:
        for kind, (trial, times) in TRIALS.items():
            for _ in range(times):
                if budget.left < 0:
                    return report
                state = rng.getstate()
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    try:
                        wrong = trial(rng)
                    except Exception as error:
                        wrong = f"{type(error).__name__}: {error}"
                report.tried[kind] += 1
                if wrong:
                    report.failures.append(f"{kind}: {wrong} (state {hash(state)})")
    return report


NUMBERS = Attack("numbers", "random sizes, weights, scales and rates", share=2, run=run)
