"""The bar in a notebook, with a display that remembers what it was shown."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from hoscpool.support import progress
from hoscpool.support.display.notebook_bar import NotebookBar, in_notebook
from hoscpool.support.progress import FitBar, Progress, waiting


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
