from __future__ import annotations

import argparse
import pickle

import numpy as np
import pytest
import torch

from hoscpool.bench.graphs.generators import rmat
from hoscpool.bench.harness.cases import Target
from hoscpool.bench.harness.measure import Settings, measure
from hoscpool.bench.peers import cut_losses as peers
from hoscpool.bench.suites import list_suites, load_suite
from hoscpool.bench.suites.objective_cases import PEERS, TGP, cut_case, objective_cases, whole_case

ALL = (*PEERS, "tgp")


@pytest.mark.parametrize("name", PEERS)
def test_every_way_gives_our_loss_and_gradient(name: str) -> None:
    workload = peers.Workload(rmat(6), 5)
    ours = peers.answer(workload, peers.run_ours(peers.prepare_ours(workload)))
    theirs = peers.answer(workload, PEERS[name].run(PEERS[name].prepare(workload)))
    assert ours.shape == (11,)
    assert peers.compare(ours, theirs) is None


def test_the_whole_objective_answers_with_its_orthogonality() -> None:
    workload = peers.Workload(rmat(6), 5)
    result = peers.run_ours_with_triangles(peers.prepare_ours_with_triangles(workload))
    assert 0 <= result[0].item() <= 1
    assert peers.answer(workload, result).shape == (11,)


@pytest.mark.filterwarnings("ignore:Sparse invariant checks:UserWarning")
def test_torch_geometric_pool_has_the_same_orthogonality() -> None:
    if not TGP.is_installed:
        pytest.skip("torch-geometric-pool is not installed")
    workload = peers.Workload(rmat(6), 5)
    ours = peers.run_ours_with_triangles(peers.prepare_ours_with_triangles(workload))
    theirs = TGP.run(TGP.prepare(workload))
    assert peers.compare(peers.answer(workload, ours), peers.answer(workload, theirs)) is None


def test_differences_are_seen() -> None:
    ours = np.array([-0.5, 1.0, 2.0])
    assert peers.compare(ours, ours * (1 + 1e-6)) is None
    assert peers.compare(ours, ours + np.array([0, 0, 0.01])) == "differs by 5.0e-03"
    assert peers.compare(ours, ours[:2]) == "differs in shape: (2,), ours (3,)"


def test_edges_are_sorted_and_complete() -> None:
    graph = rmat(5)
    edges = peers.edge_index(graph)
    dense = torch.zeros(graph.num_nodes, graph.num_nodes)
    dense[edges[0], edges[1]] = 1
    assert np.array_equal(dense.numpy(), graph.adjacency.toarray())
    assert (edges[0].diff() >= 0).all()


def test_targets_of_the_issue() -> None:
    def targets(k: int, graph: str = "pc", threads: int = 1) -> dict[str, Target]:
        return {contender.name: contender.target for contender in cut_case(graph, ALL, k, threads).contenders}

    assert targets(8)["torch CSR"] == targets(16)["torch CSR"] == Target(ratio=10)
    assert targets(64)["torch CSR"] == Target(ratio=3)
    assert targets(8)["gather/scatter (torch)"] == targets(64)["gather/scatter (PyG)"] == Target(ratio=20)
    assert set(targets(8, "powerlaw-2k").values()) == set(targets(8, threads=2).values()) == {Target()}


def test_cases_in_order() -> None:
    titles = [case.title for case in objective_cases(["pc", "planted-10m"], ALL, [8, 64], [1])]
    assert titles == [
        "cut, K = 8, PC",
        "cut, K = 64, PC",
        "edge + triangle cut + L_o, K = 8, PC",
        "cut, K = 8, planted communities, 10 M edges",
        "cut, K = 64, planted communities, 10 M edges",
        "edge + triangle cut + L_o, K = 8, planted communities, 10 M edges",
    ]
    large = cut_case("planted-10m", ALL, 8, 1)
    assert "dense" not in [contender.name for contender in large.contenders]


def test_contenders_can_be_sent_to_a_process() -> None:
    for case in objective_cases(["powerlaw-2k"], ALL, [8], [1, 2]):
        pickle.dumps(case.contenders)


def test_the_suite_is_found_and_checks_its_options() -> None:
    assert "objective" in list_suites()
    suite, parser = load_suite("objective"), argparse.ArgumentParser()
    suite.add_arguments(parser)
    args = parser.parse_args(["--peers", "csr", "--clusters", "4"])
    args.quick, args.threads = True, (1,)
    (case,) = suite.cases(args)
    assert (case.task, [contender.name for contender in case.contenders]) == ("cut, K = 4", ["HoscPool", "torch CSR"])
    args.peers = "numpy"
    with pytest.raises(ValueError, match="--peers: expected some of csr, coo"):
        suite.cases(args)


@pytest.mark.slow
def test_a_measurement_from_end_to_end() -> None:
    for case in (cut_case("powerlaw-2k", ("csr", "dense"), 4, 1), whole_case("powerlaw-2k", 4, 1)):
        result = measure(case, Settings(repeats=1, budget=30.0), lambda _: None)
        assert {outcome.status for outcome in result.outcomes} <= {"ok", "not installed"}
        assert result.facts["nodes"] == 2000
