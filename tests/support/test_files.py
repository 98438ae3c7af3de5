from __future__ import annotations

from pathlib import Path

import pytest

from hoscpool.support.files import whole_file, write_text


def _write_half(path: Path) -> None:
    with whole_file(path) as file:
        file.write(b"half")
        raise KeyboardInterrupt


def test_a_file_takes_the_place_of_another_when_it_is_whole(tmp_path: Path) -> None:
    path = write_text(tmp_path / "a.txt", "old\n")
    with whole_file(path, text=True) as file:
        file.write("né")
        assert path.read_text() == "old\n"
    assert path.read_bytes() == "né".encode()
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = write_text(tmp_path / "a.txt", "old")
    with pytest.raises(KeyboardInterrupt):
        _write_half(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_two_writers_do_not_meet(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with whole_file(path) as one, whole_file(path) as other:
        one.write(b"one")
        other.write(b"other")
    assert path.read_bytes() == b"one"  # the last to end


def test_permissions_are_those_of_any_new_file(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.touch()
    assert write_text(tmp_path / "a.txt", "").stat().st_mode == plain.stat().st_mode
