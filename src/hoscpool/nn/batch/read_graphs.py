"""Convert the arguments of a layer, or the output of a pool, to a `GraphBatch`."""

from __future__ import annotations

from functools import lru_cache

import torch
from torch import Tensor

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.batch.layer_checks import (
    check_apart,
    check_batch,
    check_dense,
    check_edges,
    check_features,
    check_one_graph,
    check_symmetric_weights,
)
from hoscpool.nn.pools.output import PoolingOutput
from hoscpool.objectives import is_half


def read_graphs(
    x: Tensor,
    edge_index: Tensor | None,
    edge_weight: Tensor | None,
    batch: Tensor | None,
    adjacency: Tensor | None,
    mask: Tensor | None,
    in_channels: int,
) -> GraphBatch:
    """Check the arguments of a pool's ``forward`` and convert them.

    Raises:
        ValueError: An argument is not valid. The message names it, what was expected and what was given.
    """
    check_one_graph(edge_index, adjacency)
    if adjacency is not None:
        return _read_dense(x, adjacency, mask, in_channels)
    assert edge_index is not None
    check_features(x, in_channels, dim=2)
    check_edges(edge_index, edge_weight, x.size(0))
    if batch is None:
        batch, sizes = edge_index.new_zeros(x.size(0), dtype=torch.int64), (x.size(0),)
    else:
        check_batch(batch, x.size(0))
        batch = batch.long()
        check_apart(edge_index, batch)
        sizes = tuple(torch.bincount(batch).tolist())
    return GraphBatch(x, batch, sizes, edge_index=edge_index, edge_weight=edge_weight)


def _read_dense(x: Tensor, adjacency: Tensor, mask: Tensor | None, in_channels: int) -> GraphBatch:
    if x.dim() == 2 and adjacency.dim() == 2:  # a single graph
        x, adjacency = x.unsqueeze(0), adjacency.unsqueeze(0)
        mask = mask if mask is None else mask.unsqueeze(0)
    check_features(x, in_channels, dim=3)
    check_dense(x, adjacency, mask)
    adjacency = adjacency if is_half(x) else adjacency.to(x.dtype)
    if mask is not None:
        adjacency = torch.where(mask.unsqueeze(-1) & mask.unsqueeze(-2), adjacency, 0.0)
    check_symmetric_weights(adjacency)
    return flatten_graphs(x, adjacency, mask)


def flatten_graphs(x: Tensor, adjacency: Tensor, mask: Tensor | None, *, is_pooled: bool = False) -> GraphBatch:
    """Dense graphs ``[B, n, F]`` and ``[B, n, n]``, 0 outside the mask, as a batch with flat features."""
    graphs, nodes = x.shape[:2]
    build = _batch_of.__wrapped__ if torch.compiler.is_compiling() else _batch_of
    batch = build(graphs, nodes, x.device)
    if mask is None:
        return GraphBatch(x.flatten(0, 1), batch, (nodes,) * graphs, dense=adjacency, is_pooled=is_pooled)
    sizes = tuple(mask.sum(dim=1).tolist())
    return GraphBatch(x[mask], batch[mask.flatten()], sizes, dense=adjacency, mask=mask, is_pooled=is_pooled)


@lru_cache(maxsize=16)
def _batch_of(graphs: int, nodes: int, device: torch.device) -> Tensor:
    """The graph of every node, if all graphs have the same number of nodes."""
    with torch.inference_mode(False):  # a tensor of inference mode could not be used in training later
        return torch.arange(graphs, device=device).repeat_interleave(nodes)


def pooled_graphs(out: PoolingOutput) -> GraphBatch:
    """The coarsened graphs as the input of the next layer. The output of a pool is not checked again."""
    if out.graphs is not None:
        return out.graphs
    if out.adjacency is not None:
        return flatten_graphs(out.x, out.adjacency, out.mask, is_pooled=True)
    assert out.batch is not None
    sizes = tuple(torch.bincount(out.batch, minlength=out.num_graphs).tolist())
    return GraphBatch(out.x, out.batch, sizes, edge_index=out.edge_index, edge_weight=out.edge_weight)
