"""The motifs as data: one entry a motif; everything else in the library reads this table."""

from __future__ import annotations

from dataclasses import dataclass

from hoscpool.support.errors import nearest

Edges = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Motif:
    """A small connected graph whose instances are looked for in a large one.

    Attributes:
        name: The name to ask for it by.
        num_nodes: Number of nodes; they are the roles 0 … num_nodes−1.
        edges: Pairs of roles; arcs (tail, head) when the motif is directed.
        is_directed: Whether directions matter.
        description: One line for tables and ``--help``.
    """

    name: str
    num_nodes: int
    edges: Edges
    is_directed: bool
    description: str


def _undirected(name: str, num_nodes: int, edges: Edges, description: str) -> Motif:
    return Motif(name, num_nodes, edges, is_directed=False, description=description)


def _directed(name: str, edges: Edges, description: str) -> Motif:
    return Motif(name, 3, edges, is_directed=True, description=description)


# M1 … M13 are numbered as in Benson, Gleich & Leskovec, "Higher-order organization of complex networks" (2016).
_CATALOG = (
    _undirected("edge", 2, ((0, 1),), "two joined nodes"),
    _undirected("wedge", 3, ((0, 1), (0, 2)), "a path of three nodes; role 0 is the centre"),
    _undirected("triangle", 3, ((0, 1), (0, 2), (1, 2)), "three nodes, all joined"),
    _undirected("star4", 4, ((0, 1), (0, 2), (0, 3)), "a centre (role 0) with three leaves"),
    _undirected("path4", 4, ((0, 1), (1, 2), (2, 3)), "a path of four nodes, in order"),
    _undirected("tailed-triangle", 4, ((0, 1), (0, 2), (1, 2), (0, 3)), "a triangle with a tail (role 3) at role 0"),
    _undirected("cycle4", 4, ((0, 1), (1, 2), (2, 3), (0, 3)), "a cycle of four nodes, in order"),
    _undirected("diamond", 4, ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3)), "two triangles that share the edge 0–1"),
    _undirected("clique4", 4, ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)), "four nodes, all joined"),
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
)
MOTIFS = {motif.name: motif for motif in _CATALOG}


def list_motifs() -> list[str]:
    """The names of all motifs of the catalogue.

    Examples:
        >>> list_motifs()[:4]
        ['edge', 'wedge', 'triangle', 'star4']
    """
    return list(MOTIFS)


def get_motif(motif: str | Motif) -> Motif:
    """The catalogue entry of that name.

    Raises:
        ValueError: There is no such motif; the message lists the valid names.
    """
    if isinstance(motif, Motif):
        if MOTIFS.get(motif.name) != motif:
            raise ValueError(f"motif {motif.name!r} is not in the catalogue; valid motifs: {', '.join(MOTIFS)}")
        return motif
    if motif in MOTIFS:
        return MOTIFS[motif]
    close = nearest(motif, MOTIFS)
    hint = "" if close is None else f" Did you mean {close!r}?"
    raise ValueError(f"unknown motif {motif!r}.{hint} Valid motifs: {', '.join(MOTIFS)}")


def family(motif: Motif) -> tuple[Motif, ...]:
    """All catalogue motifs with as many nodes, directed or not alike: every connected graph of that kind."""
    return tuple(m for m in _CATALOG if (m.num_nodes, m.is_directed) == (motif.num_nodes, motif.is_directed))
