"""An address at which no scheduler answers is refused by name, in seconds, wherever it is given."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import pytest

import hoscpool as hp
from hoscpool.distributed import build_blocks
from hoscpool.experiments.running.scheduler import open_backend
from hoscpool.support import dask_scheduler
from hoscpool.support.errors import MissingDependencyError

Ask = Callable[[str], None]


@pytest.fixture(params=["blocks", "cells"])
def ask(request: pytest.FixtureRequest, tmp_path: Path) -> Ask:
    """The two kinds of work that a cluster can do."""

    def count(address: str) -> None:
        blocks = build_blocks(hp.as_graph(nx.star_graph(4)), tmp_path / "blocks")
        hp.motif_adjacency(blocks, "triangle", scheduler=address)

    def run(address: str) -> None:
        with open_backend("dask", 2, address):
            pass

    return count if request.param == "blocks" else run


WRONG = ("tcp://127.0.0.1:9", "nonsense", "", "tcp://", "inproc://x", "tls://127.0.0.1:9", "http://x", "tcp://h:99999")


@pytest.mark.parametrize("address", WRONG)
def test_a_wrong_address(address: str, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(dask_scheduler, "ANSWER", 0.2)
    wanted = f"scheduler: {address or 'an empty'}.* does not answer .*dask scheduler"
    with pytest.raises(ConnectionError, match=wanted) as caught:
        ask(address)
    # If the garbage collector closed the client while the next one starts, both would wait for each other.
    clients = [thing for thing in gc.get_objects() if type(thing) is distributed.Client]
    assert {client.status for client in clients} <= {"closed", "newly-created"}, caught


def test_dask_is_named_where_it_is_missing(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'hoscpool\[distributed\]'"):
        ask("tcp://127.0.0.1:9")


def test_a_client_is_taken_as_it_is() -> None:
    client = object()
    with dask_scheduler.dask_client(client) as found:
        assert found is client
