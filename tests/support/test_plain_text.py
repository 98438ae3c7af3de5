from __future__ import annotations

import pytest

from hoscpool.support.plain_text import has_controls, one_line, printable, shortened


@pytest.mark.parametrize("code", [0, 7, 8, 13, 27, 127, 0x85, 0x9B, 0x202E, 0x2066, 0x200F, 0x2028, 0xFEFF, 0xD800])
def test_no_control_character_is_shown(code: int) -> None:
    shown = printable(f"a{chr(code)}b")
    assert shown.isprintable()
    assert shown == f"a{ascii(chr(code))[1:-1]}b"
    assert has_controls(chr(code))


def test_ordinary_text_stays() -> None:
    text = "Ann O'Neill, 東京, العربية, emoji 🙂, a\tb\nc"
    assert printable(text) == text
    assert one_line("a\tb\nc") == r"a\tb\nc"


def test_long_text_is_cut() -> None:
    assert shortened("a" * 100_000, 10) == "aaaaaaaaaa… (100,000 characters)"
    assert shortened("abc", 3) == "abc"
