"""The motifs as data, one entry per motif. The rest of the library reads this table.

A new entry needs no other code: its instances are listed. A faster closed form is optional, see
`hoscpool.motifs.counting.closed_forms`.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from hoscpool.graph import svg_network
from hoscpool.support.colours import PALETTE
from hoscpool.support.html_tables import html_card, shown
from hoscpool.support.names import lookup

Edges = tuple[tuple[int, int], ...]

MAX_NODES = 8
"""Number of nodes of the largest motif. Larger ones have too many instances to list."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_RESERVED = re.compile(r"orthogonality|features|.*(batch|index).*")
"""Names of other losses, and words with a special meaning in the keys of a PyG batch, which stores motif matrices."""


@dataclass(frozen=True)
class Motif:
    """A small connected graph whose instances are counted in a large graph.

    Attributes:
        name: The name that users pass.
        num_nodes: Number of nodes. They are called roles, 0 … num_nodes−1.
        edges: Pairs of roles. In a directed motif they are arcs (tail, head).
        is_directed: Whether directions matter.
        description: One line for tables and ``--help``.
        anchors: The roles whose pairs count in a motif adjacency, ascending. ``None``: all roles.

    Raises:
        ValueError: The edges do not form a connected graph on these roles, an edge is a loop or repeated, the motif has
            more than 8 nodes, an anchor is no role of it, or its name has other characters than letters, digits and
            hyphens.
    """

    name: str
    num_nodes: int
    edges: Edges
    is_directed: bool
    description: str = field(compare=False)
    anchors: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"name: expected a letter, then letters, digits and hyphens, got {self.name!r}")
        if not 2 <= self.num_nodes <= MAX_NODES:
            raise ValueError(f"edges: expected a motif of 2 to {MAX_NODES} nodes, got {self.num_nodes} ({self.name})")
        seen: set[tuple[int, int]] = set()
        for edge in self.edges:
            if edge[0] == edge[1]:
                raise ValueError(f"edges: expected two different roles in every edge, got {edge} ({self.name})")
            if edge in seen:
                raise ValueError(f"edges: expected every edge once, got {edge} twice ({self.name})")
            seen |= {edge} if self.is_directed else {edge, edge[::-1]}
        if self._reached() != set(range(self.num_nodes)):
            roles = f"0 … {self.num_nodes - 1}"
            raise ValueError(f"edges: expected a connected graph on the roles {roles}, got {self.edges} ({self.name})")
        if self.anchors is not None and not {*self.anchors} <= {*range(self.num_nodes)}:
            roles = f"0 … {self.num_nodes - 1}"
            raise ValueError(f"anchors: expected roles of the motif, {roles}, got {self.anchors} ({self.name})")
        if self.anchors is not None and len({*self.anchors}) < 2:
            raise ValueError(
                f"anchors: expected at least two roles, because pairs of them count, got {self.anchors} ({self.name})"
            )

    def _repr_html_(self) -> str:
        """What a notebook shows: a picture and the description."""
        kind = "directed" if self.is_directed else "undirected"
        facts = [("nodes", self.num_nodes), ("edges", f"{len(self.edges)}, {kind}"), ("what it is", self.description)]
        return html_card(self.name, facts, self._picture(90))

    def _picture(self, size: int) -> str:
        angle = 2 * np.pi * np.arange(self.num_nodes) / self.num_nodes - np.pi / 2
        place = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        colours = [PALETTE[0]] * self.num_nodes
        roles = [str(role) for role in range(self.num_nodes)]
        return svg_network(place, list(self.edges), colours, roles, size, arrows=self.is_directed, bold=True)

    @classmethod
    def from_edges(
        cls,
        name: str,
        edges: Any,
        directed: bool | None = None,
        description: str = "",
        *,
        anchors: Iterable[Any] | None = None,
    ) -> Motif:
        """Build your own motif.

        Every function that counts motifs accepts it instead of a name. Call `register_motif` once to use it by name,
        in ``motifs={…}`` of a pool or an estimator and on the command line.

        Args:
            name: Letters, digits and hyphens.
            edges: Pairs of roles 0 … n−1, or a NetworkX graph. In a directed motif they are arcs (tail, head). The
                nodes of a NetworkX graph become the roles 0 … n−1 in their order.
            directed: Whether directions matter. Default: as the NetworkX graph, and ``False`` for pairs.
            description: One line for tables. Default: the number of nodes and edges, and the motif of the catalogue
                that has the same shape, if there is one. It is counted as fast as that one.
            anchors: Roles (nodes of the NetworkX graph). Only pairs of anchors count then in the motif adjacency, and
                only anchors in node counts (Benson, Gleich & Leskovec 2016). An instance is a subgraph with its
                anchors: a triangle with two anchors has three instances on the same three nodes.

        Raises:
            ValueError: As in `Motif`.

        Examples:
            >>> import networkx as nx
            >>> from hoscpool import motif_adjacency, motif_count
            >>> bowtie = Motif.from_edges("bowtie", [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)])
            >>> motif_count(nx.complete_graph(5), bowtie)
            15
            >>> ends = Motif.from_edges("path-ends", nx.path_graph("abc"), anchors=["a", "c"])
            >>> motif_adjacency(nx.star_graph(2), ends).toarray()
            array([[0, 0, 0],
                   [0, 0, 1],
                   [0, 1, 0]])
        """
        chosen = None if anchors is None else list(anchors)
        if hasattr(edges, "edges") and hasattr(edges, "is_directed"):
            edges, directed, chosen = _roles_of(edges, directed, chosen, name)
        try:
            pairs = tuple((operator.index(a), operator.index(b)) for a, b in edges)
        except (TypeError, ValueError):
            raise ValueError(f"edges: expected pairs of whole numbers, got {edges!r} ({name})") from None
        num_nodes = len({role for pair in pairs for role in pair})
        described = description or f"{num_nodes} nodes, {len(pairs)} {'arcs' if directed else 'edges'}"
        roles = None if chosen is None else _sorted_roles(chosen, name)
        motif = cls(name, num_nodes, pairs, bool(directed), described, roles)
        return motif if description else replace(motif, description=described + _also_known(motif))

    @cached_property
    def arcs(self) -> frozenset[tuple[int, int]]:
        """The edges as ordered pairs of roles. An undirected edge gives both orders."""
        return frozenset(self.edges if self.is_directed else (*self.edges, *((b, a) for a, b in self.edges)))

    @property
    def members(self) -> tuple[int, ...]:
        """The roles that count: the anchors, or all."""
        return tuple(range(self.num_nodes)) if self.anchors is None else self.anchors

    def is_joined(self, first: int, second: int) -> bool:
        """Whether there is an edge between two roles, in either direction."""
        return (first, second) in self.arcs or (second, first) in self.arcs

    def _reached(self) -> set[int]:
        """The roles that are connected with the first edge."""
        found = set(self.edges[0]) if self.edges else set()
        for _ in self.edges:
            found = found.union(*(edge for edge in self.edges if found.intersection(edge)))
        return found


