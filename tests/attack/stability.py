"""``python -m attack.stability``: what the agreement between restarts says about another seed, on planted graphs.

The communities of the graphs are clear at first and fade to nothing. Every graph is fitted with several seeds. A row of
the table holds the fits whose ``agreement_`` is in its range: how alike their clusters and those of the other seeds
are, and how alike they and the planted communities are (adjusted Rand index: median, and the lowest tenth).
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any, NamedTuple

import networkx as nx
import numpy as np
from sklearn.metrics import adjusted_rand_score

import hoscpool as hp

SEEDS = 4
EDGES = (-1.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01)
SHARES = (0.9, 0.7, 0.6, 0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.2, 0.0)
"""Share of a node's neighbours that are in its community, beyond what chance gives."""
SIZES = ((300, 5, 12), (1000, 10, 15), (600, 3, 8))
"""Nodes, communities, and neighbours of a node."""
SOLVERS: dict[str, dict[str, Any]] = {
    "multilevel": {"solver": "multilevel", "n_init": 4},
    "closed form": {},
    "training": {"solver": "network"},
}


class Fit(NamedTuple):
    """One fit: what it says, and what is so."""

    agreement: float
    others: float
    truth: float


def planted(nodes: int, k: int, degree: int, share: float, seed: int) -> tuple[Any, Any]:
    """A graph and its communities."""
    outside = degree * (1 - share) / nodes
    inside = outside + degree * share * k / nodes
    graph = nx.planted_partition_graph(k, nodes // k, min(inside, 1), outside, seed=seed)
    return graph, np.repeat(np.arange(k), nodes // k)


def features_of(truth: Any, share: float, seed: int) -> Any:
    """Features whose means differ between the communities, less and less."""
    rng = np.random.default_rng(seed)
    means = rng.standard_normal((truth.max() + 1, 16)) * 2 * share
    return means[truth] + rng.standard_normal((len(truth), 16))


def fits(solver: str, graphs: int) -> Iterator[Fit]:
    """Fits of planted graphs of falling clarity."""
    for share, number in product(SHARES, range(graphs)):
        graph, truth = planted(*SIZES[number % len(SIZES)], share, number)
        x = features_of(truth, share, number) if solver == "closed form" else None
        found = [
            hp.HoscClustering(int(truth.max()) + 1, random_state=seed, **SOLVERS[solver]).fit(x, graph=graph)
            for seed in range(SEEDS)
        ]
        for one in found:
            others = [adjusted_rand_score(one.labels_, other.labels_) for other in found if other is not one]
            assert one.agreement_ is not None
            yield Fit(one.agreement_, float(np.mean(others)), adjusted_rand_score(one.labels_, truth))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m attack.stability", description=__doc__)
    parser.add_argument("--graphs", type=int, default=6, help="graphs of every clarity (default: 6)")
    parser.add_argument("--solvers", nargs="+", choices=SOLVERS, default=list(SOLVERS))
    args = parser.parse_args()
    for solver in args.solvers:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            table = np.array(list(fits(solver, args.graphs)))
        print(f"{solver}: {len(table)} fits\nagreement   fits  other seeds  (lowest tenth)  planted  (lowest tenth)")
        for low, high in pairwise(EDGES):
            rows = table[(table[:, 0] >= low) & (table[:, 0] < high)]
            if len(rows):
                middle, tenth = np.median(rows, axis=0), np.quantile(rows, 0.1, axis=0)
                print(
                    f"{max(low, 0):.1f} - {min(high, 1):.1f} {len(rows):6} {middle[1]:12.2f} {tenth[1]:15.2f} "
                    f"{middle[2]:8.2f} {tenth[2]:15.2f}", flush=True,
                )  # fmt: skip


if __name__ == "__main__":
    main()
