"""The whole search: optimum on small graphs, seeds, threads, odd input, Ctrl-C."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from cluster.engine.engine_cases import cases, hub, random_matrix, sparse, stated_value, triangles
from hoscpool.cluster.engine import Engine, RunOutcome, minimise_cut
from hoscpool.cluster.engine import level as level_module
from hoscpool.cluster.engine.multilevel import most_alike
from hoscpool.datasets import planted_communities
from hoscpool.metrics import nmi
from hoscpool.motifs import motif_adjacency


def _lowest(matrices: dict[str, Any], weights: dict[str, float], k: int, mu: float) -> float:
    """F of the best of all partitions into k clusters with a node each; node 0 is in cluster 0."""
    n = len(next(iter(matrices.values())))
    every = np.array([(0, *rest) for rest in itertools.product(range(k), repeat=n - 1)])
    every = every[[len(set(labels)) == k for labels in every.tolist()]]
    s = np.eye(k)[every]  # [P, n, k]
    value = mu * (np.sqrt(k) - np.sqrt(s.sum(1) / n).sum(1)) / (np.sqrt(k) - 1)
    for name, matrix in matrices.items():
        inside = np.einsum("pik,ij,pjk->pk", s, matrix, s, optimize=True)
        volume = matrix.sum(1) @ s
        value -= weights[name] * np.divide(inside, volume, out=np.zeros_like(inside), where=volume > 0).sum(1) / k
    return float(value.min())


@pytest.mark.parametrize("k", [2, 3])
def test_small_graphs_reach_the_optimum(k: int) -> None:
    rng, reached = np.random.default_rng(k), 0
    for seed in range(50):
        edges = random_matrix(rng, int(rng.integers(5, 9 if k == 3 else 11)), rng.uniform(0.2, 0.6))
        matrices, weights = {"edge": edges, "triangle": triangles(edges)}, {"edge": 0.6, "triangle": 0.4}
        mu = float(rng.choice([0.0, 0.1, 1.0]))
        found = minimise_cut(sparse(matrices), weights, k, mu, n_init=5, random_state=seed)
        assert found.value == pytest.approx(stated_value(matrices, weights, found.labels, k, mu), abs=1e-6)
        reached += found.value <= _lowest(matrices, weights, k, mu) + 1e-6
    assert reached >= 48


@pytest.mark.parametrize("name", cases(np.random.default_rng(0)))
@pytest.mark.parametrize("k", [1, 2, 5, 9])
def test_every_cluster_is_used_and_the_value_is_that_of_the_labels(name: str, k: int) -> None:
    matrices = cases(np.random.default_rng(0))[name]
    weights = dict.fromkeys(matrices, 0.5)
    found = minimise_cut(sparse(matrices), weights, k, 0.2)
    assert np.array_equal(np.unique(found.labels), np.arange(k))
    assert found.value == pytest.approx(stated_value(matrices, weights, found.labels, k, 0.2), abs=1e-6)


@pytest.fixture(scope="module")
def planted() -> tuple[dict[str, sp.csr_array], np.ndarray]:
    graph = planted_communities(6_000, 60_000, 12, mixing=0.2, random_state=3)
    assert graph.labels is not None
    return {"edge": graph.adjacency, "triangle": motif_adjacency(graph, "triangle")}, graph.labels


HALVES = {"edge": 0.5, "triangle": 0.5}


def test_planted_communities_are_found(planted: Any) -> None:
    matrices, labels = planted
    found = minimise_cut(matrices, HALVES, 12, 1.0, finish_mu=0.1)
    assert nmi(labels, found.labels) > 0.97
    assert [len(labels_of) for labels_of in found.levels] == list(found.runs[0].level_sizes[:-1])
    assert len(found.levels) >= 1


@pytest.fixture
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads work on small graphs too."""
    monkeypatch.setattr(level_module, "BLOCK", 10_000)
    monkeypatch.setattr(level_module, "SMALL", 1_000)


@pytest.mark.usefixtures("_small_blocks")
def test_equal_seeds_give_equal_labels_for_any_number_of_threads(planted: Any) -> None:
    one, again, two, three = (minimise_cut(planted[0], HALVES, 12, n_threads=t, random_state=5) for t in (1, 1, 2, 3))
    assert nmi(planted[1], one.labels) > 0.95
    for other in (again, two, three):
        np.testing.assert_array_equal(one.labels, other.labels)
        assert one.value == other.value


