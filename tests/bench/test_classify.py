from __future__ import annotations

import argparse
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from hoscpool.bench.peers import classifiers as peers
from hoscpool.bench.peers.classifiers import dense_hosc_pool
from hoscpool.bench.suites import list_suites, load_suite
from hoscpool.bench.suites.classify_cases import DEFAULT, PEERS, classify_cases, describe, epoch_case, load_workload
from hoscpool.nn import HoscPool


def test_the_textbook_layer_is_ours() -> None:
    generator = torch.Generator().manual_seed(0)
    half = (torch.rand(2, 7, 7, generator=generator) < 0.6).float().triu(1)
    adjacency, x = half + half.mT, torch.randn(2, 7, 3, generator=generator)
    pool = HoscPool(3, 4, mu=0.1)
    out, theirs = pool(x, adjacency=adjacency), dense_hosc_pool(x, adjacency, pool.mlp(x), None)
    torch.testing.assert_close(theirs.losses, torch.stack(list(out.losses.values())))
    torch.testing.assert_close(theirs.x, out.x)
    torch.testing.assert_close(theirs.adjacency, out.adjacency)


@pytest.mark.data
@pytest.mark.usefixtures("data_root")
def test_all_start_from_the_same_losses_and_train() -> None:
    workload = load_workload("mutag", 64, "mean")
    ours, dense = peers.prepare_ours(workload), peers.prepare_dense(workload)
    assert peers.compare(ours.first, dense.first) is None
    before = [parameter.clone() for parameter in dense.model.parameters()]
    assert peers.compare(peers.run_ours(ours), peers.run_peer(dense)) is None
    assert any(not torch.equal(a, b) for a, b in zip(before, dense.model.parameters(), strict=True))
    assert describe(workload) == {"graphs": len(workload.index), "batch size": 64, "K": 4}


def test_differences_are_seen() -> None:
    ours = np.array([0.5, -0.2])
    assert peers.compare(ours, ours + 1e-5) is None
    assert peers.compare(ours, ours + 0.01) == "differs by 1.0e-02"


def test_cases_can_be_sent_to_another_process() -> None:
    for case in classify_cases(("proteins", "dd"), tuple(PEERS), (1, 2)):
        assert pickle.loads(pickle.dumps(case.contenders))[0].name == "HoscPool"
        dense = 8 if case.on.startswith("PROTEINS") else 10
        assert [contender.target.ratio for contender in case.contenders] == [None, dense, 2.5, 2.5]
    assert epoch_case("mutag", ("dense",), 1, 8, "largest").title == (
        "training epoch, K from the largest graph, MUTAG, batches of 8"
    )


def test_two_batch_sizes_where_both_fit() -> None:
    def sizes(batch_size: int | None) -> list[str]:
        return [case.on for case in classify_cases(DEFAULT, ("dense",), (1,), batch_size)]

    both = [f"{name}, batches of {size}" for name in ("PROTEINS", "NCI1") for size in (32, 64)]
    assert sizes(None) == [*both, "DD, batches of 8", "REDDIT-B, batches of 8"]
    assert sizes(16)[:2] == ["PROTEINS, batches of 16", "NCI1, batches of 16"]
    targets = [case.contenders[1].target.ratio for case in classify_cases(DEFAULT, ("dense",), (1,))]
    assert targets == [8, 8, 2.5, 2.5, 10, 10]


@pytest.mark.data
@pytest.mark.usefixtures("data_root")
@pytest.mark.filterwarnings("ignore:Sparse invariant checks:UserWarning")
@pytest.mark.parametrize("name", ["tgp-batched", "tgp-unbatched"])
def test_torch_geometric_pool_trains(name: str) -> None:
    if not PEERS[name].is_installed:
        pytest.skip("torch-geometric-pool is not installed")
    workload = load_workload("mutag", 64, "mean")
    peer = PEERS[name].prepare(replace(workload, index=workload.index[:70], clusters=(4, 2)))
    before = [parameter.clone() for parameter in peer.model.parameters()]
    assert np.isfinite(peers.run_peer(peer)).all()
    assert all(not torch.equal(a, b) for a, b in zip(before, peer.model.parameters(), strict=True))


def test_the_suite_is_found() -> None:
    assert "classify" in list_suites()
    suite = load_suite("classify")
    parser = argparse.ArgumentParser()
    suite.add_arguments(parser)
    args = argparse.Namespace(**vars(parser.parse_args(["--peers", "dense"])), quick=True, threads=(1,))
    assert [len(case.contenders) for case in suite.cases(args)] == [2]
    args.peers = "x"
    with pytest.raises(ValueError, match="--peers"):
        suite.cases(args)


@pytest.mark.data
def test_k_from_the_largest_graph(data_root: Path) -> None:
    assert data_root.exists()
    mean, largest = (load_workload("mutag", 8, source).clusters for source in ("mean", "largest"))
    assert mean == (4, 1)
    assert largest == (7, 1)
