"""``hoscpool bench scale``: time and memory from 10⁵ to 6.2·10⁷ edges."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hoscpool.bench.harness.cases import Case, CaseResult
    from hoscpool.support.text_tables import Grid

HELP = "measure reading, counting and fitting of graphs with 10⁵ to 6.2·10⁷ edges"

METHOD = """\
Planted graphs with 47 communities, mean degree 50 and mixing 0.1. Times are processor time on one thread.

- read: `as_graph` of a CSV, a Parquet and an npz file with the same graph. All must give the same graph.
- count triangles: `motif_adjacency(graph, "triangle")`.
- fit: the whole `HoscClustering(47, solver="multilevel").fit(graph)`, with counting and all set-up.
- fit, two threads: the same by two threads and by one, compared by wall-clock time; the labels must be equal.
- fit, 100 features (on request): `HoscClustering(47).fit(graph)` with its defaults.

With `--distributed`, on graphs that are written to a Parquet file shard by shard:

- build blocks: `hp.distributed.build_blocks(file, folder, memory)`.
- count on blocks: `hp.motif_adjacency(blocks, "triangle", memory=memory)` in a new process that starts two workers, by
  wall-clock time with the start of Python. Beside it the count in memory by two threads. The memory is the largest
  resident memory of a worker.

And on graphs that are made in memory:

- train on ranks: five epochs of the network of the paper with edges and triangles, K = 47, and 32 dense features.
  Seconds of an epoch are those of rank 0. "MB sent" is what a rank gives to exchanges and sums in an epoch, the largest
  of all ranks. "MB of a rank" is the peak of a rank above 0, beyond its imports."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this suite."""
    parser.add_argument("--sizes", metavar="A,B", help="100k, 1m, 10m, 62m (default: 100k,1m,10m)")
    parser.add_argument("--large", action="store_true", help="also 62 million edges; needs about 10 GB of memory")
    parser.add_argument(
        "--distributed",
        nargs="?",
        const="both",
        choices=("both", "counting", "training"),
        help="instead of these: blocks on disk, and triangles counted on them by two processes (also size 250m); "
        "and training on 1, 2 and 4 ranks, up to size 10m (62m with training alone; default: both)",
    )
    parser.add_argument(
        "--folder",
        type=Path,
        metavar="DIR",
        help="with --distributed: keep graphs and blocks here, and use graphs that are here (250m: 12 GB)",
    )
    parser.add_argument("--features", action="store_true", help="also fits with 100 features")


def cases(args: argparse.Namespace) -> Iterator[Case]:
    """The cases that the options ask for.

    Raises:
        ValueError: A size is not known.
    """
    from hoscpool.bench.suites.scale_cases import DEFAULT_SIZES, QUICK_SIZES, SIZES, scale_cases
    from hoscpool.support.names import parse_names

    if args.distributed:
        return _distributed_cases(args)
    sizes = parse_names("--sizes", args.sizes, tuple(SIZES), QUICK_SIZES if args.quick else DEFAULT_SIZES)
    if args.large and "62m" not in sizes:
        sizes = (*sizes, "62m")
    return scale_cases(sizes, threads=not args.quick, features=args.features)


def _distributed_cases(args: argparse.Namespace) -> Iterator[Case]:
    from hoscpool.bench.suites import beyond_memory_cases as beyond
    from hoscpool.bench.suites.rank_cases import rank_cases
    from hoscpool.bench.suites.scale_cases import SIZES
    from hoscpool.support.names import parse_names

    known = tuple(dict.fromkeys((*SIZES, *beyond.SIZES)))
    sizes = parse_names("--sizes", args.sizes, known, ("1m",) if args.quick else ("10m",))
    if args.distributed != "training":
        yield from beyond.beyond_memory_cases([size for size in sizes if size in beyond.SIZES], args.folder)
    if args.distributed != "counting":
        most = SIZES["10m"] if args.distributed == "both" else SIZES["62m"]
        yield from rank_cases([size for size in sizes if SIZES.get(size, most + 1) <= most])


def closing(results: Sequence[CaseResult]) -> list[Grid]:
    """The tables that end the suite: growth with the number of edges, and epochs on ranks."""
    from hoscpool.bench.suites.rank_cases import rank_grid
    from hoscpool.bench.suites.scale_cases import closing_grid

    return [grid for grid in (closing_grid(results), rank_grid(results)) if grid.rows]


def pictures(results: Sequence[CaseResult]) -> dict[str, str]:
    """SVG pictures by title: time and memory over the number of edges."""
    from hoscpool.bench.harness.log_plot import log_plot
    from hoscpool.bench.suites.scale_cases import series_of

    time, memory = series_of(results)
    if not time:  # with --distributed
        return {}
    return {
        "Processor time": log_plot(time, "edges", "seconds"),
        "Memory beyond the input": log_plot(memory, "edges", "bytes"),
    }
