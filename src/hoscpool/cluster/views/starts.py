"""The views that runs start from: raw features, smoothed features, spectral coordinates of A or of A_M."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
import torch
from torch import Tensor

from hoscpool.cluster.sparse_features import DENSE, SparseTable
from hoscpool.cluster.views.embedding import spectral_embedding
from hoscpool.cluster.views.feature_map import FeatureMap, is_constant
from hoscpool.cluster.views.feature_signal import FeatureSignal, feature_signal
from hoscpool.graph import Graph

Array = npt.NDArray[Any]
STARTS = ("raw", "smooth-H", "spectral", "motif-spectral", "multilevel")
"""Names of starts; H is a number of hops, or several joined by + (``smooth-4+16``)."""
COMPONENTS = 2
"""Smallest number of spectral coordinates."""


@dataclass(frozen=True)
class Source:
    """Computes the inputs of all starts. Each part is computed once, and only if a start needs it.

    Attributes:
        graph: The graph without directions.
        matrices: A_M of every motif in use.
        n_clusters: Number of clusters wanted.
        random_state: Seed of singular value decomposition and eigensolver.
    """

    graph: Graph
    matrices: Mapping[str, sp.csr_array]
    n_clusters: int
    random_state: int

    @cached_property
    def has_features(self) -> bool:
        """Whether there are features that differ between nodes."""
        return self.graph.features is not None and not is_constant(self.graph.features)

    @cached_property
    def feature_map(self) -> FeatureMap:
        """The map fitted to the features."""
        return FeatureMap.fit(self.graph.features, self.random_state)

    @cached_property
    def signal(self) -> FeatureSignal | None:
        """How much the features know of the edges; ``None`` without features or edges."""
        if not self.has_features or not self.graph.num_edges:
            return None
        return feature_signal(self.table, self.graph.adjacency, self.random_state)

    @cached_property
    def table(self) -> Array:
        """The mapped features."""
        return self.feature_map(self.graph.features)

    def available(self, starts: tuple[str, ...]) -> tuple[str, ...]:
        """The starts that are possible on this graph; a spectral one if none of them is.

        Raises:
            ValueError: A name is unknown.
        """
        for name in starts:
            parse_start(name)
        higher = any(matrix.nnz for motif, matrix in self.matrices.items() if motif != "edge")
        edges = self.graph.num_edges > 0
        has = {"raw": self.graph.features is not None, "smooth": self.has_features, "spectral": edges,
               "motif-spectral": higher, "multilevel": edges}  # fmt: skip
        found = tuple(name for name in starts if has[parse_start(name)[0]])
        return found or (("spectral",) if edges else ("raw",))

    def input(self, start: str) -> tuple[Any, FeatureMap | None]:
        """The input of the network (a dense ``[N, C]`` float32 array, or the raw features) and the map that made it."""
        if start not in self._made:
            self._made[start] = self._make(*parse_start(start))
        return self._made[start]

    @cached_property
    def _made(self) -> dict[str, tuple[Any, FeatureMap | None]]:
        return {}

    def _make(self, kind: str, hops: tuple[int, ...]) -> tuple[Any, FeatureMap | None]:
        if kind == "raw":
            x = self.graph.features
            return np.ones((self.graph.num_nodes, 1), dtype=np.float32) if x is None else x, None
        if kind == "smooth":
            fitted, view = self.feature_map.smoothed(self.graph.adjacency, self.table, hops)
            return view, fitted
        if kind == "multilevel":
            return self._memberships(), None
        return self._spectral(self.graph.adjacency if kind == "spectral" else self._higher_order()), None

    def _higher_order(self) -> sp.csr_array:
        """The sum of the motif adjacencies without the edge, each scaled to the same total."""
        parts = [m / m.sum() for name, m in self.matrices.items() if name != "edge" and m.nnz]
        return sp.csr_array(sum(parts[1:], start=parts[0]))

    def _memberships(self) -> Array:
        """The memberships that the multilevel engine finds. A matrix weighs as much as it says beyond chance."""
        from hoscpool.cluster.engine import Engine, calibrate_weights

        matrices = self.matrices if any(m.nnz for m in self.matrices.values()) else {"edge": self.graph.adjacency}
        k, seed = min(self.n_clusters, self.graph.num_nodes), self.random_state
        weights = calibrate_weights(matrices, dict.fromkeys(matrices, 1.0), k, random_state=seed)
        engine = Engine(matrices, weights, validate=False)
        return engine.ties(engine.minimise_without_crumbs(k, random_state=seed).labels, k)[0]

    def _spectral(self, matrix: sp.csr_array) -> Array:
        count = min(max(self.n_clusters, COMPONENTS), self.graph.num_nodes)
        return spectral_embedding(matrix, count, random_state=self.random_state).astype(np.float32)


def parse_start(name: str) -> tuple[str, tuple[int, ...]]:
    """The kind of a start and its numbers of hops.

    >>> parse_start("smooth-4+16"), parse_start("spectral")
    (('smooth', (4, 16)), ('spectral', ()))

    Raises:
        ValueError: There is no such start.
    """
    hops = re.fullmatch(r"smooth-(\d+(?:\+\d+)*)", str(name))
    if hops:
        return "smooth", tuple(int(number) for number in hops[1].split("+"))
    if name in STARTS and name != "smooth-H":
        return name, ()
    raise ValueError(
        f"unknown start {name!r}. Valid starts: {', '.join(STARTS)} (H: hops, as in smooth-8 or smooth-4+16)"
    )


def inductive(starts: tuple[str, ...]) -> tuple[str, ...]:
    """The starts that can be computed on another graph."""
    return tuple(name for name in starts if parse_start(name)[0] in ("raw", "smooth"))


def carry_over(start: str, graph: Graph, feature_map: FeatureMap | None) -> Any:
    """The input of a fitted network on another graph with the same features.

    Raises:
        ValueError: The start was spectral. Its coordinates mean nothing on another graph.
    """
    if start == "raw":
        return graph.features
    if feature_map is not None:
        return feature_map.view(graph.adjacency, graph.features)
    raise ValueError(
        f"graph: the model was fitted on coordinates of its own graph ({start}), which mean nothing on another graph; "
        "fit with features and starts='smooth-4+16', or with preset='paper', to predict on other graphs"
    )


def as_input(x: Any) -> Tensor | SparseTable:
    """A table in float32 as input of the network. A sparse one stays sparse unless it is mostly filled."""
    if sp.issparse(x):
        if x.nnz <= DENSE * x.shape[0] * x.shape[1]:
            return SparseTable(x)
        x = x.toarray()
    return torch.from_numpy(np.array(x, dtype=np.float32))  # a copy: the graph's own array is read-only
