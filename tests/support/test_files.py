from __future__ import annotations

import errno
import sys
from pathlib import Path

import pytest

from hoscpool.support.files import exchange, is_temporary, remove_leftovers, temporary_name, whole_file, write_text


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


def test_a_full_disk_is_named_with_the_file(tmp_path: Path) -> None:
    def write() -> None:
        with whole_file(tmp_path / "page.html") as file:
            file.write(b"x")
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match=r"No space left on device: '.*page\.html'"):
        write()
    assert list(tmp_path.iterdir()) == []


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


DEAD = 2**22 + 1
"""No process has this number: it is above the largest of Linux."""


def test_only_what_dead_processes_left_for_this_target_is_removed(tmp_path: Path) -> None:
    names = {
        "alive": temporary_name("out"),
        "dead": f".out.{DEAD}-0123abcd.part",
        "another": f".other.{DEAD}-0123abcd.part",
        "no leftover": f".out.{DEAD}-0123abcd.parts",
    }
    for name in names.values():
        (tmp_path / name).mkdir()
        (tmp_path / name / "big").write_text("x")
    (tmp_path / f".out.{DEAD}-ffffffff.part").write_text("a file")
    remove_leftovers(tmp_path, "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        name for kind, name in names.items() if kind != "dead"
    )
    remove_leftovers(tmp_path / "missing", "out")


def test_names() -> None:
    assert is_temporary(temporary_name("a.b"))
    assert not is_temporary("a.part")


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
