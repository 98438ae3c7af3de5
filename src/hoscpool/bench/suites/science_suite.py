"""``hoscpool bench science``: own motifs, profiles, node counts, local clusters and the backend of NetworkX."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hoscpool.bench.harness.cases import Case

HELP = "compare node counts, own motifs, profiles and local clusters with ORCA, NetworkX and igraph"

METHOD = """\
**Node orbits.** `graphlet_degrees` and ORCA's compiled function count the 15 orbits of up to four nodes at every node.

**NetworkX's functions.** The peer is NetworkX itself. HoscPool runs as its backend, once on a converted graph (as
NetworkX caches it) and once with the conversion.

**Own motifs.** The peer is igraph's LAD. It lists all maps of a motif's nodes; we find every instance once. On a graph
of 10⁵ edges there is no peer: it would take hours.

**Higher-order clustering, hypergraph.** The peers are Python: NetworkX's list of all cliques, and igraph's list of
triangles put into a matrix.

**Profile.** Random graphs with the same degrees, and all directed motifs of three nodes in each of them; ten swaps per
edge. igraph rewires and takes its triad census, for a tenth of the samples. The random graphs differ, so no values are
compared.

**Local clusters.** The cluster around 100 random nodes, and its mean F1 against the known community of the node: by
triangles and by edges (`local_cluster`, with its defaults), and by exact personalised PageRank on edges with the same
sweep. Every table is one method, so that its F1 can be shown."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this suite."""
    parser.add_argument(
        "--tasks", metavar="A,B", help="tasks to run (default: all): orbits, networkx, own, profile, local"
    )
    parser.add_argument("--large", action="store_true", help="also a node of the planted graph of 62 million edges")


def cases(args: argparse.Namespace) -> Iterator[Case]:
    """The cases that the options ask for.

    Raises:
        ValueError: A task is not known.
    """
    from hoscpool.bench.suites.science_cases import TASKS, large_case
    from hoscpool.support.names import parse_names

    for task in parse_names("--tasks", args.tasks, tuple(TASKS), tuple(TASKS)):
        yield from TASKS[task](args.quick, max(args.threads))
    if args.large:
        yield large_case()
