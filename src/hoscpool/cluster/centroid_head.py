"""The linear map that reproduces k-means: a node belongs to the cluster with the nearest centre."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from hoscpool.cluster.label_head import LinearHead

SHARPEST = 1e4
"""Largest slope of the memberships, for points that lie on their centres."""


class CentroidHead(LinearHead):
    """S = softmax((2 c_k·x − ‖c_k‖²) / spread), which is largest for the nearest centre c_k.

    Arguments as in `LinearHead`.
    """

    @classmethod
    def of(cls, centres: npt.NDArray[Any], spread: float) -> CentroidHead:
        """The map of centres ``[K, C]``. ``spread`` is the mean squared distance of a point to its centre."""
        slope = min(1 / spread, SHARPEST) if spread > 0 else SHARPEST
        head = cls(centres.shape[1], len(centres))
        head.weight.copy_(torch.from_numpy(np.ascontiguousarray(2 * slope * centres.T)))
        head.bias.copy_(torch.from_numpy(-slope * np.einsum("kc,kc->k", centres, centres)))
        return head

    def forward(self, x: Tensor, adjacency: Any = None) -> list[Tensor]:  # noqa: ARG002
        """S ``[N, K]``, as the only level. The view has seen the edges already."""
        return [torch.addmm(self.bias, x, self.weight).softmax(dim=1)]
