"""Where a layer gets its motif adjacency matrices from: the batch, the graph itself, or a dense formula."""

from __future__ import annotations

import warnings

from hoscpool.errors import GraphWarning
from hoscpool.motifs import get_motif, motif_adjacency
from hoscpool.nn.base import Motifs
from hoscpool.nn.dense_motifs import dense_motif_adjacency
from hoscpool.nn.graphs import GraphBatch
from hoscpool.nn.scale import scale_dense, scale_weights
from hoscpool.objectives import Adjacency, wedge_operator


def motif_matrix(graph: GraphBatch, name: str, given: Motifs | None, *, on_edges: bool) -> Adjacency:
    """A_M of a batch of graphs as an operator.

    Unweighted graphs give counts; on weighted ones every instance counts with the product of its edge weights, which is
    A² ⊙ A for triangles, in either storage. Graphs whose weights are far from 1 are scaled before, see
    `hoscpool.nn.scale`.

    Args:
        graph: The graphs.
        name: The motif.
        given: Matrices that came with the batch (`AddMotifs`); when left out they are computed and kept with
            ``edge_index``.
        on_edges: Keep only pairs of joined nodes.

    Raises:
        ValueError: Matrices came with the batch, but not this one.
    """
    if name == "edge":
        return graph.adjacency
    if graph.matrices is not None:
        return graph.matrices[name]
    if graph.dense is not None:
        weights = graph.dense if graph.is_pooled else scale_dense(graph.dense)
        matrix = dense_motif_adjacency(weights, name, on_edges=on_edges, is_pooled=graph.is_pooled)
        return graph.to_adjacency(matrix)
    if name == "wedge" and not on_edges and not graph.structure.is_weighted:
        # its full matrix joins all pairs two steps apart
        return graph.keep("wedge operator", lambda: wedge_operator(graph.adjacency))
    if given is None:
        return graph.keep(f"motif {name} {on_edges}", lambda: _compute(graph, name, on_edges))
    if name not in given:
        raise ValueError(
            f"motifs: expected the matrix of {name!r}, which this layer uses, got {', '.join(given) or 'none'}; "
            f"add it to AddMotifs, or leave motifs out to have it computed"
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
