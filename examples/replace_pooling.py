"""Put HoscPool where a PyG model has SAGPooling: two lines change. Run ``python replace_pooling.py``.

The class of a graph is what its communities are made of: cliques or stars. Features are noise.
"""

import networkx as nx
import numpy as np
import torch
from torch import Tensor, nn
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GraphConv, SAGPooling, global_mean_pool

import hoscpool as hp

WIDTH, EPOCHS = 16, 15


class WithSAGPooling(nn.Module):
    """A usual model of PyG: convolution, pooling, convolution, mean."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = GraphConv(4, WIDTH), GraphConv(WIDTH, WIDTH)
        self.pool = SAGPooling(WIDTH, ratio=0.25)
        self.head = nn.Linear(WIDTH, 2)

    def forward(self, data: Data) -> tuple[Tensor, Tensor | float]:
        """Logits, and the loss of the pool (SAGPooling has none)."""
        x = self.first(data.x, data.edge_index).relu()
        x, edge_index, edge_weight, batch, _, _ = self.pool(x, data.edge_index, batch=data.batch)
        x = self.second(x, edge_index, edge_weight).relu()
        return self.head(global_mean_pool(x, batch)), 0.0


class WithHoscPool(WithSAGPooling):
    """The same model with HoscPool."""

    def __init__(self) -> None:
        super().__init__()
        self.pool = hp.nn.HoscPool(WIDTH, ratio=0.25)  # line 1

    def forward(self, data: Data) -> tuple[Tensor, Tensor | float]:
        """Logits, and the loss of the pool."""
        x = self.first(data.x, data.edge_index).relu()
        out = self.pool(x, data.edge_index, batch=data.batch)
        x, edge_index, edge_weight, batch = out.to_sparse()  # line 2
        x = self.second(x, edge_index, edge_weight).relu()
        return self.head(global_mean_pool(x, batch)), out.loss


def make_graph(kind: int, rng: np.random.Generator) -> Data:
    """Four cliques (kind 0) or four stars (kind 1) of six nodes, joined by a few random edges."""
    graph = nx.disjoint_union_all([nx.complete_graph(6) if kind == 0 else nx.star_graph(5)] * 4)
    graph.add_edges_from((i, j) for i, j in rng.integers(0, 24, size=(6, 2)) if i != j)
    edges = torch.tensor(list(graph.to_directed().edges)).t().contiguous()
    return Data(x=torch.tensor(rng.normal(size=(24, 4)), dtype=torch.float32), edge_index=edges, y=torch.tensor([kind]))


rng = np.random.default_rng(0)
graphs = [make_graph(kind, rng) for kind in (0, 1) for _ in range(100)]
order = rng.permutation(200)
test = next(iter(DataLoader([graphs[i] for i in order[160:]], batch_size=40)))

for make_model in (WithSAGPooling, WithHoscPool):
    loader = DataLoader([graphs[i] for i in order[:160]], batch_size=32, generator=torch.Generator().manual_seed(0))
    torch.manual_seed(0)
    model = make_model()
    model(test)  # the first batch decides the number of clusters
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(EPOCHS):
        for batch in loader:
            logits, pooling_loss = model(batch)
            loss = nn.functional.cross_entropy(logits, batch.y) + pooling_loss
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
    accuracy = (model(test)[0].argmax(dim=1) == test.y).float().mean().item()
    print(f"{make_model.__name__}: test accuracy {accuracy:.2f}")
