"""``hoscpool cluster`` as a user runs it."""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
import sys
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import hoscpool as hp
from hoscpool.cli import main
from hoscpool.cli.cluster_options import MOTIF_METHODS
from hoscpool.cluster.objective import clustering_methods, method_motifs
from hoscpool.cluster.presets import PRESETS, SOLVERS

QUICK = ["--n-init", "1", "--max-epochs", "3"]
FILES = {
    "coarse_edges.csv",
    "coarse_nodes.csv",
    "graph.gexf",
    "graph.graphml",
    "labels.csv",
    "memberships.csv",
    "model/model.json",
    "model/model.safetensors",
    "report.html",
    "summary.json",
}


def people(clique: int) -> list[str]:
    return [f"{name} {'ABC'[clique]}" for name in ("Ann", "Bob", "Cid", "Dot", "Eve")]


@pytest.fixture
def friends(tmp_path: Path) -> Path:
    """Three cliques of five people in a ring, by name."""
    path = tmp_path / "friends.csv"
    lines = ["from,to"]
    for clique in range(3):
        names = people(clique)
        lines += [f"{a},{b}" for i, a in enumerate(names) for b in names[:i]]
        lines.append(f"{names[0]},{people((clique + 1) % 3)[1]}")
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def classes(tmp_path: Path) -> Path:
    path = tmp_path / "classes.csv"
    rows = [f"{name},group {clique}" for clique in (2, 0, 1) for name in people(clique)]
    path.write_text("\n".join(["node,class", *rows]) + "\n")
    return path


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_files_speak_the_users_names(friends: Path, classes: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["cluster", str(friends), "-k", "3", "--labels", str(classes), *QUICK, "-o", str(out)]) == 0
    assert files(out) == FILES
    found = {row["node"]: row["cluster"] for row in rows(out / "labels.csv")}
    groups = [{found[name] for name in people(clique)} for clique in range(3)]
    assert all(len(group) == 1 for group in groups)
    assert set.union(*groups) == {"0", "1", "2"}
    for row in rows(out / "memberships.csv"):
        shares = {name.removeprefix("cluster_"): float(value) for name, value in row.items() if name != "node"}
        assert sum(shares.values()) == pytest.approx(1, abs=1e-4)
        assert max(shares, key=lambda cluster: shares[cluster]) == found[row["node"]]
    assert [row["nodes"] for row in rows(out / "coarse_nodes.csv")] == ["5", "5", "5"]
    assert [(row["inside"], row["cut"]) for row in rows(out / "coarse_nodes.csv")] == [("10.0", "2.0")] * 3
    assert [tuple(row.values()) for row in rows(out / "coarse_edges.csv")] == [
        ("0", "1", "1.0"),
        ("0", "2", "1.0"),
        ("1", "2", "1.0"),
    ]
    model = hp.HoscClustering.load(out / "model")
    assert [str(label) for label in model.labels_] == [row["cluster"] for row in rows(out / "labels.csv")]


