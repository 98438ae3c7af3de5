from __future__ import annotations

import argparse

import pytest

from hoscpool.support.names import Registry, parse_names, positive_float, positive_int, positive_ints


def test_names() -> None:
    assert parse_names("--peers", None, ["a", "b"], ["a"]) == ("a",)
    assert parse_names("--peers", "b,a", ["a", "b"], []) == ("b", "a")
    with pytest.raises(ValueError, match=r"--peers: expected some of a, b \(got 'c'\)"):
        parse_names("--peers", "a,c", ["a", "b"], [])
    with pytest.raises(ValueError, match=r"\(got 'Kora'\); did you mean 'cora'\?$"):
        parse_names("--graphs", "Kora", ["cora", "photo"], [])


def test_a_registry_gives_back_what_was_added_until_it_is_restored() -> None:
    colours: Registry[int] = Registry("colour")
    colours.add("red", 1)
    with colours.restored():
        colours.add("green", 2)
        assert (colours.find("green"), colours["red"], list(colours), len(colours)) == (2, 1, ["red", "green"], 2)
        with pytest.raises(ValueError, match="colour 'red': this name is taken"):
            colours.add("red", 3)
    assert dict(colours) == {"red": 1}
    with pytest.raises(ValueError, match=r"unknown colour 'rad'. Did you mean 'red'\? Valid colours: red"):
        colours.find("rad")


def test_numbers() -> None:
    assert positive_int("3") == 3
    assert positive_ints("1,2") == (1, 2)
    for text in ("0", "two", "2.5", ""):
        with pytest.raises(argparse.ArgumentTypeError, match=f"expected a whole number of at least 1, got '{text}'"):
            positive_ints(f"1,{text}")
    assert positive_float("0.5") == 0.5
    for text in ("0", "-1", "nan", "two"):
        with pytest.raises(argparse.ArgumentTypeError, match="above 0"):
            positive_float(text)
