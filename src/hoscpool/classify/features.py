"""What the structure says about a node ("dense-feat"), so that nodes of the same label can be told apart."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hoscpool.graph import Graph
from hoscpool.motifs import motif_adjacency

NAMES = ("log degree", "log triangles", "clustering coefficient", "mean log degree of the neighbours")


def structural_features(graph: Graph) -> npt.NDArray[np.float32]:
    """Four numbers a node, those of `NAMES`, ``[N, 4]``; weights do not count.

    Examples:
        >>> import networkx as nx
        >>> from hoscpool.graph import as_graph
        >>> structural_features(as_graph(nx.complete_graph(3)))[0].round(2)
        array([1.1 , 0.69, 1.  , 1.1 ], dtype=float32)
    """
    joined = (graph.adjacency != 0).astype(np.float64)
    degree = np.asarray(joined.sum(axis=1))
    triangles = np.asarray(motif_adjacency(graph, "triangle").sum(axis=1)) / 2  # each is seen along two edges
    pairs = degree * (degree - 1) / 2
    coefficient = np.divide(triangles, pairs, out=np.zeros_like(degree), where=pairs > 0)
    around = np.divide(joined @ np.log1p(degree), degree, out=np.zeros_like(degree), where=degree > 0)
    return np.stack([np.log1p(degree), np.log1p(triangles), coefficient, around], axis=1).astype(np.float32)
