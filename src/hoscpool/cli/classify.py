"""``hoscpool classify``: graph classification over several splits, with a report."""

from __future__ import annotations

import argparse
import shutil
import sys
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hoscpool.cli.output_options import add_output_options, open_console, print_json
from hoscpool.support.files import unfinished_folder
from hoscpool.support.names import positive_float, positive_int
from hoscpool.support.processes import number_of_processes

if TYPE_CHECKING:
    from rich.console import Console

    from hoscpool.classify import GraphSet, Study


DESCRIPTION = (
    "Train a graph classifier (GNN – pool – GNN – pool – GNN – global pool – dense ×2, or a deep network) on seeded, "
    "stratified splits 80/10/10, choose the epoch by validation accuracy, and print the test accuracy with its "
    "standard deviation. After an interruption the same command continues where it stopped."
)
EXAMPLES = (
    "hoscpool classify proteins --pooling hosc --diagnose",
    "hoscpool classify my-graphs/ --pooling mincut --splits 3 --jobs 2 -o out",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    add("dataset", metavar="NAME|FOLDER", help="a dataset's name, or a folder with files in the TU format (X_A.txt …)")
    add("--data-root", metavar="DIR", help="folder of the datasets (default: the environment variable HOSCPOOL_DATA)")
    add("--node-attributes", action="store_true", help="also use continuous node attributes, if there are any")
    add("--edges", default="all", choices=("all", "bonds"), help="edges of molecules: all, or bonds (default: all)")
    _add_model(parser)
    _add_training(parser)
    out = parser.add_argument_group("output").add_argument
    out("-o", "--output", type=Path, metavar="DIR", help="report folder (default: classify-NAME-POOLING)")
    out("--force", action="store_true", help="write into a folder that has other files, and keep those")
    out("--diagnose", action="store_true", help="show what the pools do: clusters in use, entropy, balance")
    add_output_options(parser, "print nothing, only write the report")


def _add_model(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("model").add_argument
    add("--pooling", default="hosc", metavar="NAME", help="pool: hosc, mincut, random, none, … (default: hosc)")
    add("--encoder", default="gcn", metavar="NAME", help="gcn (default), gin, sage, gat or gine")
    add("--edge-features", action="store_true", help="use edge_attr of the graphs; with gine or gat")
    add("--architecture", default="paper", choices=("paper", "deep"), help="network of the paper, or a deep one with "
        "batch normalisation whose layers are all read (default: paper)")  # fmt: skip
    add("--layers", type=positive_int, default=4, metavar="N", help="encoders of a deep network (default: 4)")
    add("--n-pools", type=int, default=2, metavar="N", help="number of pooling blocks (default: 2)")
    add("--ratio", type=float, default=0.25, help="share of the nodes that a pool leaves (default: 0.25)")
    add("--clusters-from", default="mean", choices=("mean", "largest"), help="graph size that the ratio applies to")
    add("--hidden", type=positive_int, default=32, metavar="N", help="width of the layers (default: 32)")
    add("--mu", type=float, default=0.1, help="weight of the orthogonality loss (default: 0.1)")
    add("--schedule", default="adaptive", choices=("adaptive", "constant"), help="schedule of the motif weights")
    add("--keep-self-loops", action="store_true", help="keep the diagonal of coarsened graphs")
    add("--skip-readout", action="store_true", help="pool the output of every GNN globally, not only of the last")
    add("--readout", default="mean", choices=("mean", "sum"), help="the global pool (default: mean)")
    add("--structural-features", action="store_true", help="add degree, triangles and the like to the features")


def _add_training(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("training").add_argument
    add("--splits", type=positive_int, default=10, metavar="N", help="number of splits (default: 10)")
    jobs = "splits at a time, one thread each; the results do not depend on it (default: 1)"
    add("--jobs", "--threads", type=positive_int, default=1, metavar="N", help=jobs)
    add("--seed", type=int, default=0, metavar="N", help="seed of splits and training (default: 0)")
    add("--max-epochs", type=positive_int, metavar="N", help="largest number of epochs (default: 500; deep: 1000)")
    add("--batch-size", type=positive_int, default=32, metavar="N", help="graphs in a batch (default: 32)")
    add("--learning-rate", type=positive_float, default=1e-3, metavar="R", help="rate of Adam (default: 0.001)")
    add("--patience", type=positive_int, metavar="N", help="patience of early stopping (default: 100; deep: 500)")
    add("--decay-patience", type=positive_int, default=50, metavar="N", help="patience of rate decay (default: 50)")
    add(
        "--tune",
        action="store_true",
        help="choose width, skip connections and μ by the validation graphs of every "
        "split; this takes five fits instead of one",
    )
    add("--clip", type=positive_float, default=2.0, metavar="X", help="largest norm of the gradient (default: 2)")


SHARED = ("pooling", "encoder", "n_pools", "ratio", "clusters_from", "hidden", "mu", "schedule", "skip_readout",
          "readout", "structural_features", "max_epochs", "batch_size", "learning_rate", "patience", "decay_patience",
          "clip", "architecture", "edge_features")  # fmt: skip
"""Options that are parameters of `GraphClassifier` with the same name."""


def run(args: argparse.Namespace) -> int:
    """Train on every split, print the results and write the report."""
    if number_of_processes() > 1 and args.jobs > 1:
        raise ValueError("--jobs: torchrun has started the processes already; leave --jobs out")
    parameters, load = _parameters(args), cache(partial(_load, args))
    if number_of_processes() < 2:
        return _run(args, parameters, *load())
    from hoscpool.distributed import run_together

    return run_together(args, lambda: _run(args, parameters, *load()), None, lambda: load()[1])


def _load(args: argparse.Namespace) -> tuple[str, GraphSet]:
    """The name of the dataset and its graphs."""
    from hoscpool.classify import collate
    from hoscpool.cli.sources import load_graph_set

    name, data = load_graph_set(args.dataset, args.data_root, args.node_attributes, args.edges)
    name += "-bonds" if args.edges == "bonds" else ""
    return name, collate(data, name)


def _run(args: argparse.Namespace, parameters: dict[str, Any], name: str, graphs: GraphSet) -> int:
    from hoscpool.classify import grid_of, run_study, stratified_splits
    from hoscpool.report import Classification, check_folder, classification_summary, write_classification

    output = args.output or Path(f"classify-{name}-{args.pooling}")
    check_folder(output, args.force)
    if graphs.labels is None:
        raise ValueError(f"{args.dataset}: the graphs have no classes")
    splits = stratified_splits(graphs.labels, args.splits, args.seed)
    console = open_console(args)
    console.print(f"{name}: {len(graphs):,} graphs, {len(set(graphs.labels.tolist()))} classes, pooling {args.pooling}")
    working = unfinished_folder(output)
    try:
        grid = grid_of(args.pooling, args.architecture) if args.tune else None

        def show(row: Any) -> None:
            _print_row(console, row, args.splits)

        study = run_study(graphs, splits, parameters, working, show, grid, args.jobs)
    except (KeyboardInterrupt, ConnectionError, SystemExit):  # these two: another rank is lost
        print(f"hoscpool: unfinished work is saved in {working}; run the same command to continue", file=sys.stderr)
        raise
    _print_summary(console, study, args.diagnose)
    result = Classification.make(name, graphs, splits, study, parameters)
    write_classification(output, result, force=args.force)
    shutil.rmtree(working, ignore_errors=True)
    if args.json:
        print_json(classification_summary(result))
    console.print(f"report: {output}", soft_wrap=True, markup=False)
    return 0


def _parameters(args: argparse.Namespace) -> dict[str, Any]:
    if args.seed < 0:
        raise ValueError(f"--seed: expected a whole number ≥ 0, got {args.seed}")
    from hoscpool.classify import resolve_settings

    given = {name: getattr(args, name) for name in SHARED}
    more = {"n_layers": args.layers, "motifs": None, "remove_self_loops": not args.keep_self_loops}
    verbose = int(sys.stderr.isatty() and args.jobs == 1 and not args.quiet)
    parameters = {**given, **more, "random_state": args.seed, "verbose": verbose}
    settings = resolve_settings(parameters)
    return parameters | {"max_epochs": settings.max_epochs, "patience": settings.patience}


def _print_row(console: Console, row: Any, count: int) -> None:
    console.print(
        f"split {row.split + 1:2d} of {count}: test {row.accuracy:.4f}, validation {row.validation_accuracy:.4f}, "
        f"epoch {row.best_epoch} of {row.epochs}, {row.seconds:.0f} s" + _remark(row.stopped) + _choice(row.chosen),
        soft_wrap=True,
    )


def _remark(stopped: str) -> str:
    return ", diverged" if stopped == "diverged" else ""


def _choice(chosen: dict[str, Any]) -> str:
    from hoscpool.report import describe_choice

    return f", chosen: {describe_choice(chosen)}" if chosen else ""


def _print_summary(console: Console, study: Study, diagnose: bool) -> None:
    from rich import box
    from rich.table import Table

    from hoscpool.report import POOL_COLUMNS, pool_rows

    console.print(f"test accuracy {study.summary}")
    rows = pool_rows(study)
    if not diagnose or not rows:
        return
    title = "what the pools do on the test graphs, mean over the splits"
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column in POOL_COLUMNS:
        table.add_column(column, justify="right", overflow="fold")
    for row in rows:
        table.add_row(*row)
    console.print(table)
