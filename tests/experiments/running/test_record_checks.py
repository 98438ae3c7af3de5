"""A store whose records have other types is refused by name before a table trusts it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from experiments.made_up import make_record
from hoscpool.experiments.running.record_checks import problem_of
from hoscpool.experiments.running.store import Store

CURVE = {"epoch": [1, 2], "orthogonality": [0.5, 0.4], "cut": [0.1, 0.2]}
GOOD = make_record("clustering", "cora", "hosc", 0, {"nmi": 0.5, "n_clusters": 7}, curve=CURVE)
RESULTS = Path(__file__).parents[3] / "results"

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"seconds": None}, "seconds: expected numbers by name, got nothing"),
    ({"seconds": {"wall": 1.0}}, "expected cpu among seconds and machine"),
    ({"seconds": {"wall": "1", "cpu": 1}}, "seconds: expected numbers"),
    ({"machine": {}}, "expected cores, memory, processor, system"),
    ({"machine": {"processor": 1}}, "machine: expected texts"),
    ({"versions": []}, "versions: expected texts"),
    ({"metrics": {"nmi": None}}, "metrics: expected numbers"),
    ({"metrics": {"nmi": float("nan")}}, "metrics: expected numbers"),
    ({"metrics": {"nmi": True}}, "metrics: expected numbers"),
    ({"metrics": {"n_clusters": 0}}, "n_clusters: expected at least 1"),
    ({"dataset": None}, "dataset: expected text, got nothing"),
    ({"hash": 5}, "hash: expected text, got 5"),
    ({"status": []}, "status: expected text"),
    ({"seed": True}, "seed: expected a whole number, got True"),
    ({"seed": 1.0}, "seed: expected a whole number"),
    ({"finished": 5}, "finished: expected a date"),
    ({"settings": []}, "settings: expected names and values"),
    ({"curve": None}, "curve: expected lists"),
    ({"curve": {"epoch": [1]}}, "curve: expected lists"),
    ({"curve": CURVE | {"cut": [1.0]}}, "all of one length"),
    ({"curve": CURVE | {"cut": ["x", 1.0]}}, "lists of numbers"),
    ({"curve": {"epoch": [1], "orthogonality": [1.0], "objective": [1.0]}, "settings": {}}, "expected mu, a number"),
    ({"status": "failed", "error": {}}, "error: expected text"),
    ({"method": ["x" * 1000]}, r"x{50,60}…$"),
]


@pytest.mark.parametrize(("change", "message"), WRONG, ids=[message for _, message in WRONG])
def test_other_types_are_refused_with_the_line(change: dict[str, Any], message: str, tmp_path: Path) -> None:
    path = tmp_path / "clustering.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in (GOOD, GOOD | change, GOOD)))
    with pytest.raises(ValueError, match=rf"clustering\.jsonl, line 2: not a record.*{message.rstrip('$')}"):
        Store(tmp_path).records("clustering")


def test_deep_json_is_refused(tmp_path: Path) -> None:
    (tmp_path / "clustering.jsonl").write_text("[" * 100_000 + "\n")
    with pytest.raises(ValueError, match=r"clustering\.jsonl, line 1: not a record"):
        Store(tmp_path).records("clustering")


def test_the_records_of_the_repository_are_good() -> None:
    lines = [line for path in sorted(RESULTS.glob("*.jsonl")) for line in path.read_text().splitlines()]
    assert [problem for line in lines if (problem := problem_of(json.loads(line)))] == []
    assert problem_of(GOOD) is None
