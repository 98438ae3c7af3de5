"""The command line as a whole: it answers at once, and bad input never shows a traceback."""

from __future__ import annotations

import subprocess
import sys

import pytest

from hoscpool import __version__
from hoscpool.cli import main

HEAVY = ("torch", "numba", "torch_geometric", "scipy", "rich", "networkx", "plotly")


@pytest.mark.parametrize("code", ["import hoscpool", "import hoscpool.cli; hoscpool.cli.build_parser().format_help()"])
def test_nothing_heavy_is_imported(code: str) -> None:
    check = f"{code}\nimport sys\nprint([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], check=True, capture_output=True, text=True)
    assert done.stdout.strip().endswith("[]")


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--help"])
    assert caught.value.code == 0
    output = capsys.readouterr().out
    assert all(command in output for command in ("demo", "cluster", "motifs", "datasets", "bench"))


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
    assert main(["demo"]) == 1
    assert "interrupted" in capsys.readouterr().err


def test_a_closed_pipe_is_quiet() -> None:
    command = f"{sys.executable} -m hoscpool datasets | head -n 1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr
