"""Small sets of graphs whose classes are plain to see."""

from __future__ import annotations

from collections.abc import Iterator

import networkx as nx
import numpy as np
import pytest
import torch
from torch_geometric.data import Data


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """Tiny matrices are slower with two threads, much slower when the machine is busy."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def as_data(graph: nx.Graph, label: int, width: int, rng: np.random.Generator) -> Data:
    edges = torch.tensor(list(graph.to_directed().edges), dtype=torch.int64).reshape(-1, 2).t().contiguous()
    x = torch.from_numpy(rng.normal(1, 0.2, size=(len(graph), width)).astype(np.float32)) if width else None
    return Data(x=x, edge_index=edges, y=torch.tensor([label]), num_nodes=len(graph))


def make_graphs(count: int = 40, width: int = 3, seed: int = 0) -> list[Data]:
    """Rings of cliques (class 0) and rings (class 1) of 6 to 17 nodes."""
    rng = np.random.default_rng(seed)
    graphs = []
    for i in range(count):
        size = int(rng.integers(2, 6))
        graph = nx.ring_of_cliques(max(size, 2), 3) if i % 2 == 0 else nx.cycle_graph(3 * size)
        graphs.append(as_data(graph, i % 2, width, rng))
    return graphs


@pytest.fixture
def graphs() -> list[Data]:
    return make_graphs()
