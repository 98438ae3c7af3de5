"""Zachary's karate club, from NetworkX: needs no files."""

from __future__ import annotations

import networkx as nx
import numpy as np

from hoscpool.graph.build import build_graph
from hoscpool.graph.core import Graph


def karate() -> Graph:
    """The karate club: 34 members, 78 friendships, unweighted; the class is the club joined after the split.

    Class 0 stayed with the instructor ("Mr. Hi"), class 1 left with the officer. Two classes, as in the paper.

    Examples:
        >>> karate()
        Graph('karate': 34 nodes, 78 edges, undirected, 2 classes)
    """
    club = nx.karate_club_graph()
    rows, cols = np.array([*club.edges, *((v, u) for u, v in club.edges)]).T
    labels = np.array([int(club.nodes[node]["club"] == "Officer") for node in range(34)])
    return build_graph(rows, cols, None, 34, directed=False, labels=labels, name="karate")
