"""Check the arguments of a layer, and convert them or the output of a pool to a `GraphBatch`."""

from __future__ import annotations

from functools import lru_cache
from numbers import Integral, Real
from typing import Any

import torch
from torch import Tensor

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.pools.output import PoolingOutput
from hoscpool.objectives import is_half, widen


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
    _check_edge_index(edge_index)
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


def check_count(value: Any, name: str, least: int = 1) -> int:
    """Return the value as an int.

    Raises:
        ValueError: It is not an integer of at least ``least``.
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise ValueError(f"{name}: expected an integer of at least {least}, got {value!r}")
    return int(value)


def check_share(ratio: Any) -> float:
    """Return a share of the nodes as a float.

    Raises:
        ValueError: It is not a number in (0, 1].
    """
    if isinstance(ratio, bool) or not isinstance(ratio, Real) or not 0 < float(ratio) <= 1:
        raise ValueError(f"ratio: expected a share in (0, 1], got {ratio!r}; num_clusters sets a number of clusters")
    return float(ratio)


def check_features(x: Tensor, in_channels: int, dim: int) -> None:
    """Refuse features of the wrong number of dimensions or of the wrong width."""
    if x.dim() != dim or not x.is_floating_point():
        shape = "[N, F] with edge_index" if dim == 2 else "[B, N, F] with a dense adjacency"
        raise ValueError(f"x: expected floating point features {shape}, got {x.dtype} of shape {tuple(x.shape)}")
    if x.size(-1) != in_channels:
        raise ValueError(
            f"x: expected in_channels = {in_channels} features per node, got {x.size(-1)}; "
            "build the layer with in_channels equal to the width of its input"
        )


def check_edges(edge_index: Tensor, edge_weight: Tensor | None, num_nodes: int) -> None:
    """Refuse an ``edge_index`` that is not integers ``[2, E]`` within range, and weights of the wrong size or value."""
    _check_edge_index(edge_index)
    if _is_tracing():
        return
    if edge_index.numel() and (int(edge_index.min()) < 0 or int(edge_index.max()) >= num_nodes):
        found = int(edge_index.min()), int(edge_index.max())
        raise ValueError(
            f"edge_index: expected nodes 0 to {num_nodes - 1}, one for each row of x, got {found[0]} to {found[1]}"
        )
    if edge_weight is not None:
        _check_weights(edge_weight, edge_index.size(1))


def _check_edge_index(edge_index: Tensor) -> None:
    if edge_index.dim() != 2 or edge_index.size(0) != 2 or edge_index.dtype not in (torch.int64, torch.int32):
        raise ValueError(
            f"edge_index: expected integers of shape [2, E], got {edge_index.dtype} of shape "
            f"{tuple(edge_index.shape)}; pass a dense adjacency as adjacency= or adj="
        )


def check_batch(batch: Tensor, num_nodes: int) -> None:
    """Refuse a batch vector of the wrong length, dtype or order."""
    if batch.dim() != 1 or batch.size(0) != num_nodes or batch.is_floating_point():
        raise ValueError(
            f"batch: expected {num_nodes} integers, one for each row of x, got {batch.dtype} of shape "
            f"{tuple(batch.shape)}"
        )
    if _is_tracing() or num_nodes == 0:
        return
    if int(batch[0]) < 0 or bool((batch[1:] < batch[:-1]).any()):
        raise ValueError(
            "batch: expected graph numbers from 0 in ascending order, got unsorted ones; order the nodes by graph, "
            "as PyG's DataLoader does"
        )


def check_apart(edge_index: Tensor, batch: Tensor) -> None:
    """Refuse an edge between two graphs of a batch."""
    if _is_tracing():
        return
    ends = batch[edge_index]
    if bool((ends[0] != ends[1]).any()):
        place = int((ends[0] != ends[1]).nonzero()[0])
        graphs = ends[:, place].tolist()
        raise ValueError(
            f"edge_index: expected edges within graphs, got edge {place} between graphs {graphs[0]} and {graphs[1]}; "
            "add to every node index the number of nodes in earlier graphs, as PyG's DataLoader does"
        )


def check_dense(x: Tensor, adjacency: Tensor, mask: Tensor | None) -> None:
    """Refuse a dense adjacency or a mask whose shape does not match ``x`` (``[B, N, F]``)."""
    batch, nodes = x.shape[:2]
    if adjacency.shape != (batch, nodes, nodes) or not adjacency.is_floating_point():
        raise ValueError(
            f"adjacency: expected floating point numbers of shape {(batch, nodes, nodes)} with x of shape "
            f"{tuple(x.shape)}, got {adjacency.dtype} of shape {tuple(adjacency.shape)}; "
            "pass an edge list as edge_index="
        )
    if mask is not None and (mask.shape != (batch, nodes) or mask.dtype != torch.bool):
        raise ValueError(
            f"mask: expected booleans of shape {(batch, nodes)}, got {mask.dtype} of shape {tuple(mask.shape)}"
        )


def check_symmetric_weights(adjacency: Tensor) -> None:
    """Refuse a dense adjacency ``[B, N, N]`` that has invalid weights or is not symmetric.

    The test of symmetry is one product with a fixed vector of irregular numbers: A·r = Aᵀ·r. A comparison with the
    transpose would take longer than the layer's own products.
    """
    if _is_tracing() or not adjacency.numel():
        return
    limits = torch.finfo(adjacency.dtype)
    adjacency = widen(adjacency.detach())
    low, high = (bound.item() for bound in adjacency.aminmax())
    if not low >= 0 or not high < torch.inf:
        raise ValueError("adjacency: expected finite weights of at least 0, got negative, infinite or NaN entries")
    probe = torch.arange(1, adjacency.size(-1) + 1, dtype=adjacency.dtype, device=adjacency.device)
    probe = (probe * 0.6180339887498949).frac() + 0.5
    rows, cols = adjacency @ probe, probe @ adjacency  # [B, N]
    if not bool(rows.isfinite().all()):
        raise ValueError(
            f"adjacency: expected sums of weights within {limits.dtype}, got weights up to {high:g}; scale them down"
        )
    absolute = limits.tiny / limits.eps  # normalisation scales sums that underflowed by 1/ε
    if not torch.allclose(rows, cols, rtol=limits.eps**0.5, atol=absolute):
        raise ValueError("adjacency: expected a symmetric matrix, got an asymmetric one; pass (A + A.mT) / 2 instead")


def check_one_graph(first: object, second: object, names: str = "edge_index, adjacency") -> None:
    """Refuse two values where one is wanted, and none."""
    if (first is None) == (second is None):
        got = "neither" if first is None else "both"
        raise ValueError(f"{names}: expected exactly one of them, got {got}")


def _check_weights(edge_weight: Tensor, num_edges: int) -> None:
    if edge_weight.shape != (num_edges,) or not edge_weight.is_floating_point():
        raise ValueError(
            f"edge_weight: expected {num_edges} floating point numbers, one for each edge, got {edge_weight.dtype} of "
            f"shape {tuple(edge_weight.shape)}"
        )
    if not bool(((edge_weight >= 0) & (edge_weight < torch.inf)).all()):
        raise ValueError(
            "edge_weight: expected finite numbers of at least 0, got negative, infinite or NaN ones; "
            "change these weights or drop the edges, because a volume is a sum of weights"
        )


def _is_tracing() -> bool:
    return torch.compiler.is_compiling()
