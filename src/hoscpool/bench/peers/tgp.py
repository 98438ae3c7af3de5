"""torch-geometric-pool: how to import it, and what its rows in tables share."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

from hoscpool.bench.harness.cases import Contender, result_itself

STAND_IN = "torch-scatter by a stand-in"
"""What a table says when the functions of `hoscpool.bench.peers.torch_scatter` were used."""


def has_torch_scatter() -> bool:
    """Whether the real one is installed."""
    return find_spec("torch_scatter") is not None


def tgp_contender(
    name: str, run: Any, prepare: Any, answer: Any = result_itself, *, compared: bool = False
) -> Contender:
    """One of its modes. Its cut over three-step walks differs from the paper's loss, so mostly not compared."""
    return Contender(
        name,
        run,
        prepare,
        answer,
        module="tgp",
        package="torch-geometric-pool",
        with_dependencies=False,
        compared=compared,
        remark="" if has_torch_scatter() else STAND_IN,
    )


@lru_cache
def import_tgp(name: str) -> Any:
    """A module of torch-geometric-pool. It uses torch-scatter, or our stand-in if that is not installed."""
    import torch_geometric.typing  # noqa: F401  # looks for torch-scatter as well, and must not find the stand-in

    with _stand_in():
        return importlib.import_module(name)


@contextmanager
def _stand_in() -> Iterator[None]:
    """Inside the block the name torch_scatter can be imported. Afterwards everything is as before."""
    if has_torch_scatter():
        yield
        return
    from hoscpool.bench.peers.torch_scatter import NAME, as_module

    sys.modules[NAME] = as_module()
    try:
        yield
    finally:
        del sys.modules[NAME]
