from __future__ import annotations

from pathlib import Path

import pytest

from hoscpool.cli import main
from hoscpool.datasets import list_datasets

WIDTH = 80


@pytest.fixture(autouse=True)
def _piped(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when the output goes into a file."""
    for name in ("HOSCPOOL_DATA", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)


def test_lists_every_dataset_on_one_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["datasets"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert "…" not in "".join(lines)
    for name in list_datasets():
        (line,) = [line for line in lines if line.startswith(f" {name} ")]
        assert line.split()[-1].isdigit(), "ends in the year of the citation"


def test_says_what_is_here(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    raw = tmp_path / "PolBlogs" / "raw"
    raw.mkdir(parents=True)
    for name in ("adjacency.tsv", "labels.tsv"):
        (raw / name).touch()
    assert main(["datasets", "--data-root", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    here = {line.split()[0]: line for line in out.splitlines() if line.strip()}
    assert " yes " in here["polblogs"]
    assert " no " in here["cora"]
    assert " yes " in here["karate"]
    assert str(tmp_path) in out.splitlines()
    assert "(--data-root)" in out


def test_without_a_data_root_it_names_the_download_folder(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOSCPOOL_CACHE", str(tmp_path))
    main(["datasets"])
    assert str(tmp_path / "downloads") in capsys.readouterr().out.splitlines()


def test_one_dataset_in_full(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["datasets", "polblogs", "--data-root", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "1,490 nodes, 19,022 directed edges, no features, 2 classes" in out
    assert "1,491 nodes, 33,433 edges, 10 features" in out
    assert "Adamic" in out
    assert "none stated by the publisher" in out
    assert f"{tmp_path}/PolBlogs/raw lacks adjacency.tsv, labels.tsv" in out


@pytest.mark.parametrize(("name", "expected"), [("syn1", "none needed"), ("proteins", "1,113 graphs, 43,471 nodes")])
def test_entries_of_other_kinds(name: str, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["datasets", name]) == 0
    assert expected in capsys.readouterr().out


def test_unknown_dataset(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["datasets", "corra"]) == 2
    assert "Did you mean 'cora'?" in capsys.readouterr().err
