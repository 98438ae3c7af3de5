"""``hoscpool motifs`` with --profile, --nodes and --motif-file as a user runs it."""

from __future__ import annotations

import csv
from pathlib import Path

import networkx as nx
import pandas as pd
import pytest

from hoscpool.cli import main
from hoscpool.cli.motif_questions import remarks


@pytest.fixture
def graph_file(tmp_path: Path) -> Path:
    path = tmp_path / "caves.csv"
    edges = nx.relabel_nodes(nx.connected_caveman_graph(8, 5), lambda node: f"n{node}").edges
    path.write_text("from,to\n" + "".join(f"{a},{b}\n" for a, b in edges))
    return path


@pytest.fixture
def motif_file(tmp_path: Path) -> Path:
    path = tmp_path / "bow_tie.csv"
    path.write_text("from,to\na,b\nb,c\nc,a\nc,d\nd,e\ne,c\n")
    return path


def test_profile(graph_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "profile.csv"
    assert main(["motifs", str(graph_file), "--profile", "--samples", "20", "-o", str(target)]) == 0
    output = capsys.readouterr().out
    assert "20 random graphs of the same degrees" in output
    assert "triangle: " in output
    assert "times more than chance would give." in output
    table = pd.read_csv(target, index_col="motif")
    assert list(table.columns) == ["count", "mean", "std", "z", "significance", "p"]
    assert table.loc["triangle", "z"] > 5


def test_an_unremarkable_graph(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "random.csv"
    path.write_text("".join(f"{a},{b}\n" for a, b in nx.gnm_random_graph(40, 90, seed=5).edges))
    assert main(["motifs", str(path), "--profile", "--motif", "triangle", "--samples", "30"]) == 0
    assert "No motif is much more or much less frequent than by chance." in capsys.readouterr().out


def test_words() -> None:
    table = pd.DataFrame(
        {"count": [90, 3, 5, 10], "mean": [2.0, 0, 20, 10], "z": [40.0, float("inf"), -4, 0]}, index=list("abcd")
    )
    assert remarks(table) == [
        "b: 3, more than chance would give.",
        "a: 45 times more than chance would give.",
        "c: 75 % less than chance would give.",
    ]


def test_nodes(graph_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "counts.csv"
    options = ["--nodes", "--motif", "wedge", "--motif", "triangle", "--top", "2", "-o", str(target)]
    assert main(["motifs", str(graph_file), *options]) == 0
    assert "nodes in most triangles" in capsys.readouterr().out
    with target.open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 40
    found = nx.triangles(nx.relabel_nodes(nx.connected_caveman_graph(8, 5), lambda node: f"n{node}"))
    assert {row["node"]: int(row["triangle"]) for row in rows} == found


def test_a_motif_from_a_file(graph_file: Path, motif_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["motifs", str(graph_file), "--motif-file", str(motif_file)]) == 0
    output = capsys.readouterr().out
    assert "bow-tie (5 nodes, 6 edges) is counted by a search for its instances" in output
    assert main(["motifs", str(graph_file), "--motif-file", str(motif_file), "--anchors", "a,e", "--nodes"]) == 0
    square = motif_file.with_name("square.csv")
    square.write_text("p,q\nq,r\nr,s\ns,p\n")
    assert main(["motifs", str(graph_file), "--motif-file", str(square)]) == 0
    assert "square (4 nodes, 4 edges, the same as cycle4) is counted as fast as cycle4" in capsys.readouterr().out


def test_what_takes_too_long_is_left_out_or_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, motif = tmp_path / "dense.csv", tmp_path / "path6.csv"
    path.write_text("".join(f"{a},{b}\n" for a, b in nx.complete_graph(120).edges))
    motif.write_text("0,1\n1,2\n2,3\n3,4\n4,5\n")
    assert main(["motifs", str(path), "--motif-file", str(motif), "--max-seconds", "1"]) == 2
    assert "the limit is 1 seconds; pass max_seconds=None (--max-seconds 0)" in capsys.readouterr().err
    assert main(["motifs", str(path), "--directed", "--induced", "--max-seconds", "0.0001", "--top", "0"]) == 0
    assert "left out: counting bifan" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--anchors", "a,b"], "--anchors: expected exactly one --motif-file"),
        (
            ["--motif-file", "{motif}", "--anchors", "a,z"],
            "--anchors: expected nodes of the motif, a, b, c, d, e, got 'z'",
        ),
        (["--motif-file", "{motif}", "--motif-file", "{motif}"], "every motif only once"),
        (["--motif-file", "nowhere.csv"], "nowhere.csv"),
        (["--nodes", "-o", "counts.npz"], "cannot write 'counts.npz'"),
        (["--profile", "--samples", "1"], "samples: expected a whole number of at least 2"),
        (["--profile", "--keep-mutual"], "keep_mutual: expected a directed graph"),
        (["--max-seconds", "-1"], "--max-seconds: expected a number"),
    ],
)
def test_bad_input(
    graph_file: Path, motif_file: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["motifs", str(graph_file), *(option.format(motif=motif_file) for option in options)]) == 2
    assert message in capsys.readouterr().err
