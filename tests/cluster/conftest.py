"""Small graphs with known clusters."""

from __future__ import annotations

from collections.abc import Iterator

import networkx as nx
import numpy as np
import pytest
import torch

from hoscpool.graph import Graph, as_graph


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """Tiny matrices are slower with two threads, much slower when the machine is busy."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def cliques() -> Graph:
    """Three cliques of eight nodes in a ring, joined by single edges; features point at the clique, with noise."""
    graph = nx.connected_caveman_graph(3, 8)
    labels = np.arange(24) // 8
    noise = np.random.default_rng(0).normal(size=(24, 5))
    return as_graph(graph, features=np.eye(3, 5)[labels] * 4 + noise, labels=labels)


@pytest.fixture
def bare() -> Graph:
    """The same graph without features."""
    return as_graph(nx.connected_caveman_graph(3, 8), labels=np.arange(24) // 8)
