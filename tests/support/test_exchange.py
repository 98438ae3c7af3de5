from __future__ import annotations

import sys
from pathlib import Path

import pytest

from hoscpool.support.exchange import exchange


def test_two_folders_change_places(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).write_text("")
    if not exchange(tmp_path / "a", tmp_path / "b"):
        pytest.skip("this system or disk cannot exchange")
    assert (tmp_path / "a" / "b").exists()
    assert (tmp_path / "b" / "a").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="one way of failing")
def test_what_is_missing_is_not_exchanged(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    assert not exchange(tmp_path / "a", tmp_path / "none")
    assert (tmp_path / "a").exists()
