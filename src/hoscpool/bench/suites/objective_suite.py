"""``hoscpool bench objective``: the motif cut and its gradient, compared with the usual ways to write it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hoscpool.support.names import positive_ints

if TYPE_CHECKING:
    from hoscpool.bench.harness.cases import Case

HELP = "compare the cut loss and its gradient with torch (CSR, COO, gather/scatter, dense) and torch-geometric-pool"

METHOD = """\
One call computes the loss and its gradient with respect to the assignment, in single precision. The matrix is prepared
before. Losses and gradients are compared up to the rounding of single precision.

- torch CSR and COO: `torch.sparse.mm` and autograd.
- gather/scatter: the neighbours' rows by indexing, summed by `index_add` or by PyG's `scatter`.
- dense: the diagonal of `S.T @ A @ S`.
- torch-geometric-pool: its cut uses three-step walks. This is another loss than the paper's, so the values are not
  comparable. Both sides compute their whole objective (first-order cut, higher-order cut, orthogonality) and its
  gradient. Only the orthogonality term, which is the same equation, is compared. Our time does not include counting the
  triangles, which is done once per graph. It imports torch-scatter. If that is not installed, a stand-in of torch's
  own operations replaces it; the last column says so."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this suite."""
    parser.add_argument("--graphs", metavar="A,B", help="graphs to run on (default: pc,planted-10m)")
    parser.add_argument("--peers", metavar="A,B", help="peers to run against (default: all)")
    parser.add_argument("--clusters", type=positive_ints, metavar="8,16", help="numbers of clusters (default: 8,16,64)")


def cases(args: argparse.Namespace) -> Iterator[Case]:
    """The cases that the options ask for.

    Raises:
        ValueError: A graph or a peer is not known.
    """
    from hoscpool.bench.suites.objective_cases import DEFAULT, GRAPHS, PEERS, QUICK, objective_cases
    from hoscpool.support.names import parse_names

    graphs = parse_names("--graphs", args.graphs, tuple(GRAPHS), QUICK if args.quick else DEFAULT)
    known = (*PEERS, "tgp")
    peers = parse_names("--peers", args.peers, known, known)
    return objective_cases(graphs, peers, args.clusters or (8, 16, 64), args.threads)
