"""The progress bar: silent unless a person is watching and waiting."""

from __future__ import annotations

import pytest

from hoscpool import progress
from hoscpool.progress import Progress


def test_nothing_is_shown_before_patience_runs_out(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with Progress("counting", 10) as bar:
        bar.advance(10)
    assert bar.done == 10
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("tty", "description", "shown"), [(True, "counting", True), (False, "counting", False), (True, None, False)]
)
def test_shown_only_on_a_terminal_and_only_with_a_name(
    tty: bool, description: str | None, shown: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: tty, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    with Progress(description, 10) as bar:
        bar.advance(5)
        bar.advance(5)
    assert ("counting" in capsys.readouterr().err) is shown
