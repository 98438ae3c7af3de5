"""Motif adjacencies of a batch. On dense weighted graphs they are differentiable in the weights."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from hoscpool.graph import Graph
from hoscpool.motifs import Motif, automorphisms, get_motif, motif_adjacency
from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.pools.base import Motifs
from hoscpool.nn.sums.node_sums import zero_diagonal
from hoscpool.objectives import Adjacency, wedge_operator
from hoscpool.support.errors import GraphWarning
from hoscpool.support.machine import require_memory

Factor = Callable[[int, int], Tensor]
"""The factor of two roles of an instance: the weight of their edge, or 1 for two different nodes without an edge."""


def dense_motif_adjacency(adjacency: Tensor, motif: str | Motif, *, on_edges: bool = True) -> Tensor:
    """(A_M)_ij = Σ over the instances that contain i and j of the product of their edge weights.

    With weights 0 and 1 these are the counts of [`motif_adjacency`][hoscpool.motif_adjacency]. The triangle is A² ⊙ A.
    Motifs of three nodes cost K³ per graph. Motifs of n > 3 nodes cost Kⁿ time and Kⁿ⁻¹ memory. The diagonal is
    ignored, because the nodes of an instance are distinct.

    Args:
        adjacency: Symmetric weights ``[B, K, K]``.
        motif: An undirected motif.
        on_edges: Keep only pairs i, j of positive weight.

    Returns:
        ``[B, K, K]``, symmetric with zero diagonal.

    Raises:
        ValueError: The motif is directed. A dense graph has no directions.
        MemoryEstimateError: The motif has more than four nodes, and its sums would not fit in memory.

    Examples:
        >>> square = torch.tensor([[[0.0, 2.0, 1.0], [2.0, 0.0, 3.0], [1.0, 3.0, 0.0]]])
        >>> dense_motif_adjacency(square, "triangle")[0]
        tensor([[0., 6., 6.],
                [6., 0., 6.],
                [6., 6., 0.]])
    """
    motif = get_motif(motif)
    if motif.is_directed:
        raise ValueError(
            f"motifs: expected undirected motifs because a dense adjacency has no directions, got {motif.name}; "
            "use directed motifs only in the first pool of a model, with edge_index"
        )
    weight = zero_diagonal(adjacency)
    if motif.num_nodes == 2:
        return weight
    if motif.name == "triangle":
        return torch.bmm(weight, weight) * weight
    if motif.num_nodes > 4:
        _require_sums(weight, motif)
    total = _sum_over_role_pairs(weight, motif)
    return total * (weight > 0) if on_edges else total


def _sum_over_role_pairs(weight: Tensor, motif: Motif) -> Tensor:
    """Put i and j in every pair of roles, and sum over the nodes in the other roles."""
    apart = zero_diagonal(torch.ones_like(weight))  # roles without an edge still have different nodes
    total = torch.zeros_like(weight)

    def factor(r: int, q: int) -> Tensor:
        return weight if motif.is_joined(r, q) else apart

    for a, b in combinations(motif.members, 2):
        rest = [role for role in range(motif.num_nodes) if role not in (a, b)]
        total = total + factor(a, b) * _sum_out(factor, a, b, rest)
    return (total + total.mT) / len(automorphisms(motif))


def _sum_out(factor: Factor, a: int, b: int, rest: list[int]) -> Tensor:
    """Sum over the nodes in the remaining roles of the product of their factors, ``[B, K, K]``."""
    c = rest[0]
    if len(rest) == 1:
        return factor(a, c) @ factor(b, c)
    if len(rest) > 2:
        return _sum_out_last(factor, a, b, rest)
    d = rest[1]
    at_c = factor(a, c).unsqueeze(2) * factor(b, c).unsqueeze(1)  # [B, K, K, K]
    at_d = factor(a, d).unsqueeze(2) * factor(b, d).unsqueeze(1)
    return ((at_c @ factor(c, d).unsqueeze(1)) * at_d).sum(dim=-1)


def _sum_out_last(factor: Factor, a: int, b: int, rest: list[int]) -> Tensor:
    """The same with one role less. Every graph has K copies, and each copy fixes another node in the last role."""
    *others, last = rest
    size = factor(a, b).size(-1)

    def given(r: int, q: int) -> Tensor:
        copies = factor(r, q).unsqueeze(1)  # [B, 1, K, K]
        if r == a and q in others:  # every other role meets role a once, so multiply its factor with the last role here
            copies = copies * factor(last, q).unsqueeze(2)
        return copies.expand(-1, size, -1, -1).flatten(0, 1)  # [B·K, K, K]

    sums = _sum_out(given, a, b, others).view(-1, size, size, size)  # [B, K, K, K]
    return (sums * factor(a, last).mT.unsqueeze(3) * factor(last, b).unsqueeze(2)).sum(dim=1)


def _require_sums(weight: Tensor, motif: Motif) -> None:
    size, pairs = weight.size(-1), math.comb(motif.num_nodes, 2)
    needed = 4 * pairs * weight.size(0) * size ** (motif.num_nodes - 1) * weight.element_size()  # kept for the gradient
    advice = "use motifs of at most four nodes on dense graphs, or fewer clusters"
    require_memory(needed, f"the dense motif adjacency of {motif.name!r} on {size} nodes per graph", advice)


def motif_matrix(graph: GraphBatch, name: str, given: Motifs | None, *, on_edges: bool) -> Adjacency:
    """A_M of a batch of graphs as an operator.

    Unweighted graphs give counts. On weighted graphs every instance counts with the product of its edge weights, which
    is A² ⊙ A for triangles. Weights far from 1 are scaled first, see `scale_weights`.

    Args:
        graph: The graphs.
        name: The motif.
        given: Matrices that `AddMotifs` stored in the batch. Default: compute them and cache them with ``edge_index``.
        on_edges: Keep only pairs of joined nodes.

    Raises:
        ValueError: ``given`` does not hold this motif.
    """
    if name == "edge":
        return graph.adjacency
    if graph.matrices is not None:
        return graph.matrices[name]
    if graph.dense is not None:
        weights = graph.dense if graph.is_pooled else scale_dense(graph.dense)
        matrix = dense_motif_adjacency(weights, name, on_edges=on_edges)
        return graph.to_adjacency(matrix)
    if name == "wedge" and not on_edges and not graph.structure.is_weighted:
        # the full matrix would hold all pairs two steps apart
        return graph.keep("wedge operator", lambda: wedge_operator(graph.adjacency))
    if given is None:
        return graph.keep(f"motif {name} {on_edges}", lambda: _compute(graph, name, on_edges))
    if name not in given:
        raise ValueError(
            f"motifs: expected the matrix of {name!r}, which this layer uses, got {', '.join(given) or 'none'}; "
            f"add it to AddMotifs, or leave motifs out so that the layer computes it"
        )
    index, weight = given[name]
    return graph.to_adjacency((index, weight.to(graph.x.dtype), graph.x.size(0)))


def _compute(graph: GraphBatch, name: str, on_edges: bool) -> Adjacency:
    structure = graph.structure
    if not get_motif(name).is_directed:
        structure = structure.undirected()
    structure = scale_weights(structure, graph.batch.cpu().numpy())
    weights = "product" if structure.is_weighted else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphWarning)  # the layer reports what was changed, once
        return graph.to_adjacency(motif_adjacency(structure, name, on_edges=on_edges, weights=weights))


ORDINARY = (1e-4, 1e4)
"""Range of a graph's heaviest weight in which products of six weights, and their sums, stay within float32."""


