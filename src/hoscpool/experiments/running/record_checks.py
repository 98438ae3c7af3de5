"""What a record must look like. Tables and pages trust what they read from a store."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

_TEXTS = ("experiment", "dataset", "method", "hash", "status")
_MACHINE = ("processor", "cores", "memory", "system")


def problem_of(record: Any) -> str | None:
    """What is wrong with a record, or ``None``.

    Examples:
        >>> problem_of({"experiment": "clustering"})
        'dataset: expected text, got nothing'
    """
    if not isinstance(record, dict):
        return f"expected names and values, got {type(record).__name__}"
    for name in _TEXTS:
        if not isinstance(record.get(name), str):
            return f"{name}: expected text, got {_shown(record.get(name))}"
    if type(record.get("seed")) is not int:
        return f"seed: expected a whole number, got {_shown(record.get('seed'))}"
    if not isinstance(record.get("settings", {}), dict):
        return f"settings: expected names and values, got {_shown(record['settings'])}"
    return _problem_of_measured(record) if record["status"] == "ok" else _problem_of_failed(record)


def _problem_of_failed(record: Mapping[str, Any]) -> str | None:
    wrong = not isinstance(record.get("error", ""), str)
    return f"error: expected text, got {_shown(record['error'])}" if wrong else None


def _problem_of_measured(record: Mapping[str, Any]) -> str | None:
    for name, each, kind in (
        ("metrics", is_finite, "numbers"),
        ("seconds", is_finite, "numbers"),
        ("machine", _is_text, "texts"),
        ("versions", _is_text, "texts"),
    ):
        part = record.get(name)
        if not isinstance(part, dict) or not all(map(each, part.values())):
            return f"{name}: expected {kind} by name, got {_shown(part)}"
    missing = {"wall", "cpu"} - record["seconds"].keys() | set(_MACHINE) - record["machine"].keys()
    if missing:
        return f"expected {', '.join(sorted(missing))} among seconds and machine"
    if record["metrics"].get("n_clusters", 1) < 1:
        return f"n_clusters: expected at least 1, got {record['metrics']['n_clusters']}"
    if not isinstance(record.get("finished"), str):
        return f"finished: expected a date, got {_shown(record.get('finished'))}"
    return None if "curve" not in record else _problem_of_curve(record["curve"], record.get("settings", {}))


def _problem_of_curve(curve: Any, settings: Mapping[str, Any]) -> str | None:
    lists = isinstance(curve, dict) and all(isinstance(part, list) for part in curve.values())
    if not lists or not {"epoch", "orthogonality"} <= curve.keys() or not {"cut", "objective"} & curve.keys():
        return "curve: expected lists with the names epoch, orthogonality, and cut or objective"
    if len({len(part) for part in curve.values()}) > 1 or not all(
        is_finite(v) for part in curve.values() for v in part
    ):
        return "curve: expected lists of numbers, all of one length"
    return None if "cut" in curve or is_finite(settings.get("mu")) else "settings: expected mu, a number"


def is_finite(value: Any) -> bool:
    """Whether a value is a number that is neither infinite nor NaN."""
    return type(value) in (int, float) and -1e300 < value < 1e300 and math.isfinite(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _shown(value: Any) -> str:
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
