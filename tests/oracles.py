"""Slow, obvious implementations to compare with. They share no code with the library."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float64]

# Motifs written down once more, as adjacency matrices, so that a slip in the library's catalogue shows.
UNDIRECTED = {
    "edge": ["01", "10"],
    "wedge": ["011", "100", "100"],
    "triangle": ["011", "101", "110"],
    "star4": ["0111", "1000", "1000", "1000"],
    "path4": ["0100", "1010", "0101", "0010"],
    "tailed-triangle": ["0111", "1010", "1100", "1000"],
    "cycle4": ["0101", "1010", "0101", "1010"],
    "diamond": ["0111", "1011", "1100", "1100"],
    "clique4": ["0111", "1011", "1101", "1110"],
    "clique5": ["01111", "10111", "11011", "11101", "11110"],
}
# Rows are tails, columns heads; after the figure of Benson, Gleich & Leskovec (2016).
DIRECTED = {
    "M1": ["010", "001", "100"],
    "M2": ["011", "001", "100"],  # 0 ↔ 2, 0 → 1 → 2
    "M3": ["011", "101", "010"],  # 0 ↔ 1 ↔ 2, 0 → 2
    "M4": ["011", "101", "110"],
    "M5": ["011", "001", "000"],
    "M6": ["011", "001", "010"],
    "M7": ["000", "101", "110"],
    "M8": ["011", "000", "000"],
    "M9": ["010", "001", "000"],
    "M10": ["000", "100", "100"],
    "M11": ["011", "100", "000"],
    "M12": ["010", "100", "100"],
    "M13": ["011", "100", "100"],
    "mutual": ["01", "10"],
    "bifan": ["0011", "0011", "0000", "0000"],
    "biparallel": ["0110", "0001", "0001", "0000"],
}
# Motifs that the catalogue does not have.
NEW_UNDIRECTED = {
    "path5": ["01000", "10100", "01010", "00101", "00010"],
    "cycle5": ["01001", "10100", "01010", "00101", "10010"],
    "bowtie": ["01100", "10100", "11011", "00101", "00110"],
    "house": ["01011", "10101", "01010", "10100", "11000"],
    "star5": ["01111", "10000", "10000", "10000", "10000"],
    "path6": ["010000", "101000", "010100", "001010", "000101", "000010"],
    "square": ["0011", "0011", "1100", "1100"],  # the cycle of four nodes under another name, with other roles
}
NEW_DIRECTED = {
    "arc": ["01", "00"],
    "square-down": ["0000", "1010", "0000", "1010"],  # the bifan under another name, with other roles
    "chain4": ["0100", "0010", "0001", "0000"],
    "loop4": ["0100", "0010", "1001", "1000"],
    "feed-forward": ["000", "100", "110"],  # M5 under another name, with other roles
}


def motif_matrix(name: str) -> Matrix:
    rows = {**UNDIRECTED, **DIRECTED, **NEW_UNDIRECTED, **NEW_DIRECTED}[name]
    return np.array([[float(c) for c in row] for row in rows])


def instances(A: Matrix, name: str, induced: bool) -> set[frozenset[tuple[int, int]]]:
    """Every instance as the set of its arcs (both directions of an undirected edge), by trying all node orders."""
    M = motif_matrix(name)
    found = set()
    for nodes in permutations(range(len(A)), len(M)):
        part = A[np.ix_(nodes, nodes)] != 0
        if np.array_equal(part, M != 0) if induced else part[M != 0].all():
            found.add(frozenset((nodes[a], nodes[b]) for a, b in np.argwhere(M)))
    return found


def motif_adjacency(A: Matrix, name: str, induced: bool, weights: str | None = None) -> Matrix:
    """(A_M)_ij by adding every instance to all pairs of its nodes."""
    W = np.zeros_like(A, dtype=float)
    for arcs in instances(A, name, induced):
        values = [A[a, b] for a, b in arcs]
        value = {None: 1.0, "mean": np.mean(values), "product": np.prod(values)}[weights]
        if weights == "product" and name in {**UNDIRECTED, **NEW_UNDIRECTED}:
            value = np.sqrt(value)  # both directions of every edge are in the set
        for a, b in combinations({node for arc in arcs for node in arc}, 2):
            W[a, b] += value
            W[b, a] += value
    return W
