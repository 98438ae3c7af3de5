"""The progress bar: silent unless a person is watching and waiting."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from hoscpool.support import progress
from hoscpool.support.progress import FitBar, NotebookBar, Progress, in_notebook, silent, waiting


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


class Display:
    """Stands for the handle of IPython."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def update(self, what: Any) -> None:
        self.seen.append(what._repr_html_() if isinstance(what, NotebookBar) else "")


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> Display:
    handle = Display()

    def display(what: Any, display_id: bool) -> Display:
        assert display_id
        handle.update(what)
        return handle

    shell: Any = ModuleType("IPython")
    shell.get_ipython = lambda: SimpleNamespace(kernel=object())
    shell.display = ModuleType("IPython.display")
    shell.display.display, shell.display.HTML = display, lambda text: SimpleNamespace(text=text)
    for name, module in (
        ("ipykernel", ModuleType("ipykernel")),
        ("IPython", shell),
        ("IPython.display", shell.display),
    ):
        monkeypatch.setitem(sys.modules, name, module)
    return handle


def test_work_shows_a_bar_that_goes_away(notebook: Display, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", -1)
    with Progress("counting <b>", 4) as bar:
        bar.advance(1)
        bar.advance(3)
    assert "counting &lt;b&gt; <progress value='1' max='4'></progress> 25%" in notebook.seen[1]
    assert "100%" in notebook.seen[2]
    assert notebook.seen[-1] == ""


def test_a_fit_and_work_of_unknown_length(notebook: Display, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "INTERVAL", -1)
    with FitBar(2, 2) as bar:
        bar.advance(lambda: "loss 1")
    assert "loss 1 <progress value='1' max='2'>" in notebook.seen[-1], "it stays"
    with waiting(1, "reading"):
        assert "reading <progress></progress>" in notebook.seen[-1]
    assert repr(NotebookBar(transient=True)) == " 0 of ?"


def test_without_a_kernel_there_is_no_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    assert not in_notebook()
