"""The attack command itself: it finds what is wrong, and every attack can be started."""

from __future__ import annotations

import random
import warnings
from pathlib import Path

import pytest

from attack.formats import FORMATS, Format
from attack.mutations import mutate, pack, unpack
from attack.registry import ATTACKS
from attack.trial import judge, write_case

CASE = {"graph.csv": b"a,b\nb,c\n", "sub/x.json": b'{"a": [1, {"b": null}]}'}


def _raise(error: Exception) -> None:
    raise error


@pytest.mark.parametrize(
    ("read", "wrong"),
    [
        (lambda _: None, None),
        (lambda folder: _raise(ValueError(f"{folder / 'graph.csv'}, line 2: expected a number")), None),
        (lambda _: _raise(ValueError("no")), "does not name the file"),
        (lambda _: _raise(KeyError("x")), "KeyError"),
        (lambda _: _raise(MemoryError()), "MemoryError"),
        (lambda _: warnings.warn("overflow", RuntimeWarning, stacklevel=1), "a warning reaches the user"),
    ],
)
def test_outcomes_are_judged(tmp_path: Path, read: object, wrong: str | None) -> None:
    write_case(CASE, tmp_path)
    found = judge(Format(read, list), tmp_path)[1]  # type: ignore[arg-type]
    assert found is None if wrong is None else wrong in str(found)


def test_a_packed_case_comes_back() -> None:
    assert unpack(pack(CASE)) == CASE


def test_the_same_seed_damages_alike_and_almost_always_something() -> None:
    damaged = [mutate(CASE, random.Random(seed)) for seed in range(200)]
    assert damaged == [mutate(CASE, random.Random(seed)) for seed in range(200)]
    assert sum(case != CASE for case in damaged) > 180


@pytest.mark.parametrize(
    "name", [name for name in FORMATS if name not in ("clustering model", "classifier model", "checkpoint")]
)
def test_the_seeds_are_valid(name: str, tmp_path: Path) -> None:
    for number, case in enumerate(FORMATS[name].seeds()):
        folder = tmp_path / str(number)
        folder.mkdir()
        write_case(case, folder)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert judge(FORMATS[name], folder) == ("read", None)


def test_attacks_have_different_names() -> None:
    assert all(name == attack.name and attack.share > 0 for name, attack in ATTACKS.items())
