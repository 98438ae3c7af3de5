"""``hoscpool bench fit``: a clustering trained as in the paper, sparse compared with dense."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hoscpool.support.names import positive_int

if TYPE_CHECKING:
    from hoscpool.bench.harness.cases import Case

HELP = "compare a fit of the paper's clustering with the dense textbook form and torch-geometric-pool"

METHOD = """\
Both sides train the network of the paper (GraphConv with skip, 32 units; perceptron, 32 units; softmax) with K = number
of classes, the paper's loss with edge and triangle at half weight, μ = 0.1, Adam at 0.001, and gradients clipped at 2.
Both begin with the same parameters. The losses of their first five epochs are compared. (Later epochs differ by
rounding: on PC the dense form is 2e-4 away from double precision after eight epochs, ours 3e-6.)

A whole fit is the motif matrix and 500 epochs. On larger graphs the dense form would take an hour. There its two parts
are measured separately: the work before training, and a few epochs. The ratio of 500 epochs lies between the two.

- dense: features, A and (A A) ⊙ A are full matrices, and the cut is the diagonal of `S.T @ A @ S`. X Θ comes before the
  product with A, which is faster than the order of PyG's dense layer.
- torch-geometric-pool: its `HOSCPooling` behind the same convolution (X Θ first, then a sum over the neighbours by PyG)
  and with the same perceptron; features are dense. Its cut uses three-step walks. This differs from the paper's loss,
  so only time and memory are compared. unbatched: sparse. batched: dense matrices with A³ in every epoch, so one epoch
  only; where five such matrices do not fit in memory, the table says so. It imports torch-scatter. If that is not
  installed, a stand-in made of torch's own `scatter_add_` and `scatter_reduce` replaces it; the last column says so."""


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
