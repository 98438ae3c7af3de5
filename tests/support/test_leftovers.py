from __future__ import annotations

from pathlib import Path

from hoscpool.support.leftovers import is_temporary, remove_leftovers, temporary_name

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
