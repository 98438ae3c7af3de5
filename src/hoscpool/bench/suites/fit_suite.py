"""``hoscpool bench fit``: learning a clustering as the paper does, sparse against the textbook's dense form."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hoscpool.support.names import positive_int

if TYPE_CHECKING:
    from hoscpool.bench.harness.cases import Case

HELP = "a fit of the paper's clustering against the textbook's dense form and torch-geometric-pool, same network"

METHOD = """\
The network of the paper (GraphConv with skip, 32 units; perceptron, 32 units; softmax), K = number of classes, its loss
with edge and triangle at half weight, μ = 0.1, Adam at 0.001, gradients clipped at 2. Both sides begin with the same
parameters, and the losses of their first five epochs are compared (later rounding shows: on PC the dense form is 2e-4
away from double precision after eight epochs, ours 3e-6). dense: features, A and (A A) ⊙ A as full matrices,
the cut as the diagonal of `S.T @ A @ S`; X Θ comes before the product with A, which is faster than the order of PyG's
dense layer. A whole fit is the motif matrix and 500 epochs. On larger graphs the dense form would take an hour, so
its two halves are measured apart: what comes before training, and a few epochs of it; the ratio of 500 epochs lies
between the two.

torch-geometric-pool: its `HOSCPooling` behind the same convolution (X Θ first, then a sum over the neighbours by PyG)
and with the same perceptron, features dense. Its cut over three-step walks is another loss than the paper's, so only
time and memory are compared. unbatched: sparse. batched: dense matrices, A³ in every epoch, hence one epoch only; where
five such matrices do not fit in memory, the table says so. Where torch-scatter, which it imports, is not installed, a
stand-in of torch's own `scatter_add_` and `scatter_reduce` takes its place; the last column says so."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this suite."""
    parser.add_argument("--graphs", metavar="A,B", help="graphs to run on (default: cora,photo,pubmed,pc,cs)")
    parser.add_argument("--peers", metavar="A,B", help="dense, tgp-unbatched, tgp-batched (default: all)")
    parser.add_argument("--epochs", type=positive_int, default=500, metavar="N", help="epochs of a whole fit")
    parser.add_argument("--part-epochs", type=positive_int, default=10, metavar="N", help="epochs on larger graphs")


def cases(args: argparse.Namespace) -> Iterator[Case]:
    """The cases that the options ask for.

    Raises:
        ValueError: A graph or a peer is not known.
    """
    from hoscpool.bench.suites.fit_cases import DEFAULT, GRAPHS, PEERS, QUICK, fit_cases
    from hoscpool.support.names import parse_names

    graphs = parse_names("--graphs", args.graphs, tuple(GRAPHS), QUICK if args.quick else DEFAULT)
    chosen = parse_names("--peers", args.peers, PEERS, PEERS)
    return fit_cases(graphs, chosen, args.epochs, args.part_epochs, args.threads)
