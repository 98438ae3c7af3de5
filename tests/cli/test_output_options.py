"""``--json`` and ``--quiet`` of every command: a result for programs, and silence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

from hoscpool.cli import COMMANDS, main
from hoscpool.cli.output_options import print_json

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def cliques(tmp_path: Path) -> str:
    path = tmp_path / "cliques.csv"
    graph = nx.relabel_nodes(nx.ring_of_cliques(3, 5), lambda node: f"n{node}")
    path.write_text("from,to\n" + "".join(f"{a},{b}\n" for a, b in graph.edges))
    return str(path)


def result(arguments: list[str], capsys: Capture) -> Any:
    capsys.readouterr()
    assert main([*arguments, "--json", "--quiet"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return json.loads(captured.out)


def test_cluster(cliques: str, capsys: Capture) -> None:
    found = result(["cluster", cliques, "-k", "3", "--solver", "multilevel"], capsys)
    assert found["n_clusters"] == 3
    assert [community["size"] for community in found["communities"]] == [5, 5, 5]
    assert "clearly separated" in found["quality"]
    first = found["communities"][0]
    assert {node["cluster"] for node in found["nodes"] if node["node"] in first["central"]} == {first["number"]}
    assert {node["node"] for node in found["nodes"]} == {f"n{at}" for at in range(15)}


def test_motifs(cliques: str, capsys: Capture) -> None:
    found = result(["motifs", cliques, "--motif", "triangle", "--top", "2"], capsys)
    assert found["motifs"][0]["count"] == 30
    assert [edge["weight"] for edge in found["heaviest_edges"]["triangle"]] == [3, 3]
    nodes = result(["motifs", cliques, "--motif", "triangle", "--nodes"], capsys)["rows"]
    assert sum(row["triangle"] for row in nodes) == 90
    profile = result(["motifs", cliques, "--motif", "triangle", "--profile", "--samples", "5"], capsys)["rows"]
    assert (profile[0]["motif"], profile[0]["count"]) == ("triangle", 30)


def test_local(cliques: str, capsys: Capture) -> None:
    found = result(["local", cliques, "--node", "n2"], capsys)
    assert {member["node"] for member in found["members"]} == {f"n{at}" for at in range(5)}


def test_datasets(capsys: Capture) -> None:
    assert {"karate", "cora"} <= {entry["name"] for entry in result(["datasets"], capsys)}
    assert result(["datasets", "karate"], capsys)["nodes"] == 34
    assert main(["datasets", "--quiet"]) == 0
    assert "karate" in capsys.readouterr().out.split()


def test_reproduce_and_report(tmp_path: Path, capsys: Capture) -> None:
    records = tmp_path / "results"
    plan = ["reproduce", "table1", "--datasets", "karate", "--methods", "sc", "--seeds", "1", "--results"]
    assert len(result([*plan, str(records), "--dry-run"], capsys)["to_run"]) == 1
    numbers = result([*plan, str(records)], capsys)["numbers"]
    assert numbers[0]["measured"]["count"] == 1
    assert result(["report", str(records), "-o", str(tmp_path / "r.html")], capsys)["files"] == [
        str(tmp_path / "r.html")
    ]


def test_tables_go_to_stderr_with_json(cliques: str, capsys: Capture) -> None:
    assert main(["cluster", cliques, "-k", "3", "--solver", "multilevel", "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["n_clusters"] == 3
    assert "3 communities" in captured.err


@pytest.mark.parametrize("command", [["motifs"], ["local", "--node", "n1"], ["cluster", "-k", "3"]])
def test_quiet_without_any_result_is_refused(command: list[str], cliques: str, capsys: Capture) -> None:
    assert main([*command, cliques, "--quiet"]) == 2
    assert "-o or --json" in capsys.readouterr().err


def test_numbers_of_numpy_are_plain_and_nan_is_refused(capsys: Capture) -> None:
    print_json({"a": np.int64(3), "b": np.array([1.5]), "c": Path("x"), "d": "é"})
    out = capsys.readouterr().out
    assert json.loads(out) == {"a": 3, "b": [1.5], "c": "x", "d": "é"}
    assert out.isascii()
    with pytest.raises(ValueError, match="not JSON compliant"):
        print_json(float("nan"))
    with pytest.raises(TypeError, match="set is not JSON"):
        print_json({1})


def test_a_narrow_terminal_without_colours_and_unicode(cliques: str) -> None:
    command = [sys.executable, "-m", "hoscpool", "cluster", cliques, "-k", "3", "--solver", "multilevel", "-v"]
    plain = {"NO_COLOR": "1", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "COLUMNS": "40"}
    done = subprocess.run(command, env={**os.environ, **plain}, capture_output=True, text=True, check=True)
    assert "\x1b" not in done.stdout
    assert done.stdout.isascii()
    assert max(map(len, done.stdout.splitlines())) <= 40
    assert "3 communities" in done.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_a_narrow_terminal(name: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    with pytest.raises(SystemExit):
        main([name, "--help"])
    wide = [line for line in capsys.readouterr().out.splitlines() if len(line) > 40]
    assert [line for line in wide if not line.strip().startswith(("~", "usage:"))] == [], "only a path may be longer"


@pytest.mark.parametrize("command", COMMANDS)
def test_help_on_an_ascii_terminal(command: str) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "COLUMNS": "40"}
    run = [sys.executable, "-m", "hoscpool", command, "--help"]
    done = subprocess.run(run, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert b"Traceback" not in done.stderr
    assert done.stdout.decode("ascii").startswith("usage:")


def test_characters_of_our_texts_keep_their_meaning() -> None:
    code = "from hoscpool.cli.output_options import print_plainly_where_needed as p; p(); print('K ≥ 2 – é 日')"
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
    assert done.stdout.decode("ascii").strip() == "K >= 2 - e ?"
