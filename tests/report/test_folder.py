"""A folder of results: whole or not at all, and never in the place of somebody's own files."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hoscpool.report.folder import COMPLETE, MANIFEST, check_folder, fill_folder, foreign_files, write_folder


def filler(**files: str) -> Callable[[Path], None]:
    def fill(folder: Path) -> None:
        for name, text in files.items():
            path = folder / name.replace("__", "/")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        (folder / MANIFEST).write_text('{"answer": 42}')

    return fill


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_a_new_folder(tmp_path: Path) -> None:
    target = tmp_path / "out"
    written = write_folder(target, filler(a="1", sub__b="2"))
    assert written == [target / "a", target / "sub/b", target / MANIFEST]
    assert json.loads((target / MANIFEST).read_text()) == {
        "program": "hoscpool",
        "answer": 42,
        "files": ["a", "sub/b", MANIFEST],
    }
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    mask = os.umask(0)
    os.umask(mask)
    assert target.stat().st_mode & 0o777 == 0o777 & ~mask, "as readable as any new folder"


def test_an_earlier_result_gives_way_entirely(tmp_path: Path) -> None:
    target = tmp_path / "out"
    write_folder(target, filler(a="1", old="2"))
    assert foreign_files(target) == []
    write_folder(target, filler(a="3"))
    assert names(target) == ["a", MANIFEST]
    assert (target / "a").read_text() == "3"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_failure_leaves_everything_as_it_was(tmp_path: Path) -> None:
    target = tmp_path / "out"

    def fail(folder: Path) -> None:
        (folder / "half").write_text("…")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_folder(target, fail)
    assert list(tmp_path.iterdir()) == []
    write_folder(target, filler(a="1"))
    with pytest.raises(KeyboardInterrupt):
        write_folder(target, fail)
    assert names(tmp_path) == ["out/a", f"out/{MANIFEST}"]


def test_a_rename_that_fails_brings_the_old_folder_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out"
    write_folder(target, filler(a="1"))
    rename = Path.rename

    def refuse(self: Path, to: Path) -> Path:
        if self.name.endswith(".part"):
            raise OSError("disk on fire")
        return rename(self, to)

    monkeypatch.setattr(Path, "rename", refuse)
    monkeypatch.setattr("hoscpool.report.folder.exchange", lambda *_: False)
    with pytest.raises(OSError, match="on fire"):
        write_folder(target, filler(a="2"))
    assert (target / "a").read_text() == "1"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("manifest", [None, "{", "[]", '{"program": "other", "files": ["mine"]}'])
def test_files_of_others_are_refused_and_with_force_stay(manifest: str | None, tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.mkdir()
    (target / "mine").write_text("x")
    if manifest is not None:
        (target / MANIFEST).write_text(manifest)
    with pytest.raises(FileExistsError, match="mine"):
        write_folder(target, filler(a="1"))
    assert "a" not in names(target)
    write_folder(target, filler(a="1"), force=True)
    assert names(target) == ["a", "mine", MANIFEST]
    write_folder(target, filler(b="1"), force=True)
    assert names(target) == ["b", "mine", MANIFEST], "what the earlier result had besides is gone"


def test_the_working_folder_is_filled_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = tmp_path.stat().st_ino
    assert [str(path) for path in write_folder(Path(), filler(a="1"))] == ["a", MANIFEST]
    assert tmp_path.stat().st_ino == before, "a shell in this folder is still in it"
    assert names(tmp_path) == ["a", MANIFEST]


def test_a_link_to_a_folder_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_folder(tmp_path / "link", filler(a="1"))
    assert (tmp_path / "link").is_symlink()
    assert names(tmp_path / "real") == ["a", MANIFEST]


def test_what_cannot_be_written_is_refused_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError, match="is a file"):
        check_folder(tmp_path / "file")
    with pytest.raises(NotADirectoryError, match=r"[/\\]file is a file"):
        check_folder(tmp_path / "file" / "new")
    with pytest.raises(FileNotFoundError, match="does not exist"):
        check_folder(tmp_path / "no" / "such")


KILLED = """
import os, sys
from pathlib import Path
from hoscpool.report import folder

target, step, mode = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
os.chdir(target if mode == "stays" else target.parent)
left = [step]

def counted(function):
    def call(*args, **options):
        left[0] -= 1
        if left[0] < 0:
            os._exit(9)
        return function(*args, **options)
    return call

for name in ("rename", "replace", "unlink", "mkdir"):
    setattr(Path, name, counted(getattr(Path, name)))
folder.exchange = (lambda *_: False) if mode == "no exchange" else counted(folder.exchange)
folder.shutil.rmtree = counted(folder.shutil.rmtree)

def fill(where):
    for name in ("labels.csv", "model.json", "new"):
        (where / name).write_text("new")
    (where / "summary.json").write_text("{}")

folder.write_folder(target, fill)
"""


def _fill(text: str, *names: str) -> object:
    def fill(folder: Path) -> None:
        for name in names:
            (folder / name).write_text(text)
        (folder / MANIFEST).write_text("{}")

    return fill


@pytest.mark.parametrize("mode", ["moves", "stays", "no exchange"])
def test_no_moment_shows_a_mixture(mode: str, tmp_path: Path) -> None:
    for step in range(40):
        target = tmp_path / str(step) / "out"
        target.parent.mkdir()
        write_folder(target, _fill("old", "labels.csv", "model.json", "gone"))  # type: ignore[arg-type]
        done = subprocess.run([sys.executable, "-c", KILLED, str(target), str(step), mode], check=False)
        assert target.is_dir(), "no moment is without the folder"
        if (target / MANIFEST).exists():
            listed = [name for name in json.loads((target / MANIFEST).read_text())["files"] if name != MANIFEST]
            assert len({(target / name).read_text() for name in listed}) == 1, (
                "what the manifest lists belongs together"
            )
        check_folder(target)  # the same command does not refuse
        assert foreign_files(target) == []
        write_folder(target, _fill("last", "labels.csv"))  # type: ignore[arg-type]
        assert sorted(path.name for path in target.iterdir()) == ["labels.csv", MANIFEST]
        assert [path.name for path in target.parent.iterdir()] == ["out"], "nothing hidden is left"
        if done.returncode == 0:
            assert step >= 3
            return
    raise AssertionError("it never came to its end")


def test_a_commit_that_was_cut_short_is_finished_with_its_own_files(tmp_path: Path) -> None:
    target, new = tmp_path / "out", tmp_path / "new"
    target.mkdir()
    new.mkdir()
    (target / "mine").write_text("x")
    (target / COMPLETE).mkdir()
    (target / COMPLETE / "a").write_text("first")
    (target / COMPLETE / ".replaced").write_text('["../outside", "mine2"]')
    (tmp_path / "outside").write_text("stays")
    (new / MANIFEST).write_text("{}")
    fill_folder(new, target, MANIFEST, [])
    assert sorted(path.name for path in target.iterdir()) == ["a", "mine", MANIFEST]
    assert (tmp_path / "outside").exists(), "a list in a folder does not delete files elsewhere"


def test_a_full_disk_is_named_with_the_folder(tmp_path: Path) -> None:
    def fill(_: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match=r"No space left on device: '.*results'"):
        write_folder(tmp_path / "results", fill)
    assert list(tmp_path.iterdir()) == []