def scale_weights(graph: Graph, batch: npt.NDArray[np.int64]) -> Graph:
    """Divide the weights of every graph by its heaviest weight, if that is outside `ORDINARY`.

    Args:
        graph: All graphs of a batch as one.
        batch: Graph of every node, ``[N]``.
    """
    if graph.weights is None or not len(graph.weights):
        return graph
    home = np.repeat(batch, graph.degree)  # graph of every entry
    heaviest = np.zeros(int(batch.max()) + 1)
    np.maximum.at(heaviest, home, graph.weights)
    divisor = np.where(_is_ordinary(heaviest), 1.0, heaviest)
    return graph if (divisor == 1).all() else replace(graph, weights=graph.weights / divisor[home])


def scale_dense(adjacency: Tensor) -> Tensor:
    """The same as `scale_weights` for dense graphs ``[B, n, n]``. The diagonal does not count."""
    if not adjacency.numel():
        return adjacency
    heaviest = zero_diagonal(adjacency.detach()).amax((1, 2))  # [B]
    if not torch.compiler.is_compiling() and _is_ordinary(np.array(heaviest.tolist())).all():
        return adjacency
    return adjacency / heaviest.masked_fill(_is_ordinary(heaviest), 1.0).view(-1, 1, 1)


def _is_ordinary(heaviest: Any) -> Any:
    low, high = ORDINARY
    return (heaviest == 0) | ((heaviest >= low) & (heaviest <= high))
