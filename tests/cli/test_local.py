"""``hoscpool local`` as a user runs it."""

from __future__ import annotations

import csv
from pathlib import Path

import networkx as nx
import pytest

from hoscpool.cli import main


@pytest.fixture
def graph_file(tmp_path: Path) -> Path:
    """Two cliques, a… and b…, with one edge between them."""
    graph = nx.barbell_graph(5, 0)
    path = tmp_path / "two.csv"
    names = [f"{'ab'[node // 5]}{node % 5}" for node in graph]
    path.write_text("from,to\n" + "".join(f"{names[a]},{names[b]}\n" for a, b in graph.edges))
    return path


def test_the_cluster_of_a_node(graph_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "members.csv"
    assert main(["local", str(graph_file), "--node", "b3", "-o", str(target)]) == 0
    output = capsys.readouterr().out
    assert "the cluster around b3, by triangle" in output
    assert "5 nodes; the cut takes 0.0% of the cluster's triangle volume" in output
    with target.open() as file:
        rows = list(csv.DictReader(file))
    assert {row["node"] for row in rows} == {"b0", "b1", "b2", "b3", "b4"}
    assert all(float(row["score"]) > 0 for row in rows)


def test_a_page_of_the_cluster(graph_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "cluster.html"
    assert main(["local", str(graph_file), "--node", "b3", "-o", str(target)]) == 0
    whole = target.read_text()
    assert "id='explorer-data'" in whole
    monkeypatch.setattr("hoscpool.cli.local.MOST_SHOWN", 5)  # of a large graph the cluster and its neighbours
    assert main(["local", str(graph_file), "--node", "b3", "-o", str(target)]) == 0
    assert "id='explorer-data'" in target.read_text()
    assert target.read_text() != whole


def test_options(graph_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--node", "a1", "--node", "b1", "--motif", "edge", "--top", "2", "--max-size", "3"]
    assert main(["local", str(graph_file), *options]) == 0
    assert "a1, b1, by edge" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--node", "b33"], "'b33' is not in the graph"),
        (["--node", "b3", "--motif", "quadrangle"], "unknown motif"),
        (["--node", "b3", "--epsilon", "3"], "epsilon: expected a number between 0 and 1"),
        (["--node", "b3", "--top", "-1"], "--top"),
        (["--node", "b3", "-o", "members.xlsx"], "cannot write 'members.xlsx'"),
        (["--node", "b3", "-o", "nowhere/members.csv"], "the folder nowhere does not exist"),
    ],
)
def test_bad_input(graph_file: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["local", str(graph_file), *options]) == 2
    assert message in capsys.readouterr().err
