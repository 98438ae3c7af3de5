"""``hoscpool reproduce`` from the command line to the records."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hoscpool.cli import main
from hoscpool.experiments.running.store import Store

KARATE = ["table1", "--datasets", "karate", "--methods", "sc,msc", "--seeds", "2"]


def test_run_then_nothing_left_to_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = ["--results", str(tmp_path / "results")]
    assert main(["reproduce", *KARATE, *results]) == 0
    out = capsys.readouterr().out
    assert "4 cells to run, 0 already done" in out
    assert "[4/4] clustering karate msc seed 1: nmi 0.837" in out
    assert len(Store(tmp_path / "results").records("clustering")) == 4
    (line,) = (" ".join(line.split()) for line in out.splitlines() if "0.870 ± 0.031" in line)
    assert line == "Karate MSC 0.870 ± 0.031 0.837 ± 0.000 2 −0.033 ± 0.023 ≠"
    assert main(["reproduce", *KARATE, *results]) == 0
    assert "0 cells to run, 4 already done" in capsys.readouterr().out


def test_the_table_of_other_methods_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = ["--results", str(tmp_path)]
    main(["reproduce", *KARATE, *results])
    capsys.readouterr()
    assert main(["reproduce", "table7", "--datasets", "karate", "--methods", "sc", "--seeds", "1", *results]) == 0
    out = capsys.readouterr().out
    assert "SC Homog" in out
    assert "MSC" not in out
    assert out.endswith(f"For a page with plots: hoscpool report {tmp_path}\n")


def test_a_closed_pipe_does_not_end_the_run(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    program = "import sys; from hoscpool.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", program, "reproduce", *KARATE, "--results", str(tmp_path)]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(Store(tmp_path).records("clustering")) == 4


def test_a_dry_run_lists_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "results"
    assert main(["reproduce", *KARATE, "--dry-run", "--results", str(folder)]) == 0
    out = capsys.readouterr().out
    assert "clustering karate sc " in out
    assert "seeds 0,1" in out
    assert "4 of 4 cells to run, 0 already done; about " in out
    assert not folder.exists()


def test_one_cell_is_not_called_cells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = ["reproduce", "table1", "--datasets", "karate", "--methods", "sc", "--seeds", "1", "--results", str(tmp_path)]
    assert main([*one, "--dry-run"]) == 0
    planned = capsys.readouterr().out
    assert "  seed 0  " in planned
    assert "\n1 of 1 cell to run, 0 already done; about " in planned
    assert main(one) == 0
    assert capsys.readouterr().out.startswith("1 cell to run, 0 already done\n")


@pytest.mark.parametrize("more", [[], ["--dry-run"]])
@pytest.mark.parametrize("results", ["file", "file/results"])
def test_a_file_is_no_folder_of_results(
    results: str, more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("mine")
    assert main(["reproduce", *KARATE, *more, "--results", str(tmp_path / results)]) == 2
    captured = capsys.readouterr()
    assert f"--results: {tmp_path / 'file'} is a file; give the name of a folder" in captured.err
    assert captured.out == "", "refused before any work"
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that nobody can write")
def test_results_that_nobody_may_write(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", *KARATE, "--results", "/proc/results"]) == 2
    captured = capsys.readouterr()
    assert "--results: the folder /proc cannot be written" in captured.err
    assert captured.out == "", "refused before any work"


def test_the_name_of_the_folder_is_printed_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["table1", "--datasets", "karate", "--methods", "sc", "--seeds", "1"]
    assert main(["reproduce", *arguments, "--results", str(tmp_path / "d[/b]")]) == 0
    assert "d[/b]\n" in capsys.readouterr().out


def test_missing_data_are_named_and_the_rest_is_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOSCPOOL_DATA", str(tmp_path))
    arguments = ["table1", "--datasets", "cora,karate", "--methods", "sc", "--seeds", "1"]
    assert main(["reproduce", *arguments, "--results", str(tmp_path / "results")]) == 1
    out = capsys.readouterr().out
    assert "cora left out: dataset 'cora': no ind.cora.x" in out
    assert "hoscpool report" in out
    assert "1 done, 0 failed" in out
    arguments = ["table1", "--datasets", "cora", "--methods", "sc", "--seeds", "1"]
    assert main(["reproduce", *arguments, "--results", str(tmp_path / "nothing")]) == 1
    assert "hoscpool report" not in capsys.readouterr().out, "there is nothing to report"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["table1", "--datasets", "moon"], "--datasets: expected some of cora"),
        (["table1", "--methods", "moon"], "--methods: expected some of sc"),
        (["table1", "--scheduler", "tcp://host:1"], "--scheduler: works only with --backend dask"),
    ],
)
def test_bad_values_are_named(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", *arguments]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("arguments", ["table9", "", "table1 --seeds 0", "table1 --datasets ,", "table1 --budget 0"])
def test_argparse_errors(arguments: str) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["reproduce", *arguments.split()])
    assert stop.value.code == 2


def test_a_damaged_store_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "clustering.jsonl").write_text("nonsense\n")
    assert main(["reproduce", *KARATE, "--results", str(tmp_path)]) == 2
    assert "line 1: not a record" in capsys.readouterr().err


def test_the_parsers_import_nothing_heavy() -> None:
    code = (
        "import argparse, sys; from hoscpool.cli import report, reproduce; "
        "reproduce.add_arguments(argparse.ArgumentParser()); report.add_arguments(argparse.ArgumentParser()); "
        "sys.exit(bool({'numpy', 'scipy', 'torch', 'rich', 'joblib'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
