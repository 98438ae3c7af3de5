from __future__ import annotations

import pickle

import pytest

from hoscpool.bench.harness.cases import Target
from hoscpool.bench.suites.cluster_cases import PEERS, cluster_case, cluster_cases, load_with_k_of, same_k_case


def test_targets_of_large_planted_graphs() -> None:
    targets = {one.name: one.target for one in cluster_case("planted-1m-1", PEERS).contenders}
    assert targets["igraph Leiden"].ratio == pytest.approx(1 / 0.35)
    assert targets["NetworKit PLM"].ratio == pytest.approx(1 / 0.75)
    assert {one.target for one in cluster_case("photo", PEERS).contenders} == {Target()}


def test_spectral_clustering_only_where_it_ends() -> None:
    names = [one.name for one in cluster_case("planted-1m-1", PEERS).contenders]
    assert "scikit-learn spectral" not in names
    assert "scikit-learn spectral" in [one.name for one in cluster_case("cora", PEERS).contenders]


def test_two_threads_are_compared_by_wall_time_with_one() -> None:
    case = cluster_case("planted-1m-1", PEERS, 2)
    assert case.clock == "seconds"
    found = [(one.name, one.threads) for one in case.contenders]
    assert found == [
        ("HoscPool", 2),
        ("HoscPool, 1 thread", 1),
        ("NetworKit PLM", 2),
        ("NetworKit ParallelLeiden", 2),
    ]


def test_order_and_choice() -> None:
    cases = list(cluster_cases(["planted-1m-1", "cora"], ("leiden", "metis"), [1], default_fit=False))
    assert [case.title for case in cases] == [
        "cluster, planted 1 M, mixing 0.1",
        "cluster, Cora",
        "same K as igraph Leiden, Cora",
    ]
    assert [one.name for one in cases[0].contenders] == ["HoscPool", "igraph Leiden", "METIS"]
    assert all(case.clock == "cpu_seconds" for case in cases)


def test_the_k_of_a_peer_is_used() -> None:
    pytest.importorskip("igraph")
    task = load_with_k_of("planted-100k", "leiden")
    assert task.n_clusters == len(set(PEERS["leiden"].run(PEERS["leiden"].prepare(task)).tolist()))


def test_contenders_can_be_sent_to_a_process() -> None:
    for case in (cluster_case("photo", PEERS), cluster_case("photo", PEERS, 2), same_k_case("photo", "plm")):
        for contender in case.contenders:
            assert pickle.loads(pickle.dumps(contender)).name == contender.name
