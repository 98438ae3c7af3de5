"""A process that is killed at any step leaves the old result or the new one, never a mixture that looks whole."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hoscpool.report.folder import MANIFEST, check_folder, foreign_files, write_folder
from hoscpool.report.folder_commit import COMPLETE, fill_folder

KILLED = """
import os, sys
from pathlib import Path
from hoscpool.report import folder, folder_commit

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
folder_commit.exchange = (lambda *_: False) if mode == "no exchange" else counted(folder_commit.exchange)
folder_commit.shutil.rmtree = counted(folder_commit.shutil.rmtree)

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
