"""Two stacked HoscPool layers learn, on made graphs and on a real batch."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch_geometric.data import Batch, Data

from hoscpool.datasets import load_graphs
from hoscpool.nn import AddMotifs, HoscPool, PoolingOutput, make_encoder, motifs_of, seed_parameters
from nn.cases import as_case


class Model(nn.Module):
    def __init__(self, width: int, clusters: tuple[int, int], classes: int) -> None:
        super().__init__()
        self.first = make_encoder("gcn", width, 16)
        self.second = make_encoder("gcn", 16, 16)
        self.pools = nn.ModuleList([HoscPool(16, k, mu=0.1) for k in clusters])
        self.head = nn.Linear(16, classes)

    def forward(self, data: Data) -> tuple[Tensor, list[PoolingOutput]]:
        x = self.first(data.x, data.edge_index).relu()
        one = self.pools[0](x, data.edge_index, batch=data.batch, motifs=motifs_of(data))
        two = self.pools[1](self.second(one.x, **one.graph).relu(), **one.graph)
        return self.head(two.x.mean(dim=1)), [one, two]


def train(model: Model, data: Data, steps: int) -> list[float]:
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01)
    history = []
    for _ in range(steps):
        logits, outs = model(data)
        loss = nn.functional.cross_entropy(logits, data.y) + outs[0].loss + outs[1].loss
        optimiser.zero_grad()
        loss.backward()
        assert all(p.grad is not None and bool(p.grad.isfinite().all()) for p in model.parameters())
        optimiser.step()
        history.append(loss.item())
    return history


def clusters_in_use(out: PoolingOutput) -> float:
    """Mean number of clusters that are some node's most probable one."""
    return float(np.mean([len(torch.unique(part)) for part in torch.split(out.labels(), list(out.sizes))]))


@pytest.mark.data
def test_two_layers_on_a_real_batch_of_proteins(data_root: Path) -> None:
    graphs = [AddMotifs(["triangle"])(graph) for graph in load_graphs("proteins", data_root)[:32]]
    data = Batch.from_data_list(graphs)
    model = Model(data.x.size(1), (10, 4), 2)
    seed_parameters(model, 0)
    before = [clusters_in_use(out) for out in model(data)[1]]
    history = train(model, data, 100)
    assert history[-1] < history[0] - 0.5
    outs = model(data)[1]
    after = [clusters_in_use(out) for out in outs]
    assert after[0] > max(4, before[0])  # of 10; measured 5.4, from 2.4
    assert after[1] > max(3, before[1])  # of 4; measured 3.6, from 1.0
    for out, k in zip(outs, (10, 4), strict=True):  # better than the uniform assignment, which scores −1/K
        assert out.losses["edge"].item() < -1 / k - 0.03
        assert out.losses["triangle"].item() < -1 / k - 0.03


def test_one_layer_finds_the_cliques_of_a_ring() -> None:
    A = nx.to_numpy_array(nx.ring_of_cliques(4, 6))
    case = as_case([A], [np.eye(24)], weighted=False, dtype=torch.float32)
    pool = HoscPool(24, 4, mu=0.5)
    seed_parameters(pool, 1)
    optimiser = torch.optim.Adam(pool.parameters(), lr=0.05)
    for _ in range(300):
        optimiser.zero_grad()
        out = pool(case.x, case.edge_index)
        out.loss.backward()
        optimiser.step()
    labels = out.labels().view(4, 6)
    assert bool((labels == labels[:, :1]).all())
    assert len(labels[:, 0].unique()) == 4
    assert out.losses["triangle"].item() == pytest.approx(-1, abs=0.02)
