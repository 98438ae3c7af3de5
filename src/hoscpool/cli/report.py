"""``hoscpool report``: write one self-contained page from records, or pages of the documentation."""

from __future__ import annotations

import argparse
from pathlib import Path

from hoscpool.cli.output_options import add_output_options, print_json

DESCRIPTION = "Write pages from the records that hoscpool reproduce wrote into a folder. Nothing is run."
EXAMPLES = ("hoscpool report results -o report.html", "hoscpool report results --docs docs")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    add("results", type=Path, metavar="RESULTS", help="folder of records")
    add("-o", "--output", type=Path, metavar="FILE", help="the page to write (default: report.html; none with --docs)")
    add("--docs", type=Path, metavar="DIR", help="write reproduction.md, its pages and results.md into this folder")
    add_output_options(parser, "print nothing, only write the pages")


def run(args: argparse.Namespace) -> int:
    """Write the pages."""
    _check(args)
    from hoscpool.experiments import Results

    results = Results(args.results)
    written = []
    if args.docs is not None:
        from hoscpool.report import write_pages

        written += write_pages(results, args.docs)
    if args.output is not None or args.docs is None:
        from hoscpool.report import write_report

        written.append(write_report(results, args.output or Path("report.html")))
    if args.json:
        print_json({"files": written})
    elif not args.quiet:
        print(*written, sep="\n")
    return 0


def _check(args: argparse.Namespace) -> None:
    """Check first that everything can be read and written."""
    if not args.results.is_dir():
        raise FileNotFoundError(f"results: there is no folder {str(args.results)!r}; hoscpool reproduce makes one")
    if not list(args.results.glob("*.jsonl")):
        raise FileNotFoundError(
            f"results: no records (*.jsonl) in {str(args.results)!r}; see hoscpool reproduce --help"
        )
    if args.output is not None and args.output.suffix != ".html":
        raise ValueError(f"--output: expected a file name ending in .html, got {str(args.output)!r}")
    for option, folder in (("--docs", args.docs), ("--output", args.output and args.output.parent)):
        if folder is not None and not folder.is_dir():
            raise FileNotFoundError(f"{option}: there is no folder {str(folder)!r}")
