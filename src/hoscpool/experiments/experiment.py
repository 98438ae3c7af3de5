"""Experiments by name: how a cell of each is run, and everything that its result depends on.

An experiment is one module in ``protocols/`` that calls `register_experiment` once. The modules are imported when the
first experiment is asked for: listing tables needs none of them.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from hoscpool.support.names import Registry


@dataclass(frozen=True)
class Experiment:
    """One way to measure methods on datasets.

    Attributes:
        name: The name in records, and of the file that they are in.
        settings: Takes a dataset and a method and returns every value that the result depends on. It raises
            ``ValueError`` for a method that it does not know.
        run: Takes a `Cell` and the data root and returns metrics, seconds and further information. If the experiment is
            resumable, it also takes ``scratch``, the folder of an unfinished cell.
        titles: Titles of methods in tables. A method that is not here has the title of its pool, or its own name.
        resumable: Whether an interrupted cell can continue where it stopped.
        cost: Time of a cell as a multiple of that of a clustering.
        cheap: Methods that take a fiftieth of that time.
    """

    name: str
    settings: Callable[[str, str], dict[str, Any]]
    run: Callable[..., dict[str, Any]]
    titles: Mapping[str, str] = field(default_factory=dict)
    resumable: bool = False
    cost: float = 1.0
    cheap: Collection[str] = ()

    def title(self, method: str) -> str:
        """The title of a method in tables.

        Examples:
            >>> find_experiment("clustering").title("robust"), find_experiment("clustering").title("mincut")
            ('robust preset', 'MinCutPool')
        """
        from hoscpool.nn import POOLS

        if method in self.titles or method not in POOLS:
            return self.titles.get(method, method)
        return POOLS[method].label


_EXPERIMENTS: Registry[Experiment] = Registry("experiment")


def register_experiment(experiment: Experiment) -> Experiment:
    """Add an experiment, so that tables can use its cells.

    Raises:
        ValueError: The name is taken.
    """
    _EXPERIMENTS.add(experiment.name, experiment)
    return experiment


def experiments() -> Registry[Experiment]:
    """All experiments, from cheap to expensive."""
    importlib.import_module("hoscpool.experiments.protocols")
    return _EXPERIMENTS


def find_experiment(name: str) -> Experiment:
    """The experiment of that name.

    Raises:
        ValueError: There is none; the message lists the valid names.
    """
    return experiments().find(name)
