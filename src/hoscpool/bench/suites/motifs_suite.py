"""``hoscpool bench motifs``: motif adjacency, compared with libraries that count motifs."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hoscpool.bench.harness.cases import Case

HELP = "compare motif adjacency with SciPy, GraphBLAS, NetworKit, igraph, motifcluster and ORCA"

METHOD = """\
**Triangle.** Every contender counts the triangles that contain each edge. HoscPool returns the motif adjacency
matrix, and all of its set-up is timed (ordering, both halves of the matrix). A peer starts from its own data structure
and stops at its own result.

- SciPy: `(A @ A).multiply(A)`.
- GraphBLAS: `plus_pair(A @ A.T)` masked by the upper triangle, on most of these graphs the fastest of its forms.
- NetworKit: `TriangleEdgeScore` and `ChibaNishizekiTriangleEdgeScore`, without reading the scores out.
- igraph: `list_triangles`, then a count per edge.
- motifcluster: motif M4.

**clique4 + cycle4.** ORCA counts the edge orbits of four-node graphlets in its compiled function. We make one call of
`motif_adjacencies` (`clique4` and `cycle4`, induced) with `on_edges=True`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this suite."""
    parser.add_argument("--graphs", metavar="A,B", help="graphs to run on (default: all but the large one)")
    parser.add_argument("--peers", metavar="A,B", help="peers to run against (default: all)")
    parser.add_argument("--large", action="store_true", help="also the planted graph of 62 million edges, ours alone")


def cases(args: argparse.Namespace) -> Iterator[Case]:
    """The cases that the options ask for.

    Raises:
        ValueError: A graph or a peer is not known.
    """
    from hoscpool.bench.graphs.recipes import DEFAULT, GRAPHS, LARGE, QUICK
    from hoscpool.bench.suites.motif_cases import PEERS, motif_cases
    from hoscpool.support.names import parse_names

    small = tuple(name for name in GRAPHS if name not in LARGE)
    graphs = parse_names("--graphs", args.graphs, small, QUICK if args.quick else DEFAULT)
    peers = parse_names("--peers", args.peers, PEERS, PEERS)
    return motif_cases(graphs, peers, args.threads, LARGE if args.large else ())
