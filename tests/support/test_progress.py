"""The progress bar: silent unless a person is watching and waiting."""

from __future__ import annotations

import pytest

from hoscpool.support import progress
from hoscpool.support.progress import FitBar, Progress, silent, waiting


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


@pytest.mark.parametrize("verbose", [0, 1, 2])
def test_a_fit_bar_asks_for_words_only_when_it_shows_them(verbose: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "INTERVAL", -1.0)
    asked: list[int] = []
    with FitBar(verbose, 10, done=3) as bar:
        for epoch in range(4):
            bar.advance(lambda: asked.append(epoch) or f"epoch {epoch}")  # type: ignore[func-returns-value]  # noqa: B023
    assert bar.done == 7
    assert asked == ([0, 1, 2, 3] if verbose else [])


def test_a_fit_bar_shows_its_words(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "INTERVAL", -1.0)
    with FitBar(2, 4) as bar:
        for _ in range(4):
            bar.advance(lambda: "loss -0.5")
    assert "loss -0.5" in capsys.readouterr().err


@pytest.mark.parametrize("verbose", [0, 1])
def test_waiting_says_for_what(
    verbose: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    with waiting(verbose, "comparing features"):
        pass
    assert ("comparing features" in capsys.readouterr().err) is bool(verbose)


def test_silence_hides_bars_and_ends_with_its_block(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    with silent(), silent(wanted=False), Progress("hidden", 10) as bar:
        bar.advance(5)
    with silent(wanted=False), Progress("counting", 10) as bar:
        bar.advance(5)
    shown = capsys.readouterr().err
    assert "hidden" not in shown
    assert "counting" in shown


def test_parts_of_a_bar_add_up(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "INTERVAL", -1.0)
    monkeypatch.setenv("TERM", "xterm")
    with FitBar(2, 20) as bar:
        with bar.part(10) as first:
            first.advance(lambda: "first")
        second = bar.part(10)
        second.advance(lambda: "second")
    assert (first.done, second.done) == (10, 1)
    assert "55%" in capsys.readouterr().err  # of 20, the first part counts whole
