from __future__ import annotations

import pytest

from hoscpool.experiments.running.cell import Cell, record_key, settings_hash, switched_on


def test_the_hash_is_that_of_the_values_and_never_moves() -> None:
    assert settings_hash({"b": [1, 2], "a": 0.1}) == settings_hash({"a": 0.1, "b": [1, 2]})
    assert settings_hash({"a": 0.1, "b": [1, 2]}) == "deb925af18b3"  # of another day: records must stay valid
    assert len({settings_hash({"a": value}) for value in (1, 2, "1", [1], None)}) == 5


def test_only_plain_data_has_a_hash() -> None:
    with pytest.raises(TypeError):
        settings_hash({"a": object()})
    with pytest.raises(ValueError, match="JSON"):
        settings_hash({"a": float("nan")})


def test_a_changed_setting_makes_another_cell() -> None:
    cells = [Cell("e", "d", "m", 0, {"mu": mu}) for mu in (0.1, 0.2)]
    assert cells[0].key != cells[1].key
    assert cells[0].key[:4] == cells[1].key[:4] == ("e", "d", "m", 0)


def test_what_is_off_leaves_no_trace_but_zero_does() -> None:
    assert switched_on({"a": None, "b": False, "c": 0, "d": 0.0, "e": True}) == {"c": 0, "d": 0.0, "e": True}


def test_record_and_cell_have_the_same_key() -> None:
    cell = Cell("e", "d", "m", 3, {})
    record = {"experiment": "e", "dataset": "d", "method": "m", "seed": 3, "hash": cell.hash}
    assert record_key(record) == cell.key
