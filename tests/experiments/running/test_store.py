from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from experiments.made_up import MACHINE, make_record
from hoscpool.experiments.running.store import Record, Store, problem_of


def _record(seed: int, status: str = "ok", **more: object) -> Record:
    names = {"experiment": "e", "dataset": "d", "method": "m", "seed": seed, "hash": "h"}
    measured = {"metrics": {"nmi": 0.5}, "seconds": {"wall": 1.0, "cpu": 1.0}, "machine": MACHINE, "versions": {},
                "finished": ""}  # fmt: skip
    return {**names, "status": status, **(measured if status == "ok" else {}), **more}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    found = Store(tmp_path / "results")
    for seed in range(3):
        found.append(_record(seed, name="é"))
    return found


def test_records_come_back_in_order(store: Store) -> None:
    assert [record["seed"] for record in store.records("e")] == [0, 1, 2]
    assert store.records("e")[0]["name"] == "é"
    assert store.records("other") == []


def test_every_cut_of_the_last_line_is_repaired(store: Store) -> None:
    path = store.path("e")
    whole = path.read_bytes()
    start = whole.rindex(b"\n", 0, -1) + 1
    for end in range(start, len(whole)):
        path.write_bytes(whole[:end])
        survivors = [0, 1, 2] if end == len(whole) - 1 else [0, 1]  # without its newline the last record is whole
        assert [record["seed"] for record in store.records("e")] == survivors
        store.append(_record(9))
        assert [record["seed"] for record in store.records("e")] == [*survivors, 9]
        assert path.read_bytes().endswith(b"\n")


def test_a_torn_first_line_leaves_an_empty_store(tmp_path: Path) -> None:
    (tmp_path / "e.jsonl").write_text('{"experiment": "e", "data')
    store = Store(tmp_path)
    assert store.records("e") == []
    store.append(_record(1))
    assert [record["seed"] for record in store.records("e")] == [1]


NO_METRICS = json.dumps({name: value for name, value in _record(0).items() if name != "metrics"})
SEED_AS_TEXT = json.dumps(_record(0) | {"seed": "0"})


@pytest.mark.parametrize("line", ["{]", "[1]", '{"experiment": "e"}', "", NO_METRICS, SEED_AS_TEXT])
def test_damage_elsewhere_is_an_error_that_names_the_line(store: Store, line: str) -> None:
    path = store.path("e")
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], line, *lines[1:]]) + "\n")
    with pytest.raises(ValueError, match=r"e\.jsonl, line 2: not a record"):
        store.records("e")


def test_the_last_record_of_a_cell_counts(store: Store) -> None:
    store.append(_record(1, "failed", error="E"))
    latest = store.latest("e")
    assert len(latest) == 3
    assert latest["e", "d", "m", 1, "h"]["status"] == "failed"


def test_a_record_that_is_no_json_is_refused_and_leaves_the_file_alone(store: Store) -> None:
    before = store.path("e").read_bytes()
    with pytest.raises(ValueError, match="JSON"):
        store.append(_record(5, score=float("nan")))
    assert store.path("e").read_bytes() == before


def test_lines_are_synced(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.fstat(handle).st_size))
    store.append(_record(7))
    assert synced == [store.path("e").stat().st_size]
    assert json.loads(store.path("e").read_text().splitlines()[-1])["seed"] == 7


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
