"""``hoscpool bench cluster``: communities, compared with Leiden, Louvain, METIS and spectral clustering."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hoscpool.bench.harness.cases import Case

HELP = "compare clusters and their time with Leiden, Louvain, METIS and spectral clustering"

METHOD = """\
Every contender clusters the bare structure of a graph. Times are processor time of the whole call on one thread. For
HoscPool this is the whole `fit`: counting motifs, all set-up, the search, and soft memberships. A peer starts from its
own data structure and stops at its labels.

- HoscPool: `HoscClustering(K, solver="multilevel")`. HoscPool, default: `HoscClustering(K)`.
- igraph Leiden: `community_leiden` on modularity, two iterations (its default).
- NetworKit: `PLM` with refinement, and `ParallelLeiden`, three iterations (its default).
- scikit-network: `Louvain`. METIS: `part_graph` of pymetis. scikit-learn: `SpectralClustering`, not on the planted
  graphs, where it takes too long.

**They solve different problems.** HoscPool, METIS and spectral clustering are told K, here the number of classes.
Leiden and Louvain choose K by modularity. Where K differs, do not compare cuts, because more clusters cut more. So on
the real graphs there are further tables in which HoscPool and METIS are told the K that a peer chose.

*F*: the objective of HoscPool (edge and triangle at half weight, μ = 0.1; low is good). *φ*: mean conductance of the
clusters, of edges and of triangles (low is good). *NMI*: agreement with the classes, which no contender sees.

Planted graphs have 47 communities. Mixing is the share of edges between communities; closure sets the density of
triangles (0.8 if not stated). LFR graphs have mean degree 20 and communities of 50 to 1,000 nodes. Development used
graphs of the planted kind with other seeds."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this suite."""
    parser.add_argument("--graphs", metavar="A,B", help="graphs to run on (default: twelve of them)")
    parser.add_argument("--peers", metavar="A,B", help="peers to run against (default: all)")
    parser.add_argument("--no-default", action="store_true", help="without the default fit, which may take minutes")


def cases(args: argparse.Namespace) -> Iterator[Case]:
    """The cases that the options ask for.

    Raises:
        ValueError: A graph or a peer is not known.
    """
    from hoscpool.bench.graphs.labelled_graphs import DEFAULT_LABELLED, LABELLED, QUICK_LABELLED
    from hoscpool.bench.suites.cluster_cases import PEERS, cluster_cases
    from hoscpool.support.names import parse_names

    usual = QUICK_LABELLED if args.quick else DEFAULT_LABELLED
    graphs = parse_names("--graphs", args.graphs, tuple(LABELLED), usual)
    peers = parse_names("--peers", args.peers, tuple(PEERS), tuple(PEERS))
    return cluster_cases(graphs, tuple(peers), args.threads, not args.no_default)
