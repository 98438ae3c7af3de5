"""A graph classifier with two HoscPool layers: does a graph consist of cliques or of stars?

Both kinds have equally many nodes and random features. Only the triangles differ. Run ``python pooling_layer.py``.
"""

import networkx as nx
import numpy as np
import torch
from torch import Tensor, nn
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader

import hoscpool as hp

EPOCHS, WIDTH = 15, 16
add_motifs = hp.nn.AddMotifs(["triangle"])  # count the triangles once, not in every epoch


def make_graph(kind: int, rng: np.random.Generator) -> Data:
    """Four cliques (kind 0) or four stars (kind 1) of six nodes, joined by a few random edges."""
    part = nx.complete_graph(6) if kind == 0 else nx.star_graph(5)
    graph = nx.disjoint_union_all([part] * 4)
    graph.add_edges_from(rng.integers(0, 24, size=(6, 2)))
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    edges = torch.tensor(list(graph.to_directed().edges)).t().contiguous()
    x = torch.tensor(rng.normal(size=(24, 4)), dtype=torch.float32)
    return add_motifs(Data(x=x, edge_index=edges, y=torch.tensor([kind])))


class Classifier(nn.Module):
    """GNN – pool – GNN – pool – GNN – mean – linear, as in the paper."""

    def __init__(self) -> None:
        super().__init__()
        self.gnn1 = hp.nn.make_encoder("gcn", 4, WIDTH)
        self.pool1 = hp.nn.HoscPool(WIDTH, num_clusters=8, motifs={"edge": 0.5, "triangle": 0.5}, mu=0.1)
        self.gnn2 = hp.nn.make_encoder("gcn", WIDTH, WIDTH)
        self.pool2 = hp.nn.HoscPool(WIDTH, num_clusters=4)
        self.gnn3 = hp.nn.make_encoder("gcn", WIDTH, WIDTH)
        self.head = nn.Linear(WIDTH, 2)

    def forward(self, data: Data) -> tuple[Tensor, Tensor]:
        """Logits of a batch, and the loss of its pools."""
        x = self.gnn1(data.x, data.edge_index).relu()
        out1 = self.pool1(x, data.edge_index, batch=data.batch, motifs=hp.nn.motifs_of(data))
        x = self.gnn2(out1.x, **out1.graph).relu()  # the next layer takes the coarsened graph
        out2 = self.pool2(x, **out1.graph)
        x = self.gnn3(out2.x, **out2.graph).relu()
        return self.head(x.mean(dim=1)), out1.loss + out2.loss


rng = np.random.default_rng(0)
graphs = [make_graph(kind, rng) for kind in (0, 1) for _ in range(100)]
order = rng.permutation(200)
train, test = [graphs[i] for i in order[:160]], [graphs[i] for i in order[160:]]
loader = DataLoader(train, batch_size=32, shuffle=True, generator=torch.Generator().manual_seed(0))

model = hp.nn.seed_parameters(Classifier(), random_state=0)
optimiser = torch.optim.Adam(model.parameters(), lr=0.005)
for epoch in range(EPOCHS):
    for batch in loader:
        logits, pooling_loss = model(batch)
        loss = nn.functional.cross_entropy(logits, batch.y) + pooling_loss
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    print(f"epoch {epoch + 1:2d}: loss {loss.item():.3f}")

batch = next(iter(DataLoader(test, batch_size=len(test))))
with torch.no_grad():
    accuracy = (model(batch)[0].argmax(dim=1) == batch.y).float().mean().item()
print(f"test accuracy: {accuracy:.2f}")
