"""Linear maps from features to clusters, for labels that were found without a network."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
import torch
from torch import Tensor, nn

VIEW = "smooth-2"
"""The view of the features that the map sees; see `hoscpool.cluster.views.starts`."""
RIDGE = 1e-3
"""Penalty of the squared weights, for every node."""


class LinearHead(nn.Module):
    """A linear map ``[C, K]`` with a constant, whose values are set, not trained.

    Args:
        in_channels: Width C of the view.
        n_clusters: K.
    """

    weight: Tensor
    bias: Tensor

    def __init__(self, in_channels: int, n_clusters: int) -> None:
        super().__init__()
        self.in_channels, self.n_clusters = in_channels, n_clusters
        self.register_buffer("weight", torch.zeros(in_channels, n_clusters))
        self.register_buffer("bias", torch.zeros(n_clusters))


class LabelHead(LinearHead):
    """Ridge regression of one-hot labels; what it gives is cut off at 0 and scaled to sum to 1.

    The values of a row sum to 1 before the cut, because the constant is free. So one of them is above 0. Arguments as
    in `LinearHead`.
    """

    @classmethod
    def fit(cls, view: npt.NDArray[np.float32], labels: npt.NDArray[np.int64], n_clusters: int) -> LabelHead:
        """The map of a view ``[N, C]`` to the labels ``[N]``."""
        counts = np.bincount(labels, minlength=n_clusters)
        mean = view.mean(axis=0, dtype=np.float64)
        centred = view - mean.astype(np.float32)
        one_hot = sp.csr_array((np.ones(len(labels), np.float32), labels, np.arange(len(labels) + 1)),
                               shape=(len(labels), n_clusters))  # fmt: skip
        gram = (centred.T @ centred).astype(np.float64)
        sums = (one_hot.T @ centred).T.astype(np.float64)  # [C, K]
        weight = np.linalg.solve(gram + RIDGE * len(labels) * np.eye(len(gram)), sums)
        head = cls(view.shape[1], n_clusters)
        head.weight.copy_(torch.from_numpy(weight))
        head.bias.copy_(torch.from_numpy(counts / len(labels) - mean @ weight))
        return head

    def forward(self, x: Tensor, adjacency: Any = None) -> list[Tensor]:  # noqa: ARG002
        """S ``[N, K]``, as the only level. The view has seen the edges already."""
        scores = (x @ self.weight + self.bias).clamp(min=0)
        return [scores / scores.sum(dim=1, keepdim=True)]
