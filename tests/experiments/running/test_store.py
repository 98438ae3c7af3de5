from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from experiments.made_up import MACHINE
from hoscpool.experiments.running.store import Record, Store


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
