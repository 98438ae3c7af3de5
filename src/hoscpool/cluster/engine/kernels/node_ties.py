"""What ties every node, and every cluster, to each cluster: memberships and the coarsened matrices in one pass."""

from __future__ import annotations

from typing import Any

import numpy as np

from hoscpool.cluster.engine.kernels.node_moves import gather_links
from hoscpool.cluster.engine.kernels.tables import Level
from hoscpool.support.compiled import compiled

Array = Any


@compiled()
def tie_nodes(
    level: Level,
    labels: Array,
    scale: Array,
    ahead: float,
    mass: Array,
    start: int,
    stop: int,
    small: Array,
    shares: Array,
    link: Array,
    seen: Array,
    found: Array,
) -> None:
    """Fill the memberships of nodes ``start`` to ``stop``, and add their rows to the coarsened matrices.

    Args:
        level: The graph.
        labels: Cluster of every node.
        scale: Weight of every matrix in the memberships, float64 ``[J]``.
        ahead: A node's own cluster leads every other one by this factor at least.
        mass: See `gather_links`; any array ``[K]``.
        start: The first node.
        stop: The node after the last.
        small: SᵀA^jS ``[J, K, K]``; added to here.
        shares: Memberships ``[N, K]``, all zero; written here.
        link: Scratch, see `make_scratch`.
        seen: Scratch that holds no node of the range.
        found: Scratch.
    """
    for i in range(start, stop):
        a = labels[i]
        count = gather_links(level, labels, mass, i, i, link, seen, found)
        own = 0.0
        for j in range(len(scale)):
            link[a, j] += level.loops[i, j]
            small[j, a, a] += link[a, j]
            own += scale[j] * link[a, j]
        total, rest = 0.0, 0.0
        for x in range(count):
            c = found[x]
            if c == a:
                continue
            tie = 0.0
            for j in range(len(scale)):
                small[j, a, c] += link[c, j]
                tie += scale[j] * link[c, j]
            shares[i, c] = tie
            total += tie
            rest = max(rest, tie)
        own = max(own, ahead * rest)
        total += own
        if total <= 0:
            shares[i, a] = 1
            continue
        for x in range(count):
            shares[i, found[x]] /= np.float32(total)
        shares[i, a] = own / total
