"""``hoscpool reproduce``: run the paper's tables and figures again."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hoscpool.cli.output_options import add_output_options, open_console, print_json
from hoscpool.support.names import positive_float, positive_int

if TYPE_CHECKING:
    from hoscpool.experiments import Cell, Estimator

DESCRIPTION = """\
Run a table or figure of the paper again. Every finished cell (one method, one dataset, one seed) is a record in the
results folder. The same command continues where it stopped. At the end it prints the published and the measured
numbers. hoscpool report writes pages from all records.
"""
EXAMPLES = (
    "hoscpool reproduce table1 --datasets karate,syn1 --seeds 2",
    "hoscpool reproduce table6 --methods hosc,mincut --jobs 2 --budget 60",
    "hoscpool reproduce all --dry-run",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    from hoscpool.experiments import ALL, PAPER_TABLES

    add = parser.add_argument
    names = (*PAPER_TABLES, ALL)
    add("name", choices=names, metavar="NAME", help=", ".join(names))
    add("--datasets", type=_names, metavar="A,B", help="only these datasets (some are not run by default)")
    add("--methods", type=_names, metavar="A,B", help="only these methods (some are not run by default)")
    add("--seeds", type=positive_int, metavar="N", help="seeds 0 to N−1 (default: as in the paper, mostly 10)")
    jobs = "cells at a time, one thread each; the results do not depend on it (default: 1)"
    add("--jobs", "--threads", type=positive_int, default=1, metavar="N", help=jobs)
    add("--backend", choices=("loky", "dask"), default="loky", help="processes on this machine, or a Dask cluster")
    add("--scheduler", metavar="ADDRESS", help="Dask scheduler, such as tcp://host:8786 (default: start one here)")
    add("--budget", type=positive_float, metavar="MINUTES", help="start no cell after this time")
    add("--dry-run", action="store_true", help="list the cells to run and estimate the time, but run nothing")
    add("--retry-failed", action="store_true", help="also run failed cells again")
    add("--results", type=Path, default=Path("results"), metavar="DIR", help="folder of records (default: results)")
    add("--data-root", metavar="DIR", help="folder in PyG's raw layout (default: HOSCPOOL_DATA)")
    add_output_options(parser, "print nothing, only write the records")


def _names(text: str) -> list[str]:
    names = [name.strip().lower() for name in text.split(",") if name.strip()]
    if not names:
        raise argparse.ArgumentTypeError("expected names separated by commas")
    return names


def run(args: argparse.Namespace) -> int:
    """Run the missing cells. The exit code is 1 if a cell failed or a dataset could not be loaded."""
    from hoscpool.experiments import Estimator, Store, find_tables, plan_cells, unfinished
    from hoscpool.report import check_writable, existing_folder

    if args.scheduler and args.backend != "dask":
        raise ValueError("--scheduler: works only with --backend dask")
    there = existing_folder(args.results, "--results")
    store, console = Store(args.results), open_console(args)
    cells = plan_cells(find_tables(args.name), args.datasets, args.methods, args.seeds)
    todo = unfinished(cells, store, args.retry_failed)
    if args.dry_run:
        experiments = {cell.experiment for cell in cells}
        estimator = Estimator(record for name in experiments for record in store.records(name))
        _print_plan(console, todo, len(cells), estimator, args.jobs)
        if args.json:
            print_json({"to_run": [_cell_json(cell, estimator) for cell in todo], "done": len(cells) - len(todo)})
        return 0
    if todo:
        check_writable(there, "--results")
    code = _run(args, console, store, todo, len(cells) - len(todo))
    _print_table(console, args, {(cell.dataset, cell.method) for cell in cells})
    return code


def _run(args: argparse.Namespace, console: Any, store: Any, todo: list[Cell], finished: int) -> int:
    from hoscpool.experiments import Board, Options, run_cells

    budget = None if args.budget is None else args.budget * 60
    options = Options(args.jobs, args.backend, args.scheduler, budget, args.data_root)
    console.print(f"{len(todo)} cell{'s' * (len(todo) != 1)} to run, {finished} already done")
    outcome = run_cells(todo, store, options, Board(console, len(todo), args.jobs))
    for dataset, reason in outcome.missing.items():
        console.print(f"{dataset} left out: {reason}", markup=False, soft_wrap=True)
    left = f", {outcome.left} left: the time is up; run the same command to continue" if outcome.left else ""
    ran = f"{outcome.done} done, {outcome.failed} failed{left}"
    console.print(f"{ran}; records in {args.results}", markup=False, soft_wrap=True)
    return int(bool(outcome.failed or outcome.missing))


def _print_table(console: Any, args: argparse.Namespace, cells: set[tuple[str, str]]) -> None:
    """Print the table of these datasets and methods."""
    from hoscpool.experiments import ALL, MARKS, Results, long_grid
    from hoscpool.experiments.tables import make_view
    from hoscpool.support.text_tables import to_rich

    if args.name != ALL:
        view = make_view(args.name, Results(args.results)).only(cells)
        if view.comparisons:
            console.print(to_rich(long_grid(view)), MARKS, sep="")
        if args.json:
            print_json({"table": args.name, "title": view.title, "numbers": [asdict(c) for c in view.comparisons]})
    elif args.json:
        print_json({"table": args.name, "records": args.results})
    if any(args.results.glob("*.jsonl")):
        console.print(f"For a page with plots: hoscpool report {args.results}", markup=False, soft_wrap=True)


def _cell_json(cell: Cell, estimator: Estimator) -> dict[str, Any]:
    names = ("experiment", "dataset", "method", "seed", "hash")
    return {**{name: getattr(cell, name) for name in names}, "seconds": estimator.seconds(cell)}


def _print_plan(console: Any, todo: list[Cell], total: int, estimator: Estimator, jobs: int) -> None:
    """Print one line for all seeds of a method on a dataset."""
    from hoscpool.experiments import duration

    groups: dict[tuple[str, str, str], list[Cell]] = {}
    for cell in todo:
        groups.setdefault((cell.experiment, cell.dataset, cell.method), []).append(cell)
    for (experiment, dataset, method), cells in groups.items():
        seconds = sum(map(estimator.seconds, cells))
        known = "measured" if estimator.is_known(cells[0]) else "a guess"
        seeds = f"seed{'s' * (len(cells) != 1)} {','.join(str(cell.seed) for cell in cells)}"
        name = f"{experiment} {dataset} {method} {cells[0].hash}"
        console.print(f"{name}  {seeds}  {duration(seconds)} ({known})", markup=False, soft_wrap=True)
    expected = duration(sum(map(estimator.seconds, todo)) / jobs)
    cells_to_run = f"{len(todo)} of {total} cell{'s' * (total != 1)} to run, {total - len(todo)} already done"
    console.print(f"{cells_to_run}; about {expected} with {jobs} at a time")