def _roles_of(graph: Any, directed: bool | None, anchors: list[Any] | None, name: str) -> tuple[Any, bool, Any]:
    """Edges, direction and anchors of a NetworkX graph, with its nodes numbered in their order."""
    role = {node: number for number, node in enumerate(graph.nodes)}
    if lone := [node for node in graph.nodes if not graph.degree(node)]:
        raise ValueError(f"edges: expected a connected graph, got {lone[0]!r} without an edge ({name})")
    if unknown := [node for node in anchors or () if node not in role]:
        raise ValueError(
            f"anchors: expected nodes of the motif, {', '.join(map(str, role))}, got {unknown[0]!r} ({name})"
        )
    arcs = [(role[edge[0]], role[edge[1]]) for edge in graph.edges]
    if directed and not graph.is_directed():
        arcs += [(b, a) for a, b in arcs]
    if directed is False and graph.is_directed():
        arcs = sorted({(min(arc), max(arc)) for arc in arcs})
    is_directed = graph.is_directed() if directed is None else directed
    return arcs, is_directed, None if anchors is None else [role[node] for node in anchors]


def _also_known(motif: Motif) -> str:
    """The end of the description of a motif that the catalogue has under another name."""
    from hoscpool.motifs.relations import of_same_shape

    known = of_same_shape(motif, MOTIFS.values())
    return "" if known is None or known.name == motif.name else f", the same as {known.name}"


def _sorted_roles(anchors: list[Any], name: str) -> tuple[int, ...]:
    try:
        return tuple(sorted({operator.index(anchor) for anchor in anchors}))
    except TypeError:
        raise ValueError(f"anchors: expected roles of the motif, got {anchors!r} ({name})") from None


def _undirected(name: str, edges: Edges, description: str) -> Motif:
    return Motif.from_edges(name, edges, directed=False, description=description)


def _directed(name: str, edges: Edges, description: str) -> Motif:
    return Motif.from_edges(name, edges, directed=True, description=description)


