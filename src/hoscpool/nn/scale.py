"""Weights of ordinary size, so that products of several neither vanish nor overflow.

A cut does not depend on the scale of a graph's weights, so that each graph may be divided by a constant: its heaviest
weight, and only where that is far from 1.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from hoscpool.graph import Graph
from hoscpool.nn.coarsen import zero_diagonal

ORDINARY = (1e-4, 1e4)
"""Heaviest weights of a graph with which products of six, and sums of many, are far from the limits of float32."""


def scale_weights(graph: Graph, batch: npt.NDArray[np.int64]) -> Graph:
    """Several graphs side by side, the weights of each of ordinary size.

    Args:
        graph: The graphs as one.
        batch: Which of them a node is of, ``[N]``.
    """
    if graph.weights is None or not len(graph.weights):
        return graph
    home = np.repeat(batch, graph.degree)  # graph of every entry
    heaviest = np.zeros(int(batch.max()) + 1)
    np.maximum.at(heaviest, home, graph.weights)
    divisor = np.where(_is_ordinary(heaviest), 1.0, heaviest)
    return graph if (divisor == 1).all() else replace(graph, weights=graph.weights / divisor[home])


def scale_dense(adjacency: Tensor) -> Tensor:
    """Dense graphs ``[B, n, n]``, the weights of each of ordinary size; what is on the diagonal does not count."""
    if not adjacency.numel():
        return adjacency
    heaviest = zero_diagonal(adjacency.detach()).amax((1, 2))  # [B]
    if not torch.compiler.is_compiling() and _is_ordinary(np.array(heaviest.tolist())).all():
        return adjacency
    return adjacency / heaviest.masked_fill(_is_ordinary(heaviest), 1.0).view(-1, 1, 1)


def _is_ordinary(heaviest: Any) -> Any:
    low, high = ORDINARY
    return (heaviest == 0) | ((heaviest >= low) & (heaviest <= high))
