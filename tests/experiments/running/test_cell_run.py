from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import hoscpool
from experiments.protocols.test_graph_classification import _graphs
from hoscpool.classify import GraphClassifier
from hoscpool.classify.epochs import Run
from hoscpool.experiments.protocols import graph_classification as classification
from hoscpool.experiments.running.cell import Cell
from hoscpool.experiments.running.cell_run import (
    NOT_COMPUTING,
    SCRATCH,
    Interruption,
    code_fingerprint,
    fingerprint,
    open_scratch,
)
from hoscpool.experiments.running.scheduler import Options, run_cells
from hoscpool.experiments.running.store import Store
from hoscpool.training import checkpoint

CELL = Cell("classification", "toy", "hosc", 1, {"protocol": 0})
EPOCHS = 6


@pytest.fixture
def epochs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Small cells that keep their training after every epoch; the epochs that were begun."""
    begun: list[int] = []
    epoch = Run._epoch

    def watched(run: Run) -> None:
        begun.append(run.progress.epoch)
        epoch(run)

    monkeypatch.setattr(Run, "_epoch", watched)
    monkeypatch.setattr(checkpoint.Checkpoint.__init__, "__defaults__", (None, "", 0.0))
    monkeypatch.setattr(classification, "load_graphs", _graphs)
    monkeypatch.setattr(
        classification, "_model", lambda _, m, seed: GraphClassifier(m.removesuffix("-tuned"), EPOCHS, seed, hidden=4)
    )
    monkeypatch.setattr(
        classification, "_grid", lambda method: {"hidden": (4, 2)} if method.endswith("-tuned") else None
    )
    return begun


def stop_at(monkeypatch: pytest.MonkeyPatch, count: int, begun: list[int]) -> None:
    """Ctrl-C in the epoch of this number, counted over all trainings."""
    train_epoch = Run.train_epoch

    def interrupted(run: Run) -> Any:
        if len(begun) == count:
            raise Interruption
        return train_epoch(run)

    monkeypatch.setattr(Run, "train_epoch", interrupted)


def run(folder: Path, cell: Cell = CELL) -> dict[str, Any]:
    store = Store(folder)
    run_cells([cell], store, Options())
    return store.records(cell.experiment)[-1]


@pytest.mark.parametrize(("method", "stop", "again"), [("hosc", 4, [3, 4, 5]), ("hosc-tuned", 9, [2, 3, 4, 5])])
def test_an_interrupted_cell_goes_on_to_the_same_record(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, epochs: list[int], method: str, stop: int, again: list[int]
) -> None:
    cell = Cell("classification", "toy", method, 1, {"protocol": 0})
    whole = run(tmp_path / "whole", cell)
    epochs.clear()
    with monkeypatch.context() as patch:
        stop_at(patch, stop, epochs)
        with pytest.raises(KeyboardInterrupt):
            run(tmp_path / "parts", cell)
    epochs.clear()
    found = run(tmp_path / "parts", cell)
    assert epochs == again
    assert {name: found[name] for name in ("metrics", "info", "hash")} == {
        name: whole[name] for name in ("metrics", "info", "hash")
    }
    assert not (tmp_path / "parts" / SCRATCH).exists()


def test_the_time_of_both_parts_is_recorded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, epochs: list[int]) -> None:
    with monkeypatch.context() as patch:
        stop_at(patch, 4, epochs)
        with pytest.raises(KeyboardInterrupt):
            run(tmp_path)
    (file,) = tmp_path.glob(f"{SCRATCH}/*/training.json")
    earlier = {"wall": 1000.0, "cpu": 500.0}
    restore = checkpoint.Checkpoint.restore

    def restored(kept: checkpoint.Checkpoint, training: Any) -> bool:
        there = restore(kept, training)
        assert training.progress.cpu > 0
        assert training.progress.wall > 0
        vars(training.progress).update(earlier)
        return there

    monkeypatch.setattr(checkpoint.Checkpoint, "restore", restored)
    assert file.exists()
    seconds = run(tmp_path)["seconds"]
    assert 1000 < seconds["wall"] < 1500
    assert 500 < seconds["cpu"] < 1000


def test_a_cell_that_fails_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, epochs: list[int]
) -> None:
    def fail(_: Run) -> Any:
        raise MemoryError

    monkeypatch.setattr(Run, "_validate", fail)
    assert run(tmp_path)["status"] == "failed"
    assert epochs == [0]
    assert not (tmp_path / SCRATCH).exists()


def test_a_cell_is_kept_by_one_process_at_a_time(tmp_path: Path) -> None:
    with open_scratch(tmp_path, CELL) as first, open_scratch(tmp_path, CELL) as second:
        assert first is not None
        assert first.is_dir()
        assert second is None
    with open_scratch(tmp_path, CELL) as third:
        assert third == first


def test_a_folder_that_cannot_be_had_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with open_scratch(tmp_path / "file", CELL) as folder:
        assert folder is None


def test_there_is_no_folder_without_a_root() -> None:
    with open_scratch(None, CELL) as folder:
        assert folder is None


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    for name, text in (("graph/a.py", "1\n2\n"), ("graph/deep/b.py", "3\n"), ("cli/c.py", "4\n"), ("graph/d.txt", "5")):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "content", "changes"),
    [
        ("graph/a.py", b"1\n3\n", True),
        ("graph/deep/b.py", b"3\n\n", True),
        ("graph/new.py", b"", True),
        ("new/e.py", b"", True),
        ("top.py", b"", True),
        ("graph/cli/c.py", b"", True),
        ("graph/a.py", b"1\r\n2\r\n", False),
        ("cli/c.py", b"other", False),
        ("graph/d.txt", b"other", False),
    ],
)
def test_the_fingerprint_changes_with_the_sources_that_compute(
    sources: Path, name: str, content: bytes, changes: bool
) -> None:
    before = fingerprint(sources, ("cli",))
    (sources / name).parent.mkdir(parents=True, exist_ok=True)
    (sources / name).write_bytes(content)
    assert (fingerprint(sources, ("cli",)) != before) is changes


def test_names_count_in_the_fingerprint(sources: Path) -> None:
    before = fingerprint(sources, ("cli",))
    (sources / "graph" / "a.py").rename(sources / "graph" / "z.py")
    assert fingerprint(sources, ("cli",)) != before


def test_the_fingerprint_of_this_code() -> None:
    assert len(code_fingerprint()) == 12
    for layer in NOT_COMPUTING:
        assert (Path(hoscpool.__file__).parent / layer / "__init__.py").exists()
