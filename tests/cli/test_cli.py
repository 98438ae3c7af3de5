"""The command line as a whole: it answers at once, and bad input never shows a traceback."""

from __future__ import annotations

import argparse
import errno
import importlib
import os
import shlex
import signal
import subprocess
import sys
import time

import pytest

from hoscpool import __version__
from hoscpool.cli import COMMANDS, build_parser, main

HEAVY = ("torch", "numba", "torch_geometric", "scipy", "rich", "networkx", "plotly")


@pytest.mark.parametrize("code", ["import hoscpool", "import hoscpool.cli; hoscpool.cli.build_parser().format_help()"])
def test_nothing_heavy_is_imported(code: str) -> None:
    check = f"{code}\nimport sys\nprint([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], check=True, capture_output=True, text=True)
    assert done.stdout.strip().endswith("[]")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_read_when_it_is_called(name: str) -> None:
    code = f"""
import sys
from hoscpool.cli import COMMANDS, build_parser
loaded = lambda: [name for name in COMMANDS if f"hoscpool.cli.{{name}}" in sys.modules]
parser = build_parser()
assert not loaded(), loaded()
try:
    parser.parse_args([{name!r}, "--help"])
except SystemExit:
    print(loaded(), [m for m in {HEAVY!r} if m in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert f"usage: hoscpool {name}" in done.stdout
    assert done.stdout.strip().endswith(f"{[name]} []")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_examples_of_a_command_are_valid(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    examples = importlib.import_module(f"hoscpool.cli.{name}").EXAMPLES
    for example in examples:
        program, *words = shlex.split(example.split(" > ")[0].split(" | ")[0])
        assert (program, words[0]) == ("hoscpool", name)
        if "--help" not in words:
            build_parser().parse_args(words)
    with pytest.raises(SystemExit):
        main([name, "--help"])
    out = capsys.readouterr().out
    assert f"examples:\n  {examples[0][:40]}" in out


def test_every_command_has_a_module_and_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    output = " ".join(capsys.readouterr().out.split())
    for name, summary in COMMANDS.items():
        assert f"{name} {summary}" in output
        command = importlib.import_module(f"hoscpool.cli.{name}")
        assert command.DESCRIPTION
        assert callable(command.run)


@pytest.mark.parametrize(
    ("words", "meant"), [("clustr", "cluster"), ("reproduce tabel1", "table1"), ("bench fti", "fit")]
)
def test_a_misspelt_name_is_guessed(words: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(words.split())
    assert caught.value.code == 2
    assert f"did you mean {meant!r}?" in capsys.readouterr().err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out.strip() == f"hoscpool {__version__}"


def test_no_command_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([])
    assert caught.value.code == 2
    assert "required" in capsys.readouterr().err


def test_public_names_resolve() -> None:
    import hoscpool

    for name in hoscpool.__all__:
        assert getattr(hoscpool, name) is not None
    assert set(hoscpool.__all__) <= set(dir(hoscpool))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        hoscpool.nothing  # noqa: B018


def test_interruption_is_not_a_traceback(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(_args: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("hoscpool.cli.demo.run", interrupt)
    assert main(["demo"]) == 130
    assert "interrupted" in capsys.readouterr().err


def test_a_closed_pipe_is_quiet() -> None:
    command = f"{sys.executable} -m hoscpool datasets | head -n 1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("name", COMMANDS)
def test_a_signal_gives_the_same_exit_code_for_every_command(
    name: str, number: int, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("hoscpool.support.processes._end_after", lambda *_: None)
    monkeypatch.setattr(f"hoscpool.cli.{name}.add_arguments", lambda _: None)

    def run(_: argparse.Namespace) -> None:
        os.kill(os.getpid(), number)
        time.sleep(5)

    monkeypatch.setattr(f"hoscpool.cli.{name}.run", run)
    try:
        found: object = main([name])
    except SystemExit as end:
        found = end.code
    assert found == code
    assert "hoscpool: " in capsys.readouterr().err


def test_a_command_that_finishes_after_ctrl_c_still_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoscpool.cli.demo.add_arguments", lambda _: None)

    def run(_: argparse.Namespace) -> int:
        try:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(5)
        except KeyboardInterrupt:  # as an estimator does, which returns its best so far
            pass
        return 0

    monkeypatch.setattr("hoscpool.cli.demo.run", run)
    assert main(["demo"]) == 130


def test_used_up_memory_is_explained(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("hoscpool.cli.demo.add_arguments", lambda _: None)

    def run(_: argparse.Namespace) -> None:
        raise MemoryError

    monkeypatch.setattr("hoscpool.cli.demo.run", run)
    assert main(["demo"]) == 2
    assert "memory is used up" in capsys.readouterr().err


def test_a_full_disk_is_explained(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("hoscpool.cli.demo.add_arguments", lambda _: None)

    def run(_: argparse.Namespace) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "out/labels.csv")

    monkeypatch.setattr("hoscpool.cli.demo.run", run)
    assert main(["demo"]) == 2
    said = "out/labels.csv: No space left on device; make room, and run the command again"
    assert said in capsys.readouterr().err
