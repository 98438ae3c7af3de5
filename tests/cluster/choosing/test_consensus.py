"""Which runs are tied, and which of them is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp
import torch
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score
from torch import Tensor

from hoscpool.cluster import HoscClustering
from hoscpool.cluster.choosing.consensus import (
    Tolerance,
    best_of,
    estimate_tolerance,
    representative,
    restart_agreement,
    tied_runs,
    trusted_kind,
)
from hoscpool.graph import Graph


@dataclass
class Fake:
    """A run with nothing but what is compared."""

    start: str
    hard: float
    levels: list[Tensor]


def fake(hard: float, labels: npt.ArrayLike = (0, 1), start: str = "spectral") -> Fake:
    return Fake(start, hard, [torch.nn.functional.one_hot(torch.tensor(labels), 3).float()])


def test_chance_between_restarts_is_pooled_over_starts() -> None:
    graph = sp.csr_array((2, 2))
    runs = [fake(0.0), fake(0.2), fake(5.0, start="raw"), fake(5.4, start="raw"), fake(9.0, start="smooth-2")]
    by_hand = np.sqrt((2 * 0.1**2 + 2 * 0.2**2) / 2)  # squares around the two means, over 5 runs − 3 starts
    assert estimate_tolerance(runs, graph).restarts == pytest.approx(by_hand)
    assert estimate_tolerance(runs[1:3], graph).restarts == 0


@pytest.mark.parametrize("seed", range(5))
def test_sampling_error_by_counting_edges(seed: int) -> None:
    graph = nx.gnp_random_graph(20, 0.2, seed=seed)
    labels = np.random.default_rng(seed).integers(0, 3, 20)
    variance, clusters = 0.0, 0
    for cluster in set(labels.tolist()):
        touching = [edge for edge in graph.edges if cluster in labels[list(edge)]]
        if touching:
            share = sum(labels[a] == labels[b] for a, b in touching) / len(touching)
            variance, clusters = variance + share * (1 - share) / len(touching), clusters + 1
    found = estimate_tolerance([fake(0.0, labels)], nx.to_scipy_sparse_array(graph)).sampling
    assert found == pytest.approx(np.sqrt(variance) / clusters)


def test_no_edge_no_sampling_error() -> None:
    assert estimate_tolerance([fake(0.0)], sp.csr_array((2, 2))).sampling == 0


def test_two_deviations_are_a_draw() -> None:
    runs = [fake(-0.5), fake(-0.9), fake(-0.81), fake(-0.79)]
    assert best_of(runs) is runs[1]
    assert tied_runs(runs, Tolerance(restarts=0.03, sampling=0.04)) == runs[1:3]


def test_a_kind_of_start_is_left_only_for_one_that_is_clearly_better() -> None:
    features, edges, motifs = fake(-0.5, start="smooth-2"), fake(-0.55), fake(-0.8, start="motif-spectral")
    deeper = fake(-0.52, start="smooth-8")
    runs = [features, edges, deeper]
    assert trusted_kind(runs, Tolerance(restarts=0.02, sampling=0.0)) == [features, deeper]  # −.52 to −.55: a draw
    assert trusted_kind(runs, Tolerance(restarts=0.01, sampling=0.0)) == [edges]
    assert trusted_kind([*runs, motifs], Tolerance(restarts=0.02, sampling=0.0)) == [motifs]


def test_the_run_most_like_the_others_stands_for_them() -> None:
    labels = np.repeat([0, 1, 2], 5)
    other = np.arange(15) % 3
    renamed, nearly = np.array([2, 0, 1])[labels], labels.copy()
    nearly[0] = 1
    odd_one_out, first, second = fake(-0.9, other), fake(-0.5, labels), fake(-0.6, renamed)
    assert (
        representative([odd_one_out, first, second, fake(-0.8, nearly)]) is second
    )  # by number, not by name, of clusters
    assert representative([first, odd_one_out]) is odd_one_out  # two are equally alike: the better one
    assert representative([first]) is first


def test_a_fit_keeps_one_of_its_runs_whole(cliques: Graph) -> None:
    model = HoscClustering(3, max_epochs=20, starts=("smooth-2", "smooth-8"), random_state=0).fit(cliques)
    assert model.n_equal_runs_ == 4
    kept = model.runs_[model.kept_run_]
    assert (model.objective_, model.start_) == (kept["hard_objective"], kept["start"])
    np.testing.assert_array_equal(model.labels_, model.assignment_.argmax(axis=1))
    assert adjusted_rand_score(cliques.labels, model.labels_) == 1


def test_consensus_moves_away_from_a_lucky_run(cliques: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    def made_up(runs: Sequence[Fake]) -> Fake:
        return runs[2]

    monkeypatch.setattr("hoscpool.cluster.fit.representative", made_up)
    settings: dict[str, Any] = {"max_epochs": 5, "starts": "smooth-2", "n_init": 3, "random_state": 0}
    monkeypatch.setattr("hoscpool.cluster.choosing.consensus.DEVIATIONS", 1e9)
    assert HoscClustering(3, **settings).fit(cliques).kept_run_ == 2
    best = HoscClustering(3, **settings, consensus=False).fit(cliques)
    assert best.objective_ == min(run["hard_objective"] for run in best.runs_)
    assert best.n_equal_runs_ == 1


def test_every_pair_of_seeds_gives_the_same_clusters(cliques: Graph) -> None:
    labels = [HoscClustering(3, max_epochs=10, random_state=seed).fit(cliques).labels_ for seed in range(3)]
    assert all(adjusted_rand_score(a, b) == 1 for a, b in pairwise(labels))


def test_agreement_of_the_kept_run_with_other_restarts() -> None:
    kept, twin = fake(0.0, [0, 0, 1, 1]), fake(0.1, [1, 1, 0, 0])
    crossed = fake(0.2, [0, 1, 0, 1])
    elsewhere = fake(0.3, [0, 1, 0, 1], start="raw")
    assert restart_agreement(kept, [kept]) is None
    assert restart_agreement(kept, [kept, twin, elsewhere]) == 1  # other starts may rightly differ
    assert restart_agreement(kept, [elsewhere, kept, twin, crossed]) == pytest.approx((1 - 0.5) / 2)
    assert restart_agreement(kept, [elsewhere, kept]) == pytest.approx(-0.5)  # nothing else to compare with


@pytest.mark.parametrize("solver", ["network", "multilevel"])
def test_a_fit_says_how_much_its_restarts_agree(solver: str, tmp_path: Path) -> None:
    clear = nx.disjoint_union_all([nx.complete_graph(6)] * 3)
    nx.add_path(clear, [0, 6, 12])
    settings: dict[str, Any] = {"solver": solver, "n_init": 3, "random_state": 0}
    model = HoscClustering(3, **settings).fit(clear)
    assert model.agreement_ == 1
    model.save(tmp_path)
    assert HoscClustering.load(tmp_path).agreement_ == 1
    noise = nx.gnp_random_graph(60, 0.3, seed=1)
    among_noise = HoscClustering(6, **settings).fit(noise).agreement_
    assert among_noise is not None
    assert among_noise < 0.9
    assert HoscClustering(3, solver="multilevel", random_state=0).fit(clear).agreement_ is None


def test_a_fit_warns_if_its_restarts_disagree() -> None:
    noise = nx.random_regular_graph(6, 600, seed=1)
    with pytest.warns(ConvergenceWarning, match=r"agree by only 0\.\d\d .* another seed may give other clusters"):
        model = HoscClustering(3, solver="multilevel", n_init=3, random_state=0).fit(noise)
    assert model.agreement_ is not None
    assert model.agreement_ < 0.3
    other = HoscClustering(3, solver="multilevel", n_init=1, random_state=1).fit(noise)  # a single run cannot know
    assert adjusted_rand_score(model.labels_, other.labels_) < 0.3
