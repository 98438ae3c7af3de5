"""What assigns nodes to clusters: the network, MP – pool and MP – pool – MP – pool (Appendix B), and linear maps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
import torch
from torch import Tensor, nn

from hoscpool.cluster.sparse_features import SparseTable
from hoscpool.nn import GCN, DensePropagation, make_mlp, normalize_symmetric, zero_diagonal
from hoscpool.objectives import Adjacency
from hoscpool.support.seeding import seeded


class AssignmentNet(nn.Module):
    """Soft assignments of one or several levels.

    Level 1: H = ReLU(A X Θ₁ + X Θ₂) and S₁ = softmax(MLP(H)). The input of every further level is the coarsened graph
    A' = S₁ᵀAS₁, normalised and without its diagonal, with X' = S₁ᵀH. The assignment of nodes is S = S₁S₂.

    Args:
        in_channels: Width of the input.
        hidden: Width of the convolutions and of the perceptrons' hidden layer.
        sizes: Numbers of clusters of the levels, largest first.
        message_passing: Whether level 1 has its convolution. Without it, H = X times a constant ``scale``.
    """

    scale: Tensor

    def __init__(self, in_channels: int, hidden: int, sizes: Sequence[int], *, message_passing: bool = True) -> None:
        super().__init__()
        self.in_channels, self.hidden, self.message_passing = in_channels, hidden, message_passing
        self.sizes = tuple(sizes)
        self.register_buffer("scale", torch.ones(()))
        encoders: list[nn.Module] = [GCN(in_channels, hidden) if message_passing else nn.Identity()]
        self.encoders = nn.ModuleList(encoders + [GCN(hidden, hidden) for _ in self.sizes[1:]])
        first = hidden if message_passing else in_channels
        self.project = nn.Identity() if message_passing or len(self.sizes) == 1 else nn.Linear(in_channels, hidden)
        widths = [first] + [hidden] * (len(self.sizes) - 1)
        self.heads = nn.ModuleList(make_mlp(width, hidden, k) for width, k in zip(widths, self.sizes, strict=True))

    def forward(self, x: Tensor | SparseTable, adjacency: Adjacency) -> list[Tensor]:
        """S of every level: ``[N, K₁]``, ``[N, K₂]`` and so on.

        Args:
            x: Features ``[N, F]``, dense or sparse.
            adjacency: A.
        """
        h = self._encode(x, adjacency)
        step = self.heads[0](h).softmax(dim=-1)  # [N, K₁]
        assignments = [step]
        pooled: Adjacency | Tensor = adjacency
        h = self.project(h)  # only further levels use it
        for encoder, head in zip(self.encoders[1:], self.heads[1:], strict=True):
            h, coarse = _add_up(pooled, step.T @ h), _add_up(pooled, step.T @ (pooled @ step))  # [K₁, H], [K₁, K₁]
            pooled = (coarse + coarse.T) / 2
            assert isinstance(encoder, GCN)
            h = encoder.encode(h, DensePropagation(normalize_symmetric(zero_diagonal(pooled)))).relu()
            step = head(h).softmax(dim=-1)  # [K₁, K₂]
            assignments.append(assignments[-1] @ step)  # [N, K₂]
        return assignments

    def _encode(self, x: Tensor | SparseTable, adjacency: Adjacency) -> Tensor:
        """H of level 1."""
        encoder = self.encoders[0]
        if not isinstance(encoder, GCN):
            assert isinstance(x, Tensor)  # views are dense
            return x * self.scale
        both = x @ torch.cat([encoder.neighbours.weight, encoder.skip.weight]).T  # X [Θ₁ Θ₂]: one product for two
        sent, kept = both.chunk(2, dim=1)
        return (adjacency @ sent).add_(kept).add_(encoder.neighbours.bias).relu_()  # in place: N rows are large


def _add_up(pooled: Adjacency | Tensor, sums: Tensor) -> Tensor:
    """Sums over all nodes. Only the first graph can be spread over several processes."""
    return sums if isinstance(pooled, Tensor) else pooled.add_up(sums)


def make_network(
    in_channels: int, hidden: int, sizes: Sequence[int], *, message_passing: bool, random_state: int
) -> AssignmentNet:
    """A network with parameters from a seed. Torch's global generator does not change."""
    with seeded(random_state):
        return AssignmentNet(in_channels, hidden, sizes, message_passing=message_passing)


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
