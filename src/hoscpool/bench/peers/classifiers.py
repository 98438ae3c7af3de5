"""One training epoch of the paper's classifier: ours, the textbook dense form, and torch-geometric-pool's layers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch_geometric.nn import DenseGraphConv, GraphConv
from torch_geometric.utils import to_dense_adj, to_dense_batch

from hoscpool.bench.peers.tgp import import_tgp

if TYPE_CHECKING:
    from torch_geometric.data import Batch, Data

    from hoscpool.classify import Run

Answer = npt.NDArray[np.float64]
HIDDEN, MU, CLIP, RATE = 32, 0.1, 2.0, 1e-3
EPS = 1e-15


@dataclass(frozen=True)
class Workload:
    """The common workload: a dataset by name, the chosen graphs, K of both pools, and the batch size."""

    name: str
    index: tuple[int, ...]
    clusters: tuple[int, ...]
    batch_size: int

    def graphs(self) -> list[Data]:
        """The graphs. Missing features are replaced by a constant."""
        from hoscpool.datasets import load_graphs

        every = load_graphs(self.name)
        chosen = [every[i] for i in self.index]
        for data in chosen:
            if data.x is None:
                data.x = torch.ones(data.num_nodes, 1)
        return chosen


@dataclass
class Ours:
    """Our training, and the losses of the first batch before training."""

    run: Run
    first: Answer


def prepare_ours(workload: Workload) -> Ours:
    """Collate, count the triangles and build the network, once before the first epoch."""
    from hoscpool.classify import GraphClassifier, Part, Run, collate, make_network, resolve_settings

    graphs = collate(workload.graphs())
    assert graphs.labels is not None
    classes, labels = np.unique(graphs.labels, return_inverse=True)
    parameters = GraphClassifier(hidden=HIDDEN, mu=MU, clip=CLIP, learning_rate=RATE, schedule="constant")
    settings = resolve_settings({**parameters.get_params(), "batch_size": workload.batch_size})
    network = make_network(max(graphs.num_features, 1), len(classes), workload.clusters, settings, 0)
    run = Run(network, Part(graphs, labels), Part(graphs[:1], labels[:1]), settings, 0)
    places = np.arange(min(workload.batch_size, len(graphs)))
    batch = graphs.batch(places, settings.motif_names, depth=settings.merge_depth)
    with torch.no_grad():
        found = network(batch)
    task = nn.functional.cross_entropy(found.logits, torch.from_numpy(labels[: len(found.logits)]))
    return Ours(run, np.array([float(task), float(found.loss)]))


def run_ours(data: Ours) -> Answer:
    """One epoch."""
    data.run.train_epoch()
    return data.first


class Peer:
    """A peer's model in a plain PyG training loop."""

    def __init__(self, workload: Workload, model: nn.Module) -> None:
        from torch_geometric.loader import DataLoader

        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=RATE)
        graphs = workload.graphs()
        classes = {label: i for i, label in enumerate(sorted({int(data.y) for data in graphs}))}
        for data in graphs:
            data.y = torch.tensor([classes[int(data.y)]])
        generator = torch.Generator().manual_seed(0)
        self.loader = DataLoader(graphs, workload.batch_size, shuffle=True, generator=generator)
        self.first = self._losses(next(iter(DataLoader(graphs, workload.batch_size))))

    def epoch(self) -> Answer:
        """One pass over the graphs."""
        for batch in self.loader:
            self.optimizer.zero_grad()
            logits, loss = self.model(batch)
            (nn.functional.cross_entropy(logits, batch.y) + loss).backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), CLIP)
            self.optimizer.step()
        return self.first

    def _losses(self, batch: Batch) -> Answer:
        with torch.no_grad():
            logits, loss = self.model(batch)
        return np.array([float(nn.functional.cross_entropy(logits, batch.y)), float(loss)])


def run_peer(peer: Peer) -> Answer:
    """One epoch."""
    return peer.epoch()


def prepare_dense(workload: Workload) -> Peer:
    """The textbook model with our parameters."""
    ours = prepare_ours(workload).run.network
    model = DenseClassifier(ours.encoders[0].in_channels, ours.dense[-1].out_features, workload.clusters, HIDDEN, MU)  # type: ignore[arg-type]
    with torch.no_grad():
        for theirs, own in zip(_dense_parameters(model), _our_parameters(ours), strict=True):
            theirs.copy_(own)
    return Peer(workload, model)


def _our_parameters(network: Any) -> Iterator[Tensor]:
    for encoder in network.encoders:
        yield from (encoder.neighbours.weight, encoder.neighbours.bias, encoder.skip.weight)
    for pool in network.pools:
        yield from pool.mlp.parameters()
    yield from network.dense.parameters()


def _dense_parameters(model: Any) -> Iterator[Tensor]:
    for encoder in model.encoders:
        yield from (encoder.lin_rel.weight, encoder.lin_rel.bias, encoder.lin_root.weight)
    for assign in model.assign:
        yield from assign.parameters()
    yield from model.dense.parameters()


@dataclass
class Pooled:
    """Coarsened graphs and the losses: cut of the edges, cut of the triangles, orthogonality."""

    x: Tensor
    adjacency: Tensor
    losses: Tensor


