"""Reads and checks the options of ``hoscpool cluster`` before anything slow is imported."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

AUTO = "auto"
MOTIF_METHODS = ("hosc", "hp-2")
"""Methods that take motifs. The others use edges only."""


def read_clusters(text: str) -> int | str:
    """The value of ``-k``.

    >>> read_clusters("7"), read_clusters("auto")
    (7, 'auto')

    Raises:
        ValueError: It is neither a whole number ≥ 2 nor ``auto``.
    """
    if text == AUTO:
        return AUTO
    if not re.fullmatch(r"[+-]?\d+", text):
        raise ValueError(f"-k: expected a whole number or 'auto', got {text!r}")
    if int(text) < 2:
        raise ValueError(f"-k: expected at least 2 clusters, got {text}")
    return int(text)


def read_range(text: str) -> tuple[int, int]:
    """The value of ``--k-range``, such as ``2-12``.

    >>> read_range("2-12")
    (2, 12)

    Raises:
        ValueError: It is not two whole numbers 2 ≤ LOW ≤ HIGH.
    """
    low, _, high = text.partition("-")
    if not (low.isdecimal() and high.isdecimal()):
        raise ValueError(f"--k-range: expected two whole numbers such as 2-12, got {text!r}")
    if not 2 <= int(low) <= int(high):
        raise ValueError(f"--k-range: expected 2 ≤ LOW ≤ HIGH, got {text!r}")
    return int(low), int(high)


def read_motifs(values: Sequence[str] | None, method: str) -> dict[str, float] | None:
    """The values of ``--motif``: ``NAME=WEIGHT``, or a name alone for weight 1; ``None`` when there are none.

    >>> read_motifs(["edge=0.5", "triangle"], "hosc")
    {'edge': 0.5, 'triangle': 1.0}

    Raises:
        ValueError: One is malformed, unknown, negative or given twice, all are 0, or the method takes none.
    """
    if not values:
        return None
    if method not in MOTIF_METHODS:
        from hoscpool.cluster import cuts_motifs

        cuts_motifs(method)  # complain about a misspelt method first
        raise ValueError(f"--motif: the method {method!r} uses edges only; leave --motif out, or use --method hosc")
    from hoscpool.motifs import get_motif

    weights: dict[str, float] = {}
    for value in values:
        name, weight = _read_motif(value)
        name = get_motif(name).name
        if name in weights:
            raise ValueError(f"--motif: {name!r} is given twice")
        weights[name] = weight
    if not any(weights.values()):
        raise ValueError("--motif: expected a weight above 0, got only zeros")
    return weights


def check_weight(option: str, weight: float) -> float:
    """The same number.

    Raises:
        ValueError: It is negative or not finite.
    """
    if not (math.isfinite(weight) and weight >= 0):
        raise ValueError(f"{option}: expected a finite number ≥ 0, got {weight:g}")
    return weight


def _read_motif(value: str) -> tuple[str, float]:
    name, equals, weight = value.partition("=")
    try:
        number = float(weight) if equals else 1.0
    except ValueError:
        number = math.nan
    if not name or math.isnan(number):
        raise ValueError(f"--motif: expected NAME=WEIGHT such as triangle=0.5, got {value!r}")
    return name, check_weight(f"--motif {value}", number)
