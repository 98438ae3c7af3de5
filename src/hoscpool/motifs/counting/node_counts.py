"""Number of instances of an undirected motif at every node, in closed form.

The letters are those of `undirected`: degrees d, triangles t on an edge, and so on. Each motif has a term for every
kind of place that a node can take in an instance. Induced counts are the same combination of subgraph counts as for the
matrices, because both depend only on the instance's nodes.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from hoscpool.graph import Graph
from hoscpool.motifs import Motif
from hoscpool.motifs.counting.counts import Counts, choose2, choose3
from hoscpool.motifs.counting.skeleton import IntArray, Skeleton
from hoscpool.motifs.relations import subgraph_coefficients
from hoscpool.support.threads import resolve_threads


def node_counts(graph: Graph, motif: Motif, induced: bool = False) -> npt.NDArray[np.int64]:
    """Number of instances that contain each node, ``[N]``.

    Args:
        graph: An undirected graph.
        motif: An undirected motif of the catalogue.
        induced: Count only instances with no further edges among their nodes.

    Examples:
        >>> from hoscpool.graph import as_graph
        >>> from hoscpool.motifs import get_motif
        >>> star = as_graph(np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]]))
        >>> node_counts(star, get_motif("edge")), node_counts(star, get_motif("wedge"))
        (array([2, 1, 1]), array([1, 1, 1]))
    """
    counts = Counts(Skeleton(graph, resolve_threads(None)))
    coefficients = subgraph_coefficients(motif, induced)
    return np.asarray(sum(c * _AT_NODES[name](counts) for name, c in coefficients.items()), dtype=np.int64)


def _from_neighbours(c: Counts, node_values: IntArray) -> IntArray:
    """Σ of a node value over the neighbours of each node."""
    total = np.zeros_like(c.degree)
    np.add.at(total, c.skeleton.source, node_values[c.skeleton.target])
    np.add.at(total, c.skeleton.target, node_values[c.skeleton.source])
    return total


def _towards_neighbours(c: Counts, edge_values: IntArray, node_values: IntArray) -> IntArray:
    """Σ over the edges of each node of the edge's value times the other end's."""
    total = np.zeros_like(c.degree)
    np.add.at(total, c.skeleton.source, edge_values * node_values[c.skeleton.target])
    np.add.at(total, c.skeleton.target, edge_values * node_values[c.skeleton.source])
    return total


def _wedge(c: Counts) -> IntArray:
    return choose2(c.degree) + _from_neighbours(c, c.degree - 1)  # centre; leaf


def _star4(c: Counts) -> IntArray:
    return choose3(c.degree) + _from_neighbours(c, choose2(c.degree - 1))  # centre; leaf


def _path4(c: Counts) -> IntArray:
    middle = c.at_nodes(c.d_product - c.t)
    two_steps = _from_neighbours(c, _from_neighbours(c, c.degree - 1))
    return middle + two_steps - c.degree * (c.degree - 1) - 2 * c.triangles_at  # an end: i–j–k–l with k ≠ i, l ≠ i


def _tailed_triangle(c: Counts) -> IntArray:
    centre = c.triangles_at * (c.degree - 2)
    corner = _towards_neighbours(c, c.t, c.degree - 2)
    tail = _from_neighbours(c, c.triangles_at) - 2 * c.triangles_at
    return centre + corner + tail


def _diamond(c: Counts) -> IntArray:
    hinge = c.at_nodes(c.t_pairs)
    opposite = (c.at_nodes(c.t_beside) - c.at_nodes(c.t**2)) // 2  # Σ of t_jk over the triangles i, j, k at i
    return hinge + opposite - c.triangles_at


_AT_NODES: dict[str, Callable[[Counts], IntArray]] = {
    "edge": lambda c: c.degree,
    "wedge": _wedge,
    "triangle": lambda c: c.triangles_at,
    "star4": _star4,
    "path4": _path4,
    "tailed-triangle": _tailed_triangle,
    "cycle4": lambda c: c.at_nodes(c.q) // 2,
    "diamond": _diamond,
    "clique4": lambda c: c.at_nodes(c.k) // 3,
}