def test_blocks_are_as_good_as_single_visits(planted: Any, request: pytest.FixtureRequest) -> None:
    single = minimise_cut(planted[0], HALVES, 12).value
    request.getfixturevalue("_small_blocks")
    assert minimise_cut(planted[0], HALVES, 12).value == pytest.approx(single, abs=0.003)


def test_relabelled_nodes_give_an_equally_good_value(planted: Any) -> None:
    order = np.random.default_rng(0).permutation(6_000)
    mixed = {name: sp.csr_array(matrix[order][:, order]) for name, matrix in planted[0].items()}
    assert minimise_cut(mixed, HALVES, 12).value == pytest.approx(minimise_cut(planted[0], HALVES, 12).value, abs=0.004)


def test_finish_lowers_the_value_at_its_own_mu(planted: Any) -> None:
    plain, finished = (minimise_cut(planted[0], HALVES, 12, 1.0, finish_mu=mu) for mu in (None, 0.1))
    assert _value(planted[0], finished.labels, 0.1) < _value(planted[0], plain.labels, 0.1)


def _value(matrices: Any, labels: Any, mu: float) -> float:
    import torch

    from hoscpool.objectives import hosc_loss

    s = torch.nn.functional.one_hot(torch.as_tensor(labels, dtype=torch.int64)).to(torch.float64)
    return float(hosc_loss(matrices, s, HALVES, mu=mu).total)


def test_star_pieces_and_dust_end_in_time() -> None:
    star = sp.csr_array(hub(5_000))
    dust = sp.csr_array((5_000, 5_000))
    pairs = sp.csr_array(sp.block_diag([np.array([[0.0, 1], [1, 0]])] * 2_500))
    for matrix in (star, dust, pairs):
        found = minimise_cut({"edge": matrix}, {"edge": 1.0}, 7)
        assert len(np.unique(found.labels)) == 7


def test_pieces_of_a_matching_are_not_cut() -> None:
    pairs = sp.csr_array(sp.block_diag([np.array([[0.0, 1], [1, 0]])] * 2_500))
    found = minimise_cut({"edge": pairs}, {"edge": 1.0}, 7, mu=0.1)
    assert found.value == pytest.approx(-1.0, abs=1e-3)


def _outcome(labels: list[int], value: float) -> RunOutcome:
    return RunOutcome(0, np.array(labels, np.int32), value, 1.0, (), (), 0.0)


def test_agreement_keeps_the_run_most_like_the_others() -> None:
    lonely, first, second = _outcome([0, 1, 0, 1], -0.9), _outcome([0, 0, 1, 1], -0.5), _outcome([1, 1, 0, 0], -0.6)
    assert most_alike([lonely, first, second]) == 2


def test_runs_are_listed_and_the_best_is_kept(planted: Any) -> None:
    found = minimise_cut(planted[0], HALVES, 12, n_init=3)
    assert [run.value for run in found.runs][found.kept] == min(run.value for run in found.runs) == found.value
    assert len({run.seed for run in found.runs}) == 3


def test_progress_is_told_and_rises() -> None:
    steps: list[tuple[str, float]] = []
    minimise_cut(sparse({"edge": hub(9)}), {"edge": 1.0}, 2, n_init=2, progress=lambda *step: steps.append(step))
    shares = [share for _, share in steps]
    assert shares == sorted(shares)
    assert steps[-1] == ("done", 1.0)


def test_interrupt_keeps_the_best_so_far(planted: Any) -> None:
    def stop(step: str, _: float) -> None:
        if step == "refine":
            raise KeyboardInterrupt

    found = minimise_cut(planted[0], HALVES, 12, n_init=3, progress=stop)
    assert found.is_interrupted
    assert len(found.labels) == 6_000
    assert len(found.runs) == 1
    assert nmi(planted[1], found.labels) > 0.8


def test_interrupt_before_anything_is_known_is_raised() -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        minimise_cut(sparse({"edge": hub(9)}), {"edge": 1.0}, 2, progress=stop)


