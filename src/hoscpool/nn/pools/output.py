"""What every pool returns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from hoscpool.nn.batch.graph_batch import dense_edges
from hoscpool.nn.sums.segments import Sizes, lift_segments
from hoscpool.support.html_tables import cell, html_card, html_table

if TYPE_CHECKING:
    from hoscpool.nn.batch.graph_batch import GraphBatch


@dataclass(eq=False, repr=False)
class PoolingOutput:
    """The coarsened graphs, the assignment of nodes, and the losses.

    A pool that forms K clusters per graph returns dense graphs (``adjacency``). A pool that drops or merges nodes
    returns an edge list (``edge_index``). Both are the input of the next layer by ``layer(out.x, **out.graph)``.

    ``x, adjacency, assignment, losses, loss = out`` unpacks what a clustering pool returns.

    Attributes:
        x: Features of the supernodes, ``[B, K, F]``, or ``[M, F]`` with an edge list.
        assignment: S ``[N, K]``. Row i is about the clusters of node i's own graph. With an edge list, a sparse
            ``[N, M]`` tensor.
        node_batch: Graph of every input node, ``[N]``.
        sizes: Number of input nodes of every graph.
        adjacency: Dense adjacency ``[B, K, K]``, or ``None``.
        mask: Supernodes that exist, ``[B, K]``. ``None`` if all do. The others have no edges.
        edge_index: Edges ``[2, E]``, or ``None``.
        edge_weight: Weights ``[E]``, or ``None`` if all are 1.
        batch: Graph of every supernode, ``[M]``, with an edge list.
        losses: The pool's own losses by name, unweighted.
        loss: Their weighted sum. Add it to the loss of your task. 0 for a pool without losses.
        objective: The same sum with constant weights, to compare epochs. It differs from ``loss`` only with a schedule.
        graphs: The coarsened graphs in the form that the next pool uses, if they exist already.
    """

    x: Tensor
    assignment: Tensor
    node_batch: Tensor
    sizes: Sizes
    loss: Tensor
    objective: Tensor
    losses: Mapping[str, Tensor] = field(default_factory=dict)
    adjacency: Tensor | None = None
    mask: Tensor | None = None
    edge_index: Tensor | None = None
    edge_weight: Tensor | None = None
    batch: Tensor | None = None
    graphs: GraphBatch | None = None

    @property
    def is_dense(self) -> bool:
        """Whether the coarsened graphs are dense matrices."""
        return self.adjacency is not None

    @property
    def graph(self) -> dict[str, Any]:
        """The keyword arguments that pass the coarsened graphs to the next encoder or pool."""
        if self.is_dense:
            return {"adjacency": self.adjacency, "mask": self.mask}
        return {"edge_index": self.edge_index, "edge_weight": self.edge_weight, "batch": self.batch}

    @property
    def num_graphs(self) -> int:
        """Number of graphs B."""
        return len(self.sizes)

    def __iter__(self) -> Iterator[Any]:
        yield from (self.x, self.adjacency, self.assignment, self.losses, self.loss)

    def to_sparse(self) -> tuple[Tensor, Tensor, Tensor | None, Tensor]:
        """The coarsened graphs as PyG's sparse layers take them: ``x, edge_index, edge_weight, batch``.

        A pool that forms clusters can so stand where ``SAGPooling`` or ``TopKPooling`` stood. Edges are the positive
        entries of the adjacency. Gradients flow to their weights. Supernodes that do not exist are left out.

        Returns:
            Features ``[M, F]``, edges ``[2, E]``, their weights ``[E]`` (``None``: all are 1), and the graph of every
            supernode ``[M]``.
        """
        if not self.is_dense:
            assert self.edge_index is not None
            assert self.batch is not None
            return self.x, self.edge_index, self.edge_weight, self.batch
        assert self.adjacency is not None
        exists = torch.ones_like(self.x[..., 0], dtype=torch.bool) if self.mask is None else self.mask  # [B, K]
        edge_index, edge_weight = dense_edges(self.adjacency, self.mask)
        return self.x[exists], edge_index, edge_weight, exists.nonzero()[:, 0]

    def lift(self, x_pool: Tensor) -> Tensor:
        """Map features of supernodes back to the nodes: X = S X_pool.

        Args:
            x_pool: Features with the shape of ``x``, but any width.

        Returns:
            Features ``[N, F]`` of the input nodes. 0 for a dropped node.
        """
        if x_pool.shape[:-1] != self.x.shape[:-1]:
            expected = (*self.x.shape[:-1], "F")
            raise ValueError(f"x_pool: expected the shape {expected} of out.x, got {tuple(x_pool.shape)}")
        if self.is_dense:
            return lift_segments(self.assignment, x_pool, self.sizes)
        lifted: Tensor = torch.sparse.mm(self.assignment, x_pool)
        return lifted

    def labels(self) -> Tensor:
        """The supernode of every node, ``[N]``: its most probable cluster or, with an edge list, a row of ``x``.

        A dropped node has −1. If a node belongs to several supernodes of an edge list (ASAP), the last one is
        returned.
        """
        if self.is_dense:
            return self.assignment.argmax(dim=-1)
        node, supernode = self.assignment.indices()
        labels = torch.full_like(self.node_batch, -1)
        return labels.scatter_reduce(0, node, supernode, "amax")

    def members(self, supernode: int, graph: int = 0) -> Tensor:
        """The input nodes of a supernode, by their row in the input.

        Args:
            supernode: A cluster 0 … K−1 of that graph. With an edge list, a row of ``x``; then ``graph`` is not used.
            graph: The number of the graph in the batch.
        """
        if self.is_dense:
            return ((self.labels() == supernode) & (self.node_batch == graph)).nonzero().view(-1)
        entries: Tensor = self.assignment.indices()
        return entries[0, entries[1] == supernode]

    def _repr_html_(self) -> str:
        """What a notebook shows: shapes and losses."""
        named = {"x": self.x, "adjacency": self.adjacency, "edge_index": self.edge_index, "assignment": self.assignment}
        shapes = [[name, " × ".join(map(str, value.shape))] for name, value in named.items() if value is not None]
        losses = [[f"loss: {name}", cell(float(value.detach()))] for name, value in self.losses.items()]
        rows = [*shapes, *losses, ["loss", cell(float(self.loss.detach()))]]
        return html_card("PoolingOutput", [("graphs", self.num_graphs)], table=html_table(["part", "value"], rows))

    def __repr__(self) -> str:
        parts = [f"x={list(self.x.shape)}"]
        parts += [f"{key}={list(value.shape)}" for key, value in self.graph.items() if value is not None]
        parts += [f"{name}={value.item():.4f}" for name, value in self.losses.items()]
        return f"{type(self).__name__}({', '.join(parts)})"
