"""The fit benchmark: both sides do the same work, and a difference is seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import networkx as nx
import numpy as np
import pytest
import torch

from hoscpool.bench.peers import assignment_training as peers
from hoscpool.bench.peers import tgp_training as tgp
from hoscpool.bench.peers.assignment_training import Workload
from hoscpool.bench.suites.fit_cases import DEFAULT, GRAPHS, PEERS, QUICK, TGP, WHOLE, fit_cases
from hoscpool.graph import Graph, as_graph


@pytest.fixture
def workload() -> Workload:
    x = np.random.default_rng(0).normal(size=(60, 4)).astype(np.float32)
    return Workload(as_graph(nx.connected_caveman_graph(10, 6), features=x), 4, 12)


def test_both_sides_have_the_same_losses(workload: Workload) -> None:
    ours, dense = peers.fit_ours(workload), peers.fit_dense(workload)
    assert len(ours) == len(dense) == 12
    assert ours[-1] < ours[0]
    assert peers.compare(peers.first_losses(workload, ours), peers.first_losses(workload, dense)) is None


def test_a_second_call_begins_where_the_first_did(workload: Workload) -> None:
    prepared = peers.prepare_ours(workload)
    np.testing.assert_array_equal(peers.train_ours(prepared), peers.train_ours(prepared))


def test_preparations_are_compared(workload: Workload) -> None:
    ours, dense = peers.prepare_ours(workload), peers.prepare_dense(workload)
    triangles = sum(nx.triangles(nx.connected_caveman_graph(10, 6)).values()) * 2
    assert peers.shapes(workload, ours) == peers.shapes(workload, dense) == [60, triangles]


def test_a_wrong_loss_is_seen(workload: Workload, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = peers.fit_ours(workload)
    monkeypatch.setattr(peers, "MU", 0.2)
    assert peers.compare(ours[:5], peers.fit_dense(workload)[:5]) is not None


def test_cases_are_whole_fits_or_two_halves() -> None:
    cases = list(fit_cases(DEFAULT, PEERS, 500, 10, (1,)))
    tasks = {(case.on, case.task) for case in cases}
    assert ("Cora", "whole fit, 500 epochs") in tasks
    assert {("PubMed", "before training"), ("PubMed", "training, 10 epochs")} <= tasks
    assert {contender.target.ratio for case in cases if case.on == "CS" for contender in case.contenders} == {None, 30}
    assert set(WHOLE) | set(QUICK) <= set(GRAPHS)
    assert all(
        contender.target.ratio is None
        for case in fit_cases(("cora",), PEERS, 5, 5, (2,))
        for contender in case.contenders
    )


def test_the_quick_workload() -> None:
    case = next(fit_cases(QUICK, PEERS, 3, 3, (1,)))
    workload = case.load()
    assert case.facts(workload) == {"nodes": 1000, "edges": 6243, "features": 10, "clusters": 3}
    assert isinstance(workload.graph, Graph)
    ours, dense = (contender.run(replace(workload, epochs=2)) for contender in case.contenders[:2])
    assert torch.tensor(ours).isfinite().all()
    assert case.compare(ours, dense) is None


def test_the_peers_that_are_asked_for() -> None:
    def contenders(graph: str, *chosen: str) -> dict[str, int]:
        return {case.task: len(case.contenders) for case in fit_cases((graph,), chosen, 500, 10, (1,))}

    assert contenders("cora", *PEERS) == {"whole fit, 500 epochs": 3, "training, 1 epoch": 2}
    assert contenders("cora", "dense") == {"whole fit, 500 epochs": 2}
    assert contenders("pc", "tgp-unbatched") == {"before training": 1, "training, 10 epochs": 2}
    assert contenders("pc", *PEERS) == {"before training": 2, "training, 10 epochs": 3, "training, 1 epoch": 2}


needs_tgp = pytest.mark.skipif(not TGP.is_installed, reason="torch-geometric-pool is not installed")


@needs_tgp
@pytest.mark.filterwarnings("ignore:Sparse invariant checks:UserWarning")
@pytest.mark.parametrize("prepare", [tgp.prepare_batched, tgp.prepare_unbatched])
def test_torch_geometric_pool_trains_all_epochs(workload: Workload, prepare: Callable[[Workload], tgp.Input]) -> None:
    data = prepare(workload)
    losses = tgp.finite(workload, tgp.train(data))
    assert len(losses) == workload.epochs
    assert losses[-1] < losses[0]
    np.testing.assert_array_equal(losses, tgp.train(data))


@needs_tgp
def test_its_convolution_is_ours(workload: Workload) -> None:
    data, seen = tgp.prepare_unbatched(workload), []
    network = tgp.Network(data.x.shape[1], 4, batched=False)
    network.pool.register_forward_pre_hook(lambda *args: seen.append(args[2]["x"]), with_kwargs=True)
    with torch.no_grad():
        network(data.x, data.edges)
        dense = torch.from_numpy(workload.graph.adjacency.toarray()).float()
        expected = torch.relu(dense @ network.neighbours(data.x) + network.skip(data.x))
    torch.testing.assert_close(seen[0], expected)


def test_its_dense_matrices_may_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("psutil.virtual_memory", lambda: SimpleNamespace(available=20_000))
    tgp.check_room(30)
    with pytest.raises(MemoryError, match=r"about 200.0 GB needed, 0.0 GB free"):
        tgp.check_room(100_000)


def test_a_loss_that_is_no_number_is_seen(workload: Workload) -> None:
    with pytest.raises(ValueError, match="not finite"):
        tgp.finite(workload, np.array([1.0, np.nan]))
