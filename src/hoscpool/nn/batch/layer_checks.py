"""Checks of layer arguments. Each reads its argument once. Checks of values do not run while torch traces a layer."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import torch
from torch import Tensor

from hoscpool.objectives import widen


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
    if edge_index.dim() != 2 or edge_index.size(0) != 2 or edge_index.dtype not in (torch.int64, torch.int32):
        raise ValueError(
            f"edge_index: expected integers of shape [2, E], got {edge_index.dtype} of shape "
            f"{tuple(edge_index.shape)}; pass a dense adjacency as adjacency= or adj="
        )
    if _is_tracing():
        return
    if edge_index.numel() and (int(edge_index.min()) < 0 or int(edge_index.max()) >= num_nodes):
        found = int(edge_index.min()), int(edge_index.max())
        raise ValueError(
            f"edge_index: expected nodes 0 to {num_nodes - 1}, one for each row of x, got {found[0]} to {found[1]}"
        )
    if edge_weight is not None:
        _check_weights(edge_weight, edge_index.size(1))


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
