"""Amounts of memory as people write them."""

from __future__ import annotations

import pytest

from hoscpool.support.byte_sizes import bytes_text, parse_bytes


@pytest.mark.parametrize(
    ("text", "size"), [("100", 100), ("2 GB", 2 << 30), ("2GiB", 2 << 30), ("1.5 m", 3 << 19), ("64k", 1 << 16)]
)
def test_a_size(text: str, size: int) -> None:
    assert parse_bytes("memory", text) == size


@pytest.mark.parametrize("text", ["much", "-1", "1e99", "", "16 eggs"])
def test_no_size(text: str) -> None:
    with pytest.raises(ValueError, match="memory: expected a size in bytes such as 16GB"):
        parse_bytes("memory", text)


def test_back_to_text() -> None:
    assert [bytes_text(size) for size in (5, 2_000_000, 3 << 30, 1 << 40)] == ["5 bytes", "1.91 MB", "3 GB", "1 TB"]