GOOD = sp.csr_array(hub(5))


@pytest.mark.parametrize(
    ("matrices", "weights", "k", "options", "message"),
    [
        ({"edge": GOOD}, {"triangle": 1.0}, 2, {}, "one weight for each of edge, got triangle"),
        ({}, {}, 2, {}, "weights: expected at least one matrix"),
        ({"edge": GOOD}, {"edge": 0.0}, 2, {}, "expected a positive one"),
        ({"edge": GOOD}, {"edge": -1.0}, 2, {}, "expected a weight from 0"),
        ({"edge": GOOD}, {"edge": 1.0}, 6, {}, "k: expected a whole number from 1 to 5"),
        ({"edge": GOOD}, {"edge": 1.0}, 0, {}, "k: expected"),
        ({"edge": GOOD}, {"edge": 1.0}, True, {}, "k: expected"),
        ({"edge": GOOD}, {"edge": 1.0}, 2, {"mu": -1.0}, "mu: expected"),
        ({"edge": GOOD}, {"edge": 1.0}, 2, {"finish_mu": -1.0}, "finish_mu: expected"),
        ({"edge": GOOD}, {"edge": 1.0}, 2, {"select": "best"}, "select: expected one of 'value'"),
        ({"edge": GOOD}, {"edge": 1.0}, 2, {"n_init": 0}, "n_init: expected"),
        ({"edge": GOOD}, {"edge": 1.0}, 2, {"tries": 0}, "tries: expected"),
        ({"edge": sp.triu(GOOD, format="csr")}, {"edge": 1.0}, 2, {}, "expected a symmetric matrix"),
        ({"edge": -GOOD}, {"edge": 1.0}, 2, {}, "expected entries ≥ 0"),
        ({"edge": GOOD * np.nan}, {"edge": 1.0}, 2, {}, "expected entries ≥ 0"),
        ({"edge": GOOD, "b": sp.csr_array(hub(4))}, {"edge": 1.0, "b": 1.0}, 2, {}, r"expected a CSR matrix \[5, 5\]"),
        ({"edge": GOOD.tocoo()}, {"edge": 1.0}, 2, {}, "expected a CSR matrix"),
    ],
)
def test_wrong_input_is_refused(matrices: Any, weights: Any, k: Any, options: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        minimise_cut(matrices, weights, k, **options)


ONE = {"edge": 1.0}


def _with_a_piece_apart() -> sp.csr_array:
    """Two blocks with many ties between them, and a pair apart from all."""
    rng = np.random.default_rng(0)
    blocks = random_matrix(rng, 120, 0.5)
    blocks[:60, 60:] *= rng.random((60, 60)) < 0.4
    blocks[60:, :60] = blocks[:60, 60:].T
    return sp.csr_array(sp.block_diag([blocks, np.array([[0.0, 1], [1, 0]])]))


def test_crumbs_raise_the_weight() -> None:
    matrices = {"edge": _with_a_piece_apart()}
    found = Engine(matrices, ONE).minimise_without_crumbs(2, (0.0, 1.0))
    assert found.mu == 1.0
    assert np.bincount(found.labels).min() > 40


def test_the_first_weight_is_kept_where_there_are_none() -> None:
    cliques = sp.csr_array(sp.block_diag([1 - np.eye(30), 1 - np.eye(10)]))
    found = Engine({"edge": cliques}, ONE).minimise_without_crumbs(2)
    assert found.mu == 0.1
    assert sorted(np.bincount(found.labels)) == [10, 30]


def test_the_last_weight_is_taken_where_none_helps() -> None:
    found = Engine({"edge": sp.csr_array((6, 6))}, ONE).minimise_without_crumbs(2, (0.1, 0.5))
    assert found.mu == 0.5


def test_least_volume_is_a_part_of_the_mean() -> None:
    path = sp.csr_array(np.diag([1.0, 1.0], 1) + np.diag([1.0, 1.0], -1))  # degrees 1, 2, 1
    engine = Engine({"edge": path}, ONE)
    problem = engine.problem(2, 0.0)
    clusters = problem.measure(engine.level, np.array([0, 1, 1], np.int32))
    assert problem.least_volume(clusters) == pytest.approx(2 * 1 / 4)
