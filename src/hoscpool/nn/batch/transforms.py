"""A PyG transform that counts motifs once per graph. A ``DataLoader`` then batches the result."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import torch
from scipy import sparse
from torch import Tensor
from torch_geometric.data import Data
from torch_geometric.transforms import BaseTransform

from hoscpool.graph import Graph, as_graph, build_graph
from hoscpool.motifs import (
    Engine,
    Motif,
    get_motif,
    list_motifs,
    motif_adjacencies,
    motif_name,
    register_motif,
    to_torch,
)
from hoscpool.nn.batch.motif_matrices import scale_weights

_NODE_COUNTS: dict[str, Callable[[Any], Any]] = {"counts": lambda counts: counts, "log": np.log1p}
"""The forms in which counts become features."""


class AddMotifs(BaseTransform):  # type: ignore[misc]
    """Store the motif adjacency matrices of a graph in its `Data`.

    Every motif has two tensors: ``motif_<name>_index`` ``[2, M]`` and ``motif_<name>_weight`` ``[M]``. PyG concatenates
    and shifts them like ``edge_index``. [`motifs_of`][hoscpool.nn.motifs_of] collects them from a batch. As in
    [`HoscPool`][hoscpool.nn.HoscPool], an instance counts with the product of its values in ``edge_weight``. If the
    heaviest weight of the graph is above 10,000 or below 0.0001, all weights are divided by it first.

    Args:
        motifs: Names of motifs, motifs of your own, or the ``motifs`` of a `HoscPool`. ``"edge"`` needs no matrix and
            is skipped. Motifs of your own are registered with `register_motif`.
        on_edges: As in `HoscPool`.
        edges: Name of a boolean tensor ``[E]`` of the graph. Motifs are counted only on edges where it is true, such as
            ``"is_bond"`` in the complete graphs of molecules of
            `hoscpool.datasets.load_graphs`. Default: all edges.
        node_counts: Append one feature per motif to ``data.x``: the number of its instances at every node
            (``"counts"``), or log(1 + number) (``"log"``). ``"edge"`` is the degree. Weights do not count here. Without
            ``x`` these are the features.

    Examples:
        >>> edges = torch.tensor([[0, 0, 1, 1, 2, 2], [1, 2, 0, 2, 0, 1]])
        >>> data = AddMotifs(["triangle"])(Data(edge_index=edges, num_nodes=3))
        >>> data.motif_triangle_weight
        tensor([1., 1., 1., 1., 1., 1.])
    """

    def __init__(
        self,
        motifs: Iterable[str | Motif] = ("triangle",),
        *,
        on_edges: bool = True,
        edges: str | None = None,
        node_counts: str | None = None,
    ) -> None:
        if isinstance(motifs, str):
            raise ValueError(f"motifs: expected a list of names, got the single string {motifs!r}; use [{motifs!r}]")
        if node_counts not in (None, *_NODE_COUNTS):
            raise ValueError(f"node_counts: expected None, 'counts' or 'log', got {node_counts!r}")
        names = [register_motif(m).name if isinstance(m, Motif) else motif_name(m) for m in motifs]
        self.counted = names if node_counts else []
        self.motifs = [name for name in names if name != "edge"]
        self.on_edges, self.edges, self.node_counts = on_edges, edges, node_counts

    def forward(self, data: Data) -> Data:
        """The graph with its motif matrices.

        Raises:
            ValueError: There is no ``edge_index``, or no tensor ``edges`` of one truth value per edge.
        """
        if data.edge_index is None:
            raise ValueError("data: expected an edge_index, got none")
        graph = _structure(data, self._chosen(data))
        matrices = self._count(graph, is_directed=True) | self._count(graph.undirected(), is_directed=False)
        for name in self.motifs:
            index_key, weight_key = _keys(name)
            data[index_key], data[weight_key] = _to_tensors(matrices[name])
        if self.node_counts is not None and self.counted:
            data.x = self._with_counts(graph, data.x)
        return data

    def _with_counts(self, graph: Graph, x: Tensor | None) -> Tensor:
        """The features with one more column per motif, ``[N, F + M]``."""
        engine, form = Engine(graph), _NODE_COUNTS[str(self.node_counts)]
        columns = np.stack([form(engine.at_nodes(get_motif(name))) for name in self.counted], axis=1)
        counts = torch.from_numpy(columns).to(torch.get_default_dtype() if x is None else x.dtype)
        if x is None:
            return counts
        return torch.cat([x.reshape(len(x), -1), counts.to(x.device)], dim=1)

    def _count(self, graph: Graph, is_directed: bool) -> dict[str, sparse.csr_array]:
        """The matrices of the directed or of the undirected motifs. They are counted together."""
        names = [name for name in self.motifs if get_motif(name).is_directed == is_directed]
        if not names:
            return {}
        seen = scale_weights(graph, np.zeros(graph.num_nodes, dtype=np.int64))
        weights = "product" if seen.is_weighted else None
        return motif_adjacencies(seen, names, on_edges=self.on_edges, weights=weights)

    def _chosen(self, data: Data) -> Tensor | None:
        """Which edges count, ``[E]``; ``None``: all."""
        if self.edges is None:
            return None
        chosen, index = data.get(self.edges), data.edge_index
        if (
            not isinstance(chosen, Tensor)
            or chosen.dtype != torch.bool
            or index is None
            or chosen.shape != index[0].shape
        ):
            got = f"{chosen.dtype} of shape {list(chosen.shape)}" if isinstance(chosen, Tensor) else repr(chosen)
            raise ValueError(f"edges: expected data.{self.edges} to hold one truth value for every edge, got {got}")
        return chosen

    def __repr__(self) -> str:
        edges = "" if self.edges is None else f", edges={self.edges!r}"
        return f"{type(self).__name__}({self.motifs}, on_edges={self.on_edges}{edges})"


def motifs_of(data: Data) -> dict[str, tuple[Tensor, Tensor]]:
    """The motif matrices that `AddMotifs` stored, for ``pool(…, motifs=motifs_of(batch))``. It may be empty."""
    found = {name: _keys(name) for name in list_motifs()}
    return {name: (data[index], data[weight]) for name, (index, weight) in found.items() if index in data}


def _keys(name: str) -> tuple[str, str]:
    slug = name.replace("-", "_")
    return f"motif_{slug}_index", f"motif_{slug}_weight"


def _structure(data: Data, chosen: Tensor | None) -> Graph:
    index, weight = data.edge_index, data.get("edge_weight")
    if chosen is not None:
        index, weight = index[:, chosen], None if weight is None else weight[chosen]
    if weight is None:
        return as_graph((index, data.num_nodes))
    rows, cols = index.cpu().numpy()
    return build_graph(rows, cols, weight.detach().cpu().double().numpy(), data.num_nodes)


def _to_tensors(matrix: sparse.csr_array) -> tuple[Tensor, Tensor]:
    """Index and weights, with rows ascending, so that a batch of them needs no sorting."""
    tensor = to_torch(matrix)
    return tensor.indices(), tensor.values()
