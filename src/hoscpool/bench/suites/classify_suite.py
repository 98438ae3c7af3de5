"""``hoscpool bench classify``: a training epoch of the graph classifier against the usual ways to write it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hoscpool.support.names import positive_int

if TYPE_CHECKING:
    from hoscpool.bench.harness.cases import Case

HELP = "a training epoch of the graph classifier against the dense form and torch-geometric-pool"

METHOD = """\
One call is one training epoch of GNN – HoscPool – GNN – HoscPool – GNN – mean – dense ×2 (32 units, Adam, gradients
clipped), forward and backward, with its own batching; K = int(0.25 · mean number of nodes), then int(0.25 · K). Reading
the files and what is done once per dataset (for us: collating, counting triangles, merging like nodes) is not timed.
Of DD and REDDIT-B a sample of 200 training graphs is used, in batches of 8, because padded matrices of their
largest graphs take gigabytes; the others run in batches of 32, our default, and of 64.

textbook, dense: every graph padded to the largest of its batch, A² ⊙ A computed in every step, degrees as diagonal
matrices, in the manner of PyG's `dense_mincut_pool`; PyG's `DataLoader`. It starts from our parameters, and the losses
of the first batch are compared. torch-geometric-pool: its `HOSCPooling` in both modes (the second pool, on coarsened
graphs, is batched in either); its cut over three-step walks is another loss than the paper's, so no values are
compared. Where torch-scatter, which it imports, is not installed, a stand-in of torch's own `scatter_add_` and
`scatter_reduce` takes its place; the last column says so."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this suite."""
    parser.add_argument("--datasets", metavar="A,B", help="datasets (default: proteins,nci1,dd,reddit-b)")
    parser.add_argument("--peers", metavar="A,B", help="dense, tgp-batched, tgp-unbatched (default: all)")
    parser.add_argument(
        "--batch-size", type=positive_int, metavar="N", help="graphs in a batch (default: 32 and 64; 8 for two)"
    )
    parser.add_argument("--clusters-from", default="mean", choices=("mean", "largest"), help="size that K is taken of")


def cases(args: argparse.Namespace) -> Iterator[Case]:
    """The cases that the options ask for.

    Raises:
        ValueError: A dataset or a peer is not known.
    """
    from hoscpool.bench.suites.classify_cases import DATASETS, DEFAULT, PEERS, QUICK, classify_cases
    from hoscpool.support.names import parse_names

    datasets = parse_names("--datasets", args.datasets, tuple(DATASETS), QUICK if args.quick else DEFAULT)
    chosen = parse_names("--peers", args.peers, tuple(PEERS), tuple(PEERS))
    return classify_cases(datasets, chosen, args.threads, args.batch_size, args.clusters_from)
