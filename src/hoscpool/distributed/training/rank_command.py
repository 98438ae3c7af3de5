"""Commands that torchrun starts in several processes at once. Rank 0 reads, prints and writes; the others help."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

from hoscpool.classify import GraphSet
from hoscpool.distributed.training.launch import join, part_ways
from hoscpool.distributed.training.rank_fit import check_alike, leading, with_folder
from hoscpool.distributed.training.rank_work import follow
from hoscpool.distributed.training.ranks import RankError
from hoscpool.support.processes import is_follower

QUIET = 1
"""Exit code of a follower whose leader has said what went wrong."""


def run_together(
    args: argparse.Namespace,
    command: Callable[[], int],
    folder: Path | None,
    load: Callable[[], GraphSet] | None = None,
) -> int:
    """Run a command with all processes that torchrun started.

    Args:
        args: The arguments of the command, which must be the same everywhere.
        command: The command. Its fits are trained by all processes.
        folder: Where unfinished work is kept, or ``None``.
        load: Reads what every process needs, or ``None``.

    Returns:
        The exit code.
    """
    try:
        return _follow(args, folder, load) if is_follower() else _lead(args, command, folder, load)
    finally:
        part_ways()


def _lead(
    args: argparse.Namespace, command: Callable[[], int], folder: Path | None, load: Callable[[], GraphSet] | None
) -> int:
    ranks = join()
    assert ranks is not None
    try:
        with leading(ranks, folder):
            data = {} if load is None else {"data": load().fingerprint()}
            check_alike(ranks, {"arguments": _say(args), **data})
            return command()
    except SystemExit:  # torchrun ends the others when one of them ends
        saved = "" if folder is None else f"; unfinished work is in {folder}, any number of ranks can continue it"
        print(f"hoscpool: another rank ended, or the run was stopped from outside{saved}", file=sys.stderr)
        raise


def _follow(args: argparse.Namespace, folder: Path | None, load: Callable[[], GraphSet] | None) -> int:
    warnings.simplefilter("ignore")
    ranks = join()
    assert ranks is not None
    try:
        graphs = [] if load is None else [load()]
    except (ValueError, OSError, MemoryError) as error:
        graphs, problem = [], str(error)
    else:
        problem = ""
    said = {"arguments": _say(args)} | ({"data": graphs[0].fingerprint()} if graphs else {})
    try:
        check_alike(ranks, said, problem)
        follow(ranks, *graphs)
    except ValueError:  # rank 0 says the same
        return QUIET
    except RankError as error:
        if ranks.rank == 1 and not ranks.leader_said():
            raise with_folder(error, folder) from None
        return QUIET
    return 0


def _say(args: argparse.Namespace) -> str:
    return repr(sorted((name, repr(value)) for name, value in vars(args).items() if name != "run"))
