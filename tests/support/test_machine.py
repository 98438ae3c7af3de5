from __future__ import annotations

import time
from pathlib import Path

import pytest

from hoscpool.support import machine as memory
from hoscpool.support.machine import PeakMemory, bytes_text, parse_bytes


@pytest.mark.parametrize("kernel_keeps_peak", [True, False])
def test_peak_counts_what_was_freed_inside(kernel_keeps_peak: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not kernel_keeps_peak:
        monkeypatch.setattr(memory, "_reset_kernel_peak", lambda: False)
    with PeakMemory() as peak:
        block = bytearray(100_000_000)
        time.sleep(0.1)  # a sampler must have the chance to look
        del block
    assert 90e6 < peak.n_bytes < 130e6


def test_nothing_is_left_of_an_earlier_peak() -> None:
    block = bytearray(100_000_000)
    del block
    with PeakMemory() as peak:
        pass
    assert peak.n_bytes < 20e6


def test_memory_that_was_freed_before_is_counted_when_it_is_used_again() -> None:
    blocks = [bytes(1_000) for _ in range(100_000)]
    del blocks[:-1]  # the last one keeps the allocator from giving the others back of its own accord
    with PeakMemory() as peak:
        blocks += [bytes(1_000) for _ in range(100_000)]
    assert len(blocks) == 100_001
    assert peak.n_bytes > 80e6


def test_no_kernel_support(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(memory, "_RESET_PEAK", tmp_path / "no" / "such" / "file")
    assert not memory._reset_kernel_peak()


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
