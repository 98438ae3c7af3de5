"""The views that runs start from: raw features, smoothed features, spectral coordinates of A or of A_M."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
import torch
from torch import Tensor

from hoscpool.cluster.inputs import motif_matrices
from hoscpool.cluster.sparse_features import DENSE, SparseTable
from hoscpool.cluster.views.blend import (
    HOPS,
    NODES,
    Blend,
    blend,
    structure_share,
    warn_of_disagreement,
    warn_of_silence,
)
from hoscpool.cluster.views.edge_metric import EdgeMetric
from hoscpool.cluster.views.embedding import spectral_embedding
from hoscpool.cluster.views.feature_map import FeatureMap, is_constant
from hoscpool.cluster.views.feature_signal import (
    FeatureSignal,
    edges_and_motifs,
    feature_signal,
    motifs_sharpen,
    structure_correlation,
)
from hoscpool.graph import Graph, as_graph
from hoscpool.motifs import get_motif

Array = npt.NDArray[Any]
STARTS = ("blend", "raw", "smooth-H", "spectral", "motif-spectral", "multilevel")
"""Names of starts; H is a number of hops, or several joined by + (``smooth-4+16``)."""
COMPONENTS = 2
"""Smallest number of spectral coordinates."""
SPECTRAL = ("spectral", "motif-spectral")
"""What takes the place of the blend where features say nothing."""


@dataclass(frozen=True)
class Source:
    """Computes the inputs of all starts. Each part is computed once, and only if a start needs it.

    Attributes:
        graph: The graph without directions.
        matrices: A_M of every motif in use.
        n_clusters: Number of clusters wanted.
        random_state: Seed of singular value decomposition and eigensolver.
        for_others: Whether the view must make sense on other graphs too. Then the blend has no structure in it.
    """

    graph: Graph
    matrices: Mapping[str, sp.csr_array]
    n_clusters: int
    random_state: int
    for_others: bool = False

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
    def trusts_features(self) -> bool:
        """Whether features follow the edges, or there are no edges."""
        return self.has_features and (self.signal is None or self.signal.is_informative)

    @cached_property
    def metric_map(self) -> FeatureMap:
        """The map with the metric that the edges teach, if features follow them."""
        if self.signal is None or not self.trusts_features:
            return self.feature_map
        edges, table = self.graph.adjacency, self.table
        if motifs_sharpen(table, edges, self._higher_order_of, self.random_state):
            edges = edges_and_motifs(edges, self._higher_order())
        return replace(self.feature_map, metric=EdgeMetric.fit(table, edges))

    @cached_property
    def blend(self) -> Blend:
        """Features over several hops, beside spectral coordinates as far as features need them."""
        feature_map, smooth = self._smooth(HOPS)
        if self.for_others or self.signal is None or self.graph.num_nodes > NODES:
            return blend(smooth, feature_map, None, 0.0)
        explained = structure_correlation(self.graph.adjacency, self._coordinates, self.random_state)
        directions = smooth.shape[1] // len(HOPS)
        share = structure_share(self.signal.correlation, explained, directions, self.n_clusters)
        warn_of_disagreement(self.signal.correlation, explained)
        return blend(smooth, feature_map, self._spectral(self.graph.adjacency) if share else None, share)

    @cached_property
    def table(self) -> Array:
        """The mapped features."""
        return self.feature_map(self.graph.features)

    def available(self, starts: tuple[str, ...]) -> tuple[str, ...]:
        """The starts that are possible on this graph; a spectral one if none of them is.

        The blend needs features that follow the edges. Otherwise the spectral starts take its place.

        Raises:
            ValueError: A name is unknown.
        """
        for name in starts:
            parse_start(name)
        if "blend" in starts:
            replaced = (self._blends if name == "blend" else (name,) for name in starts)
            starts = tuple(dict.fromkeys(name for names in replaced for name in names))
        higher = any(matrix.nnz for motif, matrix in self.matrices.items() if motif != "edge")
        edges = self.graph.num_edges > 0
        has = {"blend": True, "raw": self.graph.features is not None, "smooth": self.has_features, "spectral": edges,
               "motif-spectral": higher, "multilevel": edges}  # fmt: skip
        found = tuple(name for name in starts if has[parse_start(name)[0]])
        return found or (("spectral",) if edges else ("raw",))

    @cached_property
    def _blends(self) -> tuple[str, ...]:
        """The blend, or what takes its place."""
        if self.trusts_features:
            return ("blend",)
        if self.signal is not None:
            warn_of_silence(self.signal.correlation)
        return SPECTRAL

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
            fitted, view = self._smooth(hops)
            return view, fitted
        if kind == "multilevel":
            return self._memberships(), None
        if kind == "blend":
            return self.blend.table, self.blend.feature_map
        return self._spectral(self.graph.adjacency if kind == "spectral" else self._higher_order()), None

    def _smooth(self, hops: tuple[int, ...]) -> tuple[FeatureMap, Array]:
        table = self.table if self.metric_map.metric is None else self.metric_map.metric(self.table)
        return self.metric_map.smoothed(self.graph.adjacency, table, hops)

    def _higher_order_of(self, adjacency: sp.csr_array) -> sp.csr_array | None:
        """`_higher_order` of other edges between the same nodes, or some of them; ``None`` without a motif."""
        names = [name for name in self.matrices if name != "edge" and not get_motif(name).is_directed]
        matrices = motif_matrices(as_graph(sp.csr_array(adjacency, dtype=np.float64), directed=False), names)
        return _sum_of(matrices)

    def _higher_order(self) -> sp.csr_array:
        """The sum of the motif adjacencies without the edge, each scaled to the same total."""
        found = _sum_of(self.matrices)
        assert found is not None  # asked for only where a motif occurs
        return found

    @property
    def _coordinates(self) -> int:
        return min(max(self.n_clusters, COMPONENTS), self.graph.num_nodes)

    def _memberships(self) -> Array:
        """The memberships that the multilevel engine finds, with calibrated weights of the matrices."""
        from hoscpool.cluster.engine import Engine, calibrate_weights

        matrices = self.matrices if any(m.nnz for m in self.matrices.values()) else {"edge": self.graph.adjacency}
        k, seed = min(self.n_clusters, self.graph.num_nodes), self.random_state
        weights = calibrate_weights(matrices, dict.fromkeys(matrices, 1.0), k, random_state=seed)
        engine = Engine(matrices, weights, validate=False)
        return engine.ties(engine.minimise_without_crumbs(k, random_state=seed).labels, k)[0]

    def _spectral(self, matrix: sp.csr_array) -> Array:
        return spectral_embedding(matrix, self._coordinates, random_state=self.random_state).astype(np.float32)


def _sum_of(matrices: Mapping[str, sp.csr_array]) -> sp.csr_array | None:
    """The sum of the motif adjacencies without the edge, each scaled to the same total."""
    parts = [m / m.sum() for name, m in matrices.items() if name != "edge" and m.nnz]
    return sp.csr_array(sum(parts[1:], start=parts[0])) if parts else None


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
    if name == "blend":
        return name, HOPS
    if name in STARTS and name != "smooth-H":
        return name, ()
    raise ValueError(
        f"unknown start {name!r}. Valid starts: {', '.join(STARTS)} (H: hops, as in smooth-8 or smooth-4+16)"
    )


def inductive(starts: tuple[str, ...]) -> tuple[str, ...]:
    """The starts that can be computed on another graph."""
    return tuple(name for name in starts if parse_start(name)[0] in ("blend", "raw", "smooth"))


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