# M1 … M13 are numbered as in Benson, Gleich & Leskovec, "Higher-order organization of complex networks" (2016).
_CATALOG = (
    _undirected("edge", ((0, 1),), "two joined nodes"),
    _undirected("wedge", ((0, 1), (0, 2)), "a path of three nodes; role 0 is the centre"),
    _undirected("triangle", ((0, 1), (0, 2), (1, 2)), "three nodes, all joined"),
    _undirected("star4", ((0, 1), (0, 2), (0, 3)), "a centre (role 0) with three leaves"),
    _undirected("path4", ((0, 1), (1, 2), (2, 3)), "a path of four nodes, in order"),
    _undirected("tailed-triangle", ((0, 1), (0, 2), (1, 2), (0, 3)), "a triangle with a tail (role 3) at role 0"),
    _undirected("cycle4", ((0, 1), (1, 2), (2, 3), (0, 3)), "a cycle of four nodes, in order"),
    _undirected("diamond", ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3)), "two triangles that share the edge 0–1"),
    _undirected("clique4", ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)), "four nodes, all joined"),
    _undirected("clique5", tuple(combinations(range(5), 2)), "five nodes, all joined"),
    _directed("M1", ((0, 1), (1, 2), (2, 0)), "directed cycle"),
    _directed("M2", ((0, 1), (1, 2), (2, 0), (1, 0)), "directed cycle, one edge mutual"),
    _directed("M3", ((0, 1), (1, 0), (1, 2), (2, 1), (2, 0)), "triangle, two edges mutual"),
    _directed("M4", ((0, 1), (1, 0), (1, 2), (2, 1), (2, 0), (0, 2)), "triangle, all edges mutual"),
    _directed("M5", ((0, 1), (0, 2), (1, 2)), "feed-forward loop"),
    _directed("M6", ((0, 1), (0, 2), (1, 2), (2, 1)), "one node points at both ends of a mutual edge"),
    _directed("M7", ((1, 0), (2, 0), (1, 2), (2, 1)), "both ends of a mutual edge point at one node"),
    _directed("M8", ((0, 1), (0, 2)), "one node points at two others"),
    _directed("M9", ((1, 0), (0, 2)), "directed path; role 0 is the middle"),
    _directed("M10", ((1, 0), (2, 0)), "two nodes point at a third"),
    _directed("M11", ((0, 1), (1, 0), (0, 2)), "mutual edge, and one out of its end"),
    _directed("M12", ((0, 1), (1, 0), (2, 0)), "mutual edge, and one into its end"),
    _directed("M13", ((0, 1), (1, 0), (0, 2), (2, 0)), "two mutual edges"),
    _directed("mutual", ((0, 1), (1, 0)), "two nodes that point at each other"),
    _directed("bifan", ((0, 2), (0, 3), (1, 2), (1, 3)), "two nodes (0, 1) that both point at two others"),
    _directed("biparallel", ((0, 1), (0, 2), (1, 3), (2, 3)), "two ways of two arcs from one node to another"),
)
MOTIFS = {motif.name: motif for motif in _CATALOG}
ALIASES = {"feed-forward-loop": "M5", "butterfly": "cycle4"}
"""Other names of motifs. In a bipartite graph a cycle of four nodes is called a butterfly."""


class MotifNames(list[str]):
    """Names of motifs. In a notebook they show themselves as a table with pictures."""

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{shown(name)}</td><td>{MOTIFS[name]._picture(64)}</td>"
            f"<td style='text-align:left'>{shown(MOTIFS[name].description)}</td></tr>"
            for name in self
        )
        return f"<table><thead><tr><th>motif</th><th></th><th>what it is</th></tr></thead><tbody>{rows}</tbody></table>"


def list_motifs() -> list[str]:
    """The names of all motifs in the catalogue.

    Examples:
        >>> list_motifs()[:4]
        ['edge', 'wedge', 'triangle', 'star4']
    """
    return MotifNames(MOTIFS)


def register_motif(motif: Motif) -> Motif:
    """Add a motif to the catalogue of this process. All functions and the command line then accept its name.

    Returns:
        The motif.

    Raises:
        ValueError: Another motif has that name, or the name is reserved.
    """
    if _RESERVED.fullmatch(motif.name) or motif.name in ALIASES:
        raise ValueError(f"name: expected a name that is not reserved, got {motif.name!r}; choose a different one")
    return MOTIFS.setdefault(motif.name, get_motif(motif))


def get_motif(motif: str | Motif) -> Motif:
    """The motif of that name, or of that alias. A `Motif` is returned unchanged.

    Raises:
        ValueError: There is no such motif (the message lists the valid names), or another motif has this name.
    """
    if not isinstance(motif, Motif):
        return lookup(ALIASES.get(motif, motif), MOTIFS, "motif")
    if MOTIFS.get(motif.name, motif) != motif:
        raise ValueError(f"motif {motif.name!r}: another motif of the catalogue has that name; choose a different one")
    return motif


def motif_name(motif: str | Motif) -> str:
    """The name of a motif in the catalogue.

    Raises:
        ValueError: It is not in the catalogue.
    """
    name = get_motif(motif).name
    if name not in MOTIFS:
        raise ValueError(f"motif {name!r} is not in the catalogue; add it with hoscpool.motifs.register_motif first")
    return name
