"""``hoscpool bench classify``: a training epoch of the graph classifier, compared with the usual ways to write it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hoscpool.support.names import positive_int

if TYPE_CHECKING:
    from hoscpool.bench.harness.cases import Case

HELP = "compare a training epoch of the graph classifier with the dense form and torch-geometric-pool"

METHOD = """\
One call is one training epoch of GNN – HoscPool – GNN – HoscPool – GNN – mean – dense ×2 (32 units, Adam, gradients
clipped), forward and backward, with its own batching. K = int(0.25 · mean number of nodes), then int(0.25 · K). Reading
the files is not timed. Work that is done once per dataset (for us: collating, counting triangles, merging equal nodes)
is not timed either. DD and REDDIT-B use a sample of 200 training graphs in batches of 8, because padded matrices of
their largest graphs take gigabytes. The others run in batches of 32, our default, and of 64.

- textbook, dense: every graph is padded to the largest of its batch, A² ⊙ A is computed in every step, and degrees are
  diagonal matrices, as in PyG's `dense_mincut_pool`. It uses PyG's `DataLoader`. It starts from our parameters, and the
  losses of the first batch are compared.
- torch-geometric-pool: its `HOSCPooling` in both modes. (The second pool works on coarsened graphs and is batched in
  both.) Its cut uses three-step walks. This is another loss than the paper's, so no values are compared. It imports
  torch-scatter. If that is not installed, a stand-in made of torch's own `scatter_add_` and `scatter_reduce` replaces
  it; the last column says so."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this suite."""
    parser.add_argument("--datasets", metavar="A,B", help="datasets (default: proteins,nci1,dd,reddit-b)")
    parser.add_argument("--peers", metavar="A,B", help="dense, tgp-batched, tgp-unbatched (default: all)")
    parser.add_argument(
        "--batch-size", type=positive_int, metavar="N", help="graphs in a batch (default: 32 and 64; 8 for two)"
    )
    parser.add_argument(
        "--clusters-from", default="mean", choices=("mean", "largest"), help="graph size that K is computed from"
    )


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
