"""``hoscpool bench``: speed compared with other libraries, measured in one run."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from hoscpool.bench.suites import list_suites, load_suite
from hoscpool.cli.output_options import add_output_options, check_quiet, open_console, print_json
from hoscpool.support.names import positive_float, positive_int, positive_ints

if TYPE_CHECKING:
    from hoscpool.bench import CaseResult

DESCRIPTION = "Compare the speed of HoscPool and other libraries in one run. Their answers are compared too."
EXAMPLES = (
    "hoscpool bench motifs --quick",
    "hoscpool bench cluster --threads 1,2 -o cluster.md -o cluster.json",
    "hoscpool bench scale --help",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add one sub-command for every suite."""
    suites = parser.add_subparsers(title="suites", dest="suite", required=True, metavar="SUITE")
    for name in list_suites():
        suite = load_suite(name)
        subparser = suites.add_parser(name, help=suite.HELP, description=suite.HELP)
        suite.add_arguments(subparser)
        _add_common_arguments(subparser)


def _add_common_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--quick", action="store_true", help="small inputs and few runs, for a first impression")
    add("--threads", type=positive_ints, default=(1,), metavar="1,2", help="numbers of threads (default: 1)")
    add("--repeats", type=positive_int, metavar="N", help="runs of every library (default: 5; quick: 2)")
    add("--budget", type=positive_float, metavar="SECONDS", help="time for every library (default: 60; quick: 10)")
    add("-o", "--output", type=Path, action="append", default=[], metavar="FILE", help=".md or .json; can be repeated")
    add_output_options(parser, "print nothing, only write the files")


def run(args: argparse.Namespace) -> int:
    """Run one suite. The exit code is 1 if an answer differs from ours."""
    from hoscpool.bench import Settings, SuiteRun, check_output, exit_code, print_summary, run_cases

    paths = [check_output(path) for path in args.output]
    suite = load_suite(args.suite)
    settings = Settings(args.repeats or (2 if args.quick else 5), args.budget or (10.0 if args.quick else 60.0))
    check_quiet(args)
    console = open_console(args)

    def finished(results: list[CaseResult]) -> SuiteRun:
        closing = suite.closing(results) if hasattr(suite, "closing") else []
        pictures = suite.pictures(results) if hasattr(suite, "pictures") else {}
        return SuiteRun(args.suite, suite.METHOD, settings, results, closing, pictures)

    def write(results: list[CaseResult]) -> None:
        for path in paths:
            finished(results).write(path)

    results = run_cases(list(suite.cases(args)), settings, console, write)  # what is done is not lost
    print_summary(results, console, finished(results).closing)
    if args.json:
        print_json(finished(results).to_json())
    return exit_code(results)