def dense_hosc_pool(x: Tensor, adjacency: Tensor, logits: Tensor, mask: Tensor | None) -> Pooled:
    """Eqs. 6–8 on padded matrices: diagonals as matrices, traces of products, as in PyG's ``dense_mincut_pool``."""
    s = torch.softmax(logits, dim=-1)
    if mask is not None:
        x, s = x * mask.unsqueeze(-1), s * mask.unsqueeze(-1)
    k = s.size(-1)
    pooled = s.transpose(1, 2) @ adjacency @ s
    triangles = (adjacency @ adjacency) * adjacency
    cuts = [_cut(adjacency, pooled, s), _cut(triangles, s.transpose(1, 2) @ triangles @ s, s)]
    size = x.new_full((len(x),), x.size(1)) if mask is None else mask.sum(dim=1).to(x.dtype)
    norms = torch.linalg.vector_norm(s, dim=1).sum(dim=-1)
    shortfall = (k**0.5 - norms / size.sqrt()) / (k**0.5 - 1) if k > 1 else 0 * norms
    pooled = pooled * (1 - torch.eye(k))
    scale = (pooled.sum(dim=-1) + EPS).sqrt().unsqueeze(-1)
    pooled = pooled / scale / scale.transpose(1, 2)
    return Pooled(s.transpose(1, 2) @ x, pooled, torch.stack([*cuts, shortfall.mean()]))


def _cut(matrix: Tensor, pooled: Tensor, s: Tensor) -> Tensor:
    inside = torch.einsum("ijj->ij", pooled)
    degree = torch.diag_embed(matrix.sum(dim=-1))
    touched = (s.transpose(1, 2) @ degree @ s).sum(dim=-1)
    return -(inside / (touched + EPS)).sum(dim=-1).mean() / s.size(-1)


class DenseClassifier(nn.Module):
    """The textbook classifier, as its authors wrote it: dense, on padded graphs.

    Args:
        in_channels: Width of the node features.
        num_classes: Number of classes.
        clusters: K of both pools.
        hidden: Width of all layers.
        mu: Weight of the orthogonality.
    """

    def __init__(self, in_channels: int, num_classes: int, clusters: Sequence[int], hidden: int, mu: float) -> None:
        super().__init__()
        self.mu = mu
        self.encoders = nn.ModuleList(DenseGraphConv(width, hidden) for width in (in_channels, hidden, hidden))
        self.assign = nn.ModuleList(nn.Linear(hidden, k) for k in clusters)
        self.dense = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, num_classes))

    def forward(self, data: Any) -> tuple[Tensor, Tensor]:
        """Logits ``[B, C]``, and the sum of the losses of both pools."""
        x, mask = to_dense_batch(data.x, data.batch)
        adjacency = to_dense_adj(data.edge_index, data.batch, max_num_nodes=x.size(1))
        losses = x.new_zeros(3)
        for encoder, assign in zip(self.encoders, self.assign, strict=False):
            x = encoder(x, adjacency, mask).relu()
            pooled = dense_hosc_pool(x, adjacency, assign(x), mask)
            x, adjacency, mask, losses = pooled.x, pooled.adjacency, None, losses + pooled.losses
        x = self.encoders[-1](x, adjacency).relu().mean(dim=1)
        return self.dense(x), losses @ losses.new_tensor([0.5, 0.5, self.mu])


def prepare_tgp(workload: Workload, batched: bool) -> Peer:
    """torch-geometric-pool's HOSC layers in the same network. Its cut differs from the paper's."""
    graphs = workload.graphs()
    classes = len({int(data.y) for data in graphs})
    return Peer(workload, TgpClassifier(graphs[0].x.size(1), classes, workload.clusters, batched))


def prepare_tgp_batched(workload: Workload) -> Peer:
    """Its padded mode."""
    return prepare_tgp(workload, batched=True)


def prepare_tgp_unbatched(workload: Workload) -> Peer:
    """Its sparse mode."""
    return prepare_tgp(workload, batched=False)


class TgpClassifier(nn.Module):
    """GraphConv – HOSCPooling – DenseGraphConv – HOSCPooling – DenseGraphConv – mean – dense ×2."""

    def __init__(self, in_channels: int, num_classes: int, clusters: tuple[int, ...], batched: bool) -> None:
        super().__init__()
        pooling: Callable[..., nn.Module] = import_tgp("tgp.poolers").HOSCPooling
        self.first = GraphConv(in_channels, HIDDEN)
        self.others = nn.ModuleList(DenseGraphConv(HIDDEN, HIDDEN) for _ in range(2))
        self.pool1 = pooling(HIDDEN, clusters[0], mu=MU, hosc_ortho=True, batched=batched)
        self.pool2 = pooling(HIDDEN, clusters[1], mu=MU, hosc_ortho=True, batched=True)
        self.dense = nn.Sequential(nn.Linear(HIDDEN, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, num_classes))

    def forward(self, data: Any) -> tuple[Tensor, Tensor]:
        """Logits ``[B, C]``, and the sum of the losses of both pools."""
        x = self.first(data.x, data.edge_index).relu()
        one = self.pool1(x=x, adj=data.edge_index, batch=data.batch)
        x = self.others[0](one.x, one.edge_index).relu()
        two = self.pool2(x=x, adj=one.edge_index)
        x = self.others[1](two.x, two.edge_index).relu().mean(dim=1)
        return self.dense(x), sum([*one.loss.values(), *two.loss.values()], start=x.new_zeros(()))


def compare(ours: Answer, theirs: Answer) -> str | None:
    """How the losses of the first batch differ beyond the rounding of single precision."""
    worst = float(np.abs(ours - theirs).max())
    return None if worst < 1e-3 else f"differs by {worst:.1e}"
