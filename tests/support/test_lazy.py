from __future__ import annotations

from dataclasses import dataclass

from hoscpool.support.lazy import lazy


@dataclass(frozen=True)
class Square:
    side: int
    calls: list[int]

    @lazy
    def area(self) -> int:
        """Side times side."""
        self.calls.append(self.side)
        return self.side**2


def test_computed_once_even_on_a_frozen_object() -> None:
    square = Square(3, [])
    assert (square.area, square.area, square.calls) == (9, 9, [3])


def test_the_class_shows_the_property_itself() -> None:
    assert Square.area.__doc__ == "Side times side."
