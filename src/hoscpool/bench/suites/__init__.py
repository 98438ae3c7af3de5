"""The benchmark suites. Every module `NAME_suite` is one; it is found by its name.

A suite module is quick to import, because its cases, which import the peers, are in another file. It offers

- ``HELP``: one line for the command line,
- ``METHOD``: a paragraph for the reader of the results: what was compared, and how,
- ``add_arguments(parser)``: its own options, beside those that all suites have,
- ``cases(args)``: the [`Case`][hoscpool.bench.harness.measure.Case] objects to measure, in order,
- perhaps ``closing(results)``: tables about all results, and ``pictures(results)``: SVG pictures by title.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

_SUFFIX = "_suite"


def list_suites() -> list[str]:
    """The names of all suites, without importing them.

    Examples:
        >>> "motifs" in list_suites()
        True
    """
    names = (module.name for module in pkgutil.iter_modules(__path__))
    return sorted(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX))


def load_suite(name: str) -> Any:
    """The module of one suite.

    Raises:
        ValueError: There is no suite of that name.
    """
    if name not in list_suites():
        raise ValueError(f"suite: expected one of {', '.join(list_suites())} (got {name!r})")
    return importlib.import_module(f"{__name__}.{name}{_SUFFIX}")
