"""The motif cut, forward and backward: the usual ways to write it in torch, and ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from hoscpool.bench.peers.tgp import import_tgp
from hoscpool.graph import Graph

if TYPE_CHECKING:
    from hoscpool.objectives import Adjacency

Answer = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Workload:
    """A graph, and the number of clusters of the assignment to score on it."""

    graph: Graph
    num_clusters: int


@dataclass
class Input:
    """A matrix in the peer's own form, the degrees ``[N]``, and the assignment ``[N, K]``."""

    matrix: Any
    degree: Tensor
    s: Tensor


def assignment(workload: Workload) -> Tensor:
    """The same soft assignment for all contenders, ``[N, K]``."""
    generator = torch.Generator().manual_seed(0)
    logits = torch.randn(workload.graph.num_nodes, workload.num_clusters, generator=generator)
    return torch.softmax(logits, dim=1).requires_grad_()


def _input(workload: Workload, matrix: Any) -> Input:
    degree = torch.from_numpy(workload.graph.degree).float()
    return Input(matrix, degree, assignment(workload))


def edge_index(graph: Graph) -> Tensor:
    """All arcs, sorted by source, ``[2, E]``."""
    source = torch.repeat_interleave(torch.from_numpy(graph.degree.copy()))
    return torch.stack([source, torch.from_numpy(graph.indices.astype(np.int64))])


def answer(_workload: Workload, result: tuple[Tensor, Tensor]) -> Answer:
    """The loss and, for every cluster, two sums over the gradient: plain and with alternating weights."""
    loss, slope = (part.detach().double() for part in result)
    weights = torch.arange(len(slope)).remainder(7).double()
    return np.concatenate([[loss.item()], slope.sum(0).numpy(), (weights @ slope).numpy()])


def compare(ours: Answer, theirs: Answer) -> str | None:
    """How the answer differs beyond the rounding of single precision."""
    if ours.shape != theirs.shape:
        return f"differs in shape: {theirs.shape}, ours {ours.shape}"
    worst = float(np.abs(ours - theirs).max() / max(np.abs(ours).max(), 1e-12))
    return None if worst < 1e-4 else f"differs by {worst:.1e}"


def _cut(product: Tensor, data: Input) -> tuple[Tensor, Tensor]:
    """Loss and gradient from A·S, by torch's own autograd."""
    loss = -((data.s * product).sum(0) / (data.degree @ data.s)).mean()
    return loss, torch.autograd.grad(loss, data.s)[0]


def prepare_ours(workload: Workload) -> Input:
    """The adjacency in the form that all our objectives take."""
    from hoscpool.objectives import as_adjacency

    return _input(workload, as_adjacency(workload.graph))


def run_ours(data: Input) -> tuple[Tensor, Tensor]:
    """The public function."""
    from hoscpool.objectives import motif_cut_loss

    loss = motif_cut_loss(data.matrix, data.s)
    return loss, torch.autograd.grad(loss, data.s)[0]


def prepare_csr(workload: Workload) -> Input:
    """A torch CSR tensor with the index type that its own constructor makes."""
    graph, size = workload.graph, workload.graph.num_nodes
    parts = (torch.tensor(graph.indptr), torch.tensor(graph.indices, dtype=torch.int64), torch.ones(len(graph.indices)))
    return _input(workload, torch.sparse_csr_tensor(*parts, size=(size, size), check_invariants=False))


def prepare_coo(workload: Workload) -> Input:
    """A coalesced torch COO tensor."""
    edges, size = edge_index(workload.graph), workload.graph.num_nodes
    ones = torch.ones(edges.shape[1])
    return _input(workload, torch.sparse_coo_tensor(edges, ones, (size, size), check_invariants=False).coalesce())


def run_sparse(data: Input) -> tuple[Tensor, Tensor]:
    """``torch.sparse.mm`` and autograd, for either layout."""
    return _cut(torch.sparse.mm(data.matrix, data.s), data)


def prepare_edges(workload: Workload) -> Input:
    """PyG's ``edge_index``."""
    return _input(workload, edge_index(workload.graph))


def run_index_add(data: Input) -> tuple[Tensor, Tensor]:
    """Gather and scatter by torch: the rows of the neighbours, added up by ``index_add``."""
    source, target = data.matrix
    return _cut(torch.zeros_like(data.s).index_add(0, source, data.s[target]), data)


def run_scatter(data: Input) -> tuple[Tensor, Tensor]:
    """Gather and scatter by PyG's own function."""
    from torch_geometric.utils import scatter

    source, target = data.matrix
    return _cut(scatter(data.s[target], source, dim=0, dim_size=len(data.s), reduce="sum"), data)


def prepare_dense(workload: Workload) -> Input:
    """A dense matrix ``[N, N]``."""
    return _input(workload, torch.from_numpy(workload.graph.adjacency.toarray().astype(np.float32)))


def run_dense(data: Input) -> tuple[Tensor, Tensor]:
    """The equation as printed: the diagonal of SᵀAS."""
    inside = torch.diagonal(data.s.T @ data.matrix @ data.s)
    loss = -(inside / (data.degree @ data.s)).mean()
    return loss, torch.autograd.grad(loss, data.s)[0]


def prepare_ours_with_triangles(workload: Workload) -> Input:
    """The edges and the triangles."""
    from hoscpool.motifs import motif_adjacency
    from hoscpool.objectives import as_adjacency

    matrices: dict[str, Adjacency] = {
        "edge": as_adjacency(workload.graph),
        "triangle": as_adjacency(motif_adjacency(workload.graph, "triangle")),
    }
    return _input(workload, matrices)


def run_ours_with_triangles(data: Input) -> tuple[Tensor, Tensor]:
    """The whole objective. Returns the orthogonality term and its gradient, which the peer has too."""
    from hoscpool.objectives import hosc_loss

    result = hosc_loss(data.matrix, data.s, mu=0.1)
    torch.autograd.grad(result.total, data.s, retain_graph=True)
    return result.losses["orthogonality"], torch.autograd.grad(result.losses["orthogonality"], data.s)[0]


def prepare_tgp(workload: Workload) -> Input:
    """PyG's ``edge_index``. The peer is imported here, so that its modules do not count as memory of the loss."""
    import_tgp("tgp.utils.losses")
    return prepare_edges(workload)


def run_tgp(data: Input) -> tuple[Tensor, Tensor]:
    """torch-geometric-pool's HOSC losses; returns the orthogonality term and its gradient."""
    losses = import_tgp("tgp.utils.losses")
    cut = losses.sparse_mincut_loss(data.matrix, data.s) + losses.sparse_ho_mincut_loss(data.matrix, data.s)
    orthogonality: Tensor = losses.unbatched_hosc_orthogonality_loss(data.s)
    total = 0.5 * cut / data.s.shape[1] + 0.1 * orthogonality
    torch.autograd.grad(total, data.s, retain_graph=True)
    return orthogonality, torch.autograd.grad(orthogonality, data.s)[0]
