"""The benchmark suites: every module in this folder is one, found by its name.

A suite module is light to import (its heavy imports stand inside its functions) and offers

- ``HELP``: one line for the command line,
- ``METHOD``: a paragraph for the reader of the results: what was compared, and how,
- ``add_arguments(parser)``: its own options, beside those that all suites have,
- ``cases(args)``: the [`Case`][hoscpool.bench.harness.Case] objects to measure, in order.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any


def list_suites() -> list[str]:
    """The names of all suites, without importing them.

    Examples:
        >>> "motifs" in list_suites()
        True
    """
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def load_suite(name: str) -> Any:
    """The module of one suite.

    Raises:
        ValueError: There is no suite of that name.
    """
    if name not in list_suites():
        raise ValueError(f"suite: expected one of {', '.join(list_suites())} (got {name!r})")
    return importlib.import_module(f"{__name__}.{name}")
