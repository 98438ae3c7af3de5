"""``hoscpool classify`` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from hoscpool.classify import GraphClassifier, evaluate_split
from hoscpool.classify.evaluation import study
from hoscpool.cli import main
from hoscpool.cli.sources import load_graph_set

QUICK = ["--max-epochs", "1", "--splits", "2", "--hidden", "4", "--batch-size", "16"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Triangles and paths of three nodes in the TU format; nodes and edges are numbered from 1."""
    target = tmp_path / "toys"
    target.mkdir()
    edges, owner, labels = [], [], []
    for graph in range(20):
        a = 3 * graph + 1
        pairs = [(a, a + 1), (a + 1, a + 2), *([(a, a + 2)] if graph % 2 else [])]
        edges += [f"{i}, {j}" for pair in pairs for i, j in (pair, pair[::-1])]
        owner += [str(graph + 1)] * 3
        labels.append(str(graph % 2))
    for name, lines in {"A": edges, "graph_indicator": owner, "graph_labels": labels, "node_labels": owner}.items():
        (target / f"TOYS_{name}.txt").write_text("\n".join(lines) + "\n")
    return target


def test_a_folder_is_read_as_graphs(folder: Path) -> None:
    name, graphs = load_graph_set(str(folder))
    assert (name, len(graphs)) == ("toys", 20)
    assert graphs[3].x.shape == (3, 20)
    assert graphs[3].edge_index.shape == (2, 6)
    assert int(graphs[3].y) == 1


def test_accuracy_is_printed_and_a_report_written(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("plotly")
    output = tmp_path / "out"
    assert main(["classify", str(folder), "--pooling", "hosc", *QUICK, "-o", str(output), "--diagnose"]) == 0
    said = capsys.readouterr().out
    assert "split  2 of 2: test" in said
    assert "test accuracy" in said
    assert "±" in said
    assert "what the pools do" in said
    files = {path.relative_to(output).as_posix() for path in output.rglob("*") if path.is_file()}
    expected = {"report.html", "results.csv", "splits.json", "summary.json", "model/model.json"}
    assert files == expected | {"model/model.safetensors"}
    summary = json.loads((output / "summary.json").read_text())
    rows = (output / "results.csv").read_text().splitlines()
    assert len(rows) == 3
    accuracies = [float(row.split(",")[1]) for row in rows[1:]]
    assert summary["accuracy"] == pytest.approx(np.mean(accuracies))
    assert f"{100 * summary['accuracy']:.1f} ±" in said
    parts = json.loads((output / "splits.json").read_text())["splits"]
    assert sorted(parts[0]["train"] + parts[0]["validation"] + parts[0]["test"]) == list(range(20))
    assert GraphClassifier.load(output / "model").n_features_in_ == 20
    page = (output / "report.html").read_text()
    assert "What the pools do" in page
    assert "coarsened graph" in page
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_an_interrupted_run_goes_on(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "out"

    def interrupt(*arguments: object) -> object:
        if arguments[3] == 1:
            raise KeyboardInterrupt
        return evaluate_split(*arguments)  # type: ignore[arg-type]

    command = ["classify", str(folder), *QUICK, "-o", str(output), "--pooling", "none"]
    with monkeypatch.context() as patch:
        patch.setattr(study, "evaluate_split", interrupt)
        assert main(command) == 130
    assert "run the same command to continue" in capsys.readouterr().err
    assert not output.exists()
    assert main(command) == 0
    assert output.exists()
    assert not (tmp_path / ".out.unfinished").exists()


def test_tuning_says_what_was_chosen(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "out"
    assert main(["classify", str(folder), *QUICK, "--tune", "-o", str(output)]) == 0
    assert "chosen: hidden " in capsys.readouterr().out
    results = json.loads((output / "summary.json").read_text())["results"]
    assert all(len(row["trials"]) == 6 for row in results), "the given width, three others, skip connections, no μ"
    assert (output / "report.html").read_text().count("chosen</td>") == len(results)


def test_a_note_is_said_once_and_not_by_every_fit(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edges = [line.split(", ") for line in (folder / "TOYS_A.txt").read_text().splitlines()]
    paths = [f"{i}, {j}" for i, j in edges if abs(int(i) - int(j)) == 1]
    (folder / "TOYS_A.txt").write_text("\n".join(paths) + "\n")
    assert main(["classify", str(folder), *QUICK, "-o", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().err.count("no training graph has the motif triangle") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "neither a folder nor a dataset of graphs"),
        (["mutga"], "; did you mean 'mutag'?"),
        (["mutag", "--pooling", "hosk"], "unknown pool 'hosk'"),
        (["mutag", "--encoder", "x"], "unknown encoder 'x'"),
        (["mutag", "--ratio", "2"], "ratio: expected a share"),
        (["mutag", "--seed", "-1"], "--seed: expected a whole number"),
        (["FOLDER"], "expected one dataset in the TU format"),
    ],
)
def test_bad_input(arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [str(tmp_path) if word == "FOLDER" else word for word in arguments]
    assert main(["classify", *arguments, "-o", str(tmp_path / "out")]) == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_damaged_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "TOYS_A.txt").write_text("1, x\n")
    assert main(["classify", str(folder), *QUICK]) == 2
    assert "cannot be read as a file of the TU format" in capsys.readouterr().err
    (folder / "TOYS_graph_labels.txt").unlink()
    assert main(["classify", str(folder), *QUICK]) == 2
    assert "expected TOYS_graph_labels.txt beside TOYS_A.txt" in capsys.readouterr().err