def test_summary(friends: Path, classes: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ["-k", "3", "--labels", str(classes), *QUICK, "--seed", "5", "--mu", "0.3", "-o", str(out), "--quiet"]
    assert main(["cluster", str(friends), *arguments]) == 0
    summary = json.loads((out / "summary.json").read_text())
    assert set(summary["files"]) == FILES
    assert summary["graph"]["nodes"] == 15
    assert summary["scores"] == {
        "conductance": pytest.approx(2 / 22),
        "motif_conductance": {"triangle": 0.0},
        "modularity": pytest.approx(30 / 33 - 1 / 3),
        "nmi": 1.0,
        "accuracy": 1.0,
    }
    assert (summary["settings"]["random_state"], summary["settings"]["mu"]) == (5, 0.3)
    assert [cluster["nodes"] for cluster in summary["clusters"]] == [5, 5, 5]
    assert summary["runs"][summary["kept_run"]]["start"]


def test_tables(
    friends: Path, classes: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["cluster", str(friends), "-k", "3", "--labels", str(classes), *QUICK, "-v"]) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    lines = [line.split() for line in out.splitlines()]
    assert ["conductance", "0.0909"] in lines
    assert ["triangle", "conductance", "0.0000"] in lines
    assert ["NMI", "1.0000"] in lines
    assert any(line[:3] == ["0", "5", "33.3%"] and line[-2:] == ["0.091", "0.000"] for line in lines)
    assert any(line[-1:] == ["kept"] for line in lines)


def test_who_is_between_two_communities_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    emails = Path(__file__).parents[2] / "examples" / "emails.csv"
    assert main(["cluster", str(emails), "-k", "5", "-o", str(tmp_path / "out")]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert re.search(r"Between two communities: Bianca Costa \(\d or \d\)\. ", out)
    assert f"Open {tmp_path / 'out' / 'report.html'} in a browser" in out
    assert main(["cluster", "lesmis", "-k", "6"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert re.search(r"\d\d nodes are between two communities, most of all (\w+ \(\d or \d\)(, )?){5}\.", out)


def test_without_labels_there_is_no_agreement(friends: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cluster", str(friends), "-k", "3", *QUICK]) == 0
    assert "NMI" not in capsys.readouterr().out


def test_quiet_is_quiet(friends: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cluster", str(friends), "-k", "3", *QUICK, "--quiet", "-o", str(tmp_path / "out")]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == ""


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # three epochs are few
def test_motifs_and_method_reach_the_model(friends: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    motifs = ["--motif", "clique4=2", "--motif", "edge=0.25"]
    assert main(["cluster", str(friends), "-k", "2", *motifs, *QUICK, "--preset", "paper", "-o", str(out)]) == 0
    summary = json.loads((out / "summary.json").read_text())
    assert summary["motifs"] == {"clique4": 2.0, "edge": 0.25}
    assert list(summary["scores"]["motif_conductance"]) == ["clique4"]
    assert "clique4_conductance" in rows(out / "coarse_nodes.csv")[0]
    assert summary["settings"]["preset"] == "paper"


def test_features_by_name(friends: Path, tmp_path: Path) -> None:
    features = tmp_path / "features.csv"
    cells = [f"{name},{clique},{-clique}" for clique in (1, 2, 0) for name in people(clique)]
    features.write_text("\n".join(["node,a,b", *cells]) + "\n")
    out = tmp_path / "out"
    assert main(["cluster", str(friends), "-k", "3", "--features", str(features), *QUICK, "-o", str(out)]) == 0
    assert json.loads((out / "summary.json").read_text())["graph"]["features"] == 2


def test_k_auto(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "cliques.graphml", tmp_path / "out"
    nx.write_graphml(nx.relabel_nodes(nx.disjoint_union_all([nx.complete_graph(5)] * 3), str), path)
    arguments = ["-k", "auto", "--k-range", "2-3", *QUICK, "-o", str(out)]
    assert main(["cluster", str(path), *arguments]) == 0
    captured = capsys.readouterr()
    assert "choosing K from 2 to 3" in captured.err
    assert "K = 3 has the best score of K = 2 to 3" in captured.out
    assert json.loads((out / "summary.json").read_text())["selection"]["k"] == [2, 3]
    assert "Choice of K: 3" in (out / "report.html").read_text()


def test_a_path_wins_over_a_dataset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cluster", "karate", "-k", "2", *QUICK]) == 0
    assert "34 nodes" in capsys.readouterr().out
    monkeypatch.chdir(tmp_path)
    Path("karate").mkdir()
    assert main(["cluster", "karate", "-k", "2", *QUICK]) == 0, "a folder is no graph"
    capsys.readouterr()
    Path("karate").rmdir()
    Path("karate").write_text("a b\nb c\n")
    assert main(["cluster", "karate", "-k", "2", *QUICK]) == 2
    assert "karate" in capsys.readouterr().err, "the file was read, and has no known ending"


def test_constant_features_are_said_and_left_out(
    friends: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    np.save(tmp_path / "x.npy", np.ones((15, 2)))
    assert main(["cluster", str(friends), "-k", "3", "--features", str(tmp_path / "x.npy"), *QUICK]) == 0
    assert "equal for all nodes" in capsys.readouterr().err


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # two of three groups: which two?
def test_an_earlier_result_is_replaced(friends: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["cluster", str(friends), "-k", "3", *QUICK, "-o", str(out)]) == 0
    assert main(["cluster", str(friends), "-k", "2", *QUICK, "-o", str(out)]) == 0
    assert json.loads((out / "summary.json").read_text())["n_clusters"] == 2


def test_other_files_are_never_touched(friends: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "thesis.txt").write_text("mine")
    command = ["cluster", str(friends), "-k", "3", *QUICK, "-o", str(out)]
    assert main(command) == 2
    assert "thesis.txt" in capsys.readouterr().err
    assert files(out) == {"thesis.txt"}
    assert main([*command, "--force"]) == 0
    assert files(out) == FILES | {"thesis.txt"}
    assert (out / "thesis.txt").read_text() == "mine"


@pytest.mark.filterwarnings("default::UserWarning")
def test_without_plotly_the_page_is_left_out(
    friends: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "plotly", None)
    out = tmp_path / "out"
    assert main(["cluster", str(friends), "-k", "3", *QUICK, "-o", str(out)]) == 0
    assert files(out) == FILES - {"report.html"}
    assert "hoscpool[report]" in capsys.readouterr().err


def test_many_memberships_are_compressed(friends: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoscpool.report.clustering.cluster_files.MAX_PLAIN", 10)
    monkeypatch.setattr("hoscpool.report.clustering.cluster_files.ROWS", 4)
    out = tmp_path / "out"
    assert main(["cluster", str(friends), "-k", "3", *QUICK, "-o", str(out), "--quiet"]) == 0
    assert files(out) == FILES - {"memberships.csv"} | {"memberships.csv.gz"}
    with gzip.open(out / "memberships.csv.gz", "rt") as file:
        found = list(csv.DictReader(file))
    assert [row["node"] for row in found] == [row["node"] for row in rows(out / "labels.csv")]
    assert list(found[0]) == ["node", "cluster_0", "cluster_1", "cluster_2"]


NAN = "node,a\n" + "\n".join(f"{name},{'nan' if name == 'Ann A' else 1}" for c in range(3) for name in people(c))
OTHERS = "node,a\n" + "\n".join(f"stranger {i},{i}" for i in range(15))
CASES = [
    (["{file}", "-k", "16"], "-k: expected at most 15"),
    (["{file}", "-k", "1"], "-k: expected at least 2"),
    (["{file}", "-k", "-3"], "-k: expected at least 2"),
    (["{file}", "-k", "many"], "-k: expected a whole number or 'auto', got 'many'"),
    (["{file}", "-k=+-7"], "-k: expected a whole number or 'auto', got '+-7'"),
    (["{file}", "-k", "2.5"], "-k: expected a whole number"),
    (["{file}", "-k", "auto", "--k-range", "5"], "--k-range"),
    (["{file}", "-k", "auto", "--k-range", "900-1000"], "--k-range: expected at most"),
    (["{file}", "-k", "2", "--k-range", "2-3"], "--k-range: works only with -k auto"),
    (["{file}", "-k", "auto", "--k-range", "9-3"], "--k-range"),
    (["{file}", "-k", "3", "--motif", "triangle=heavy"], "--motif: expected NAME=WEIGHT"),
    (["{file}", "-k", "3", "--motif", "=1"], "--motif: expected NAME=WEIGHT"),
    (["{file}", "-k", "3", "--motif", "pentagon=1"], "unknown motif 'pentagon'"),
    (["{file}", "-k", "3", "--motif", "triangle=-1"], "expected a finite number ≥ 0"),
    (["{file}", "-k", "3", "--motif", "triangle=inf"], "expected a finite number ≥ 0"),
    (["{file}", "-k", "3", "--motif", "triangle=1e308"], "motifs['triangle']: expected a weight from 0 to 1e+06"),
    (["{file}", "-k", "3", "--mu", "1e308"], "mu: expected a weight from 0 to 1e+06, got 1e+308"),
    (["{file}", "-k", "3", "--motif", "triangle=0"], "only zeros"),
    (["{file}", "-k", "3", "--motif", "edge=1", "--motif", "edge=2"], "given twice"),
    (["{file}", "-k", "3", "--motif", "edge=1", "--method", "dmon"], "uses edges only"),
    (["{file}", "-k", "3", "--mu", "-1"], "--mu"),
    (["{file}", "-k", "3", "--seed", "-1"], "--seed"),
    (["{file}", "-k", "3", "--method", "magic"], "unknown method 'magic'"),
    (["{file}", "-k", "3", "--preset", "magic"], "unknown preset 'magic'"),
    (["{file}", "-k", "3", "--solver", "multilevl"], "unknown solver 'multilevl'. Did you mean 'multilevel'?"),
    (["{file}", "-k", "3", "--solver", "multilevel", "--method", "dmon"], "method: expected 'hosc', 'hp-1' or 'hp-2'"),
    (["{file}", "-k", "3", "--solver", "multilevel", "--max-epochs", "3"], "no network, so it has no max_epochs"),
    (["{file}", "-k", "3", "--max-epochs", "-1"], "--max-epochs: expected a whole number ≥ 0"),
    (["{file}", "-k", "3", "--feature-weight", "1"], "--feature-weight: expected a share"),
    (["{file}", "-k", "3", "--n-init", "0"], "--n-init: expected a whole number ≥ 1"),
    (["{folder}/nowhere.csv", "-k", "3"], "nowhere.csv"),
    (["nowhere", "-k", "3"], "neither a file nor a dataset"),
    (["Kora", "-k", "3"], "; did you mean 'cora'?"),
    (["{folder}/loop.csv", "-k", "2"], "expected at least two nodes"),
    (["{folder}/no-edges.npz", "-k", "2"], "expected edges or features"),
    (["{file}", "-k", "3", "--features", "{folder}/nan.csv"], "nan.csv"),
    (["{file}", "-k", "3", "--features", "{folder}/others.csv"], "stranger"),
    (["{file}", "-k", "3", "--features", "{folder}/short.npy"], "15"),
    (["{file}", "-k", "3", "--features", "{folder}/nowhere.npy"], "nowhere.npy"),
    (["{file}", "-k", "3", "--labels", "{folder}/others.csv"], "stranger"),
    (["{file}", "-k", "3", "--labels", "{folder}/short-labels.npy"], "15"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "message"), CASES, ids=[" ".join(case[0][1:]) for case in CASES])
def test_bad_input_is_said_and_nothing_is_written(
    arguments: list[str], message: str, friends: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "loop.csv").write_text("a,a\n")
    sp.save_npz(tmp_path / "no-edges.npz", sp.csr_array((4, 4)))
    (tmp_path / "nan.csv").write_text(NAN)
    (tmp_path / "others.csv").write_text(OTHERS)
    np.save(tmp_path / "short.npy", np.ones((14, 2)))
    np.save(tmp_path / "short-labels.npy", np.ones(16, dtype=int))
    before = files(tmp_path)
    given = [argument.format(file=friends, folder=tmp_path) for argument in arguments]
    assert main(["cluster", *given, "-o", str(tmp_path / "out")]) == 2
    captured = capsys.readouterr()
    (error,) = [line for line in captured.err.splitlines() if line.startswith("hoscpool: error: ")]
    assert message in error
    assert "Traceback" not in captured.err
    assert files(tmp_path) == before
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("output", "message"),
    [("friends.csv", "is a file"), ("no/such", "does not exist"), ("friends.csv/out", "friends.csv is a file")],
)
def test_an_output_that_cannot_be(
    output: str, message: str, friends: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = friends.read_text()
    assert main(["cluster", str(friends), "-k", "3", "-o", str(tmp_path / output)]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == "", "refused before any work"
    assert files(tmp_path) == {"friends.csv"}
    assert friends.read_text() == before


@pytest.mark.skipif(os.geteuid() == 0, reason="an administrator may write everywhere")
def test_an_output_without_permission(friends: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "locked").mkdir(mode=0o500)
    assert main(["cluster", str(friends), "-k", "3", "-o", str(tmp_path / "locked" / "out")]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert files(tmp_path) == {"friends.csv"}


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that nobody can write")
def test_an_output_that_nobody_may_write(friends: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cluster", str(friends), "-k", "3", "-o", "/proc/out"]) == 2
    captured = capsys.readouterr()
    assert "the folder /proc cannot be written" in captured.err
    assert captured.out == "", "refused before any work"


def test_quiet_needs_an_output(friends: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cluster", str(friends), "-k", "3", "--quiet"]) == 2
    assert "-o or --json" in capsys.readouterr().err


@pytest.mark.parametrize("clusters", ["3", "auto"])
def test_the_multilevel_solver(
    friends: Path, classes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], clusters: str
) -> None:
    out = tmp_path / "out"
    options = ["-v", "--solver", "multilevel", "--labels", str(classes), "-o", str(out)]
    assert main(["cluster", str(friends), "-k", clusters, *options]) == 0
    assert files(out) == FILES
    summary = json.loads((out / "summary.json").read_text())
    assert (summary["settings"]["solver"], summary["n_clusters"]) == ("multilevel", 3)
    assert summary["scores"]["nmi"] == pytest.approx(1)
    assert (summary["runs"][0]["start"], summary["runs"][0]["mu"]) == ("multilevel", 0.1)
    assert "CPU seconds" in capsys.readouterr().out
    loaded = hp.HoscClustering.load(out / "model")
    assert [row["cluster"] for row in rows(out / "labels.csv")] == [str(label) for label in loaded.labels_]


def test_help_knows_every_method_preset_and_solver(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    with pytest.raises(SystemExit):
        main(["cluster", "--help"])
    words = capsys.readouterr().out.replace(",", " ").replace(":", " ").split()
    assert {*clustering_methods(), *PRESETS, *SOLVERS} <= set(words)


def test_methods_that_take_motifs() -> None:
    assert set(MOTIF_METHODS) == {m for m in clustering_methods() if "triangle" in method_motifs(m, {"triangle": 1.0})}


def test_a_misspelt_method_is_named_before_its_motifs(friends: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cluster", str(friends), "-k", "3", "--method", "hocs", "--motif", "triangle"]) == 2
    assert "unknown method 'hocs'. Did you mean 'hosc'?" in capsys.readouterr().err


@pytest.mark.data
@pytest.mark.slow
def test_cora(data_root: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["cluster", "cora", "-k", "7", "--data-root", str(data_root), "-o", str(out), "--quiet"]) == 0
    assert json.loads((out / "summary.json").read_text())["scores"]["nmi"] > 0.4
