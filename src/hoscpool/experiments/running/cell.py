"""A cell: the smallest piece of an experiment. It is run once and recorded."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

Key = tuple[str, str, str, int, str]
HASH_LENGTH = 12


@dataclass(frozen=True)
class Cell:
    """One fit of one method to one dataset with one seed.

    Attributes:
        experiment: Name of the experiment, and of its file of records.
        dataset: Name of the dataset.
        method: Name of the method.
        seed: Seed of everything random.
        settings: Every value that the result depends on, with all defaults. A changed default makes another cell.
    """

    experiment: str
    dataset: str
    method: str
    seed: int
    settings: Mapping[str, Any]

    @cached_property
    def hash(self) -> str:
        """Twelve digits that identify the settings."""
        return settings_hash(self.settings)

    @property
    def key(self) -> Key:
        """What identifies the cell and its record."""
        return self.experiment, self.dataset, self.method, self.seed, self.hash

    def __str__(self) -> str:
        return f"{self.experiment} {self.dataset} {self.method} seed {self.seed}"


def settings_hash(settings: Mapping[str, Any]) -> str:
    """A hash of settings that does not depend on the order of their names.

    Raises:
        TypeError: A value is not plain data (text, numbers, truth values, lists, mappings).

    Examples:
        >>> settings_hash({"mu": 0.1, "epochs": 500}) == settings_hash({"epochs": 500, "mu": 0.1})
        True
        >>> settings_hash({"mu": 0.1}) == settings_hash({"mu": 0.2})
        False
    """
    text = json.dumps(settings, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:HASH_LENGTH]


def switched_on(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings without those that are off (``None``, ``False``). So a new setting that is off does not change a hash.

    Turning a setting on or off still makes another cell, because its name is added or removed.

    Examples:
        >>> switched_on({"mu": 0.0, "consensus": False, "levels": None})
        {'mu': 0.0}
    """
    return {name: value for name, value in settings.items() if value is not None and value is not False}


def record_key(record: Mapping[str, Any]) -> Key:
    """The key of the cell that a record is about."""
    return record["experiment"], record["dataset"], record["method"], record["seed"], record["hash"]
