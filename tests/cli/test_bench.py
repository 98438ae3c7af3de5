"""``hoscpool bench`` from the command line to the files."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hoscpool.cli import main


def test_unknown_suite_and_option_are_argparse_errors(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (
        ["nothing"],
        [],
        ["motifs", "--threads", "0"],
        ["motifs", "--repeats", "-1"],
        ["motifs", "--threads", "a,b"],
    ):
        with pytest.raises(SystemExit) as stop:
            main(["bench", *arguments])
        assert stop.value.code == 2
    error = capsys.readouterr().err
    assert "invalid choice: 'nothing'" in error
    assert "argument --threads: expected a whole number of at least 1, got 'a'" in error


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--graphs", "photo,moon"], "--graphs: expected some of"),
        (["--graphs", "foto"], "; did you mean 'photo'?"),
        (["--peers", "moon"], "--peers: expected some of scipy"),
        (["-o", "results.txt"], "--output: expected a file name ending in"),
    ],
)
def test_bad_values_are_named_before_anything_runs(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "motifs", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_the_parser_imports_nothing_heavy() -> None:
    code = (
        "import argparse, sys; from hoscpool.cli import bench; "
        "bench.add_arguments(argparse.ArgumentParser()); "
        "sys.exit(bool({'numpy', 'scipy', 'numba', 'torch', 'rich'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_missing_data_are_listed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOSCPOOL_DATA", str(tmp_path))
    assert main(["bench", "motifs", "--graphs", "photo", "--peers", "scipy"]) == 0
    assert "no data" in capsys.readouterr().out


def _run(peers: list[str], folder: Path) -> list[dict[str, object]]:
    page, data = folder / "benchmarks.md", folder / "raw.json"
    options = ["--quick", "--graphs", "powerlaw-2k", *peers, "--repeats", "1", "-o", str(page), "-o", str(data)]
    assert main(["bench", "motifs", *options]) == 0
    assert "bench:motifs:start" in page.read_text()
    content = json.loads(data.read_text())
    assert content["suite"] == "motifs"
    return list(content["records"])


def test_quick_run_against_scipy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = _run(["--peers", "scipy"], tmp_path)
    assert [(record["contender"], record["status"]) for record in records] == [("HoscPool", "ok"), ("SciPy", "ok")]
    for record in records:
        assert record["triangles"] == 16_178
        assert isinstance(record["seconds"], float)
        assert isinstance(record["memory"], int)
    assert "power-law cluster 2k" in capsys.readouterr().out


@pytest.mark.slow
def test_quick_run_against_all_peers(tmp_path: Path) -> None:
    records = _run([], tmp_path)
    assert len(records) == 9
    assert {record["status"] for record in records} <= {"ok", "not installed"}
