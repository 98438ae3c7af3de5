"""Counts of nodes in the orbits of small subgraphs, from the closed forms of their roles.

The closed forms count subgraphs. A role of an induced subgraph contains a fixed number of roles of sparser subgraphs.
So the induced counts follow by elimination, from the densest to the sparsest.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from hoscpool.graph import Graph
from hoscpool.motifs.catalog import get_motif
from hoscpool.motifs.counting.closed_forms import ClosedCounts
from hoscpool.motifs.counting.skeleton import IntArray, Skeleton
from hoscpool.motifs.relations import automorphisms, embeddings
from hoscpool.support.threads import resolve_threads

ORBITS = (
    ("edge", 0), ("wedge", 1), ("wedge", 0), ("triangle", 0), ("path4", 0), ("path4", 1), ("star4", 1), ("star4", 0),
    ("cycle4", 0), ("tailed-triangle", 3), ("tailed-triangle", 1), ("tailed-triangle", 0), ("diamond", 2),
    ("diamond", 0), ("clique4", 0),
)  # fmt: skip
"""Motif and role of every orbit, in the numbering of ORCA (Hocevar & Demsar 2014)."""


@cache
def _copies(orbit: tuple[str, int], host: tuple[str, int]) -> int:
    """Number of subgraphs of the host's motif in which the host's role has this orbit's role."""
    (name, role), (host_name, host_role) = orbit, host
    motif, larger = get_motif(name), get_motif(host_name)
    if motif.num_nodes != larger.num_nodes:
        return 0
    fitting = sum(places[role] == host_role for places in embeddings(motif, larger))
    return fitting // sum(places[role] == role for places in automorphisms(motif))


def orbit_counts(graph: Graph, n_threads: int | None = None) -> list[IntArray]:
    """The number of induced subgraphs in which every node has each of the `ORBITS`, 15 arrays ``[N]``.

    Args:
        graph: An undirected graph.
        n_threads: Number of threads. Default: one per core.
    """
    closed = ClosedCounts(Skeleton(graph, resolve_threads(n_threads)))
    closed.prepare([get_motif("diamond"), get_motif("clique4")], induced=True)
    found: dict[tuple[str, int], IntArray] = {}
    for orbit in sorted(ORBITS, key=lambda orbit: -len(get_motif(orbit[0]).edges)):
        total = closed.at_role(*orbit)
        for denser, count in found.items():
            total = total - _copies(orbit, denser) * count
        found[orbit] = np.asarray(total)
    return [found[orbit] for orbit in ORBITS]
