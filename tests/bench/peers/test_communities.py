"""Every library finds the cliques of a ring."""

from __future__ import annotations

import warnings

import networkx as nx
import numpy as np
import pytest

from hoscpool.bench.graphs.labelled_graphs import Task
from hoscpool.bench.suites.cluster_cases import DEFAULT_FIT, OURS, PEERS
from hoscpool.graph import as_graph


@pytest.mark.parametrize("name", ["ours", "default", *PEERS])
def test_cliques_are_found(name: str) -> None:
    contender = {"ours": OURS, "default": DEFAULT_FIT, **PEERS}[name]
    if contender.module:
        pytest.importorskip(contender.module)
    task = Task(as_graph(nx.ring_of_cliques(4, 8)), 4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        labels = contender.run(contender.prepare(task))
    assert labels.shape == (32,)
    cliques = labels.reshape(4, 8)
    assert (cliques == cliques[:, :1]).all()
    assert len(np.unique(labels)) == 4
