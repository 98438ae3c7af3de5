"""How every command is told what the columns of a graph file mean."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from hoscpool.cli import main

BANK = "id,payer,payee,sum,year\n1,a,b,5,1999\n2,b,c,7,2000\n3,c,a,1,2001\n4,c,d,2,2002\n"


@pytest.fixture
def bank(tmp_path: Path) -> str:
    path = tmp_path / "bank.csv"
    path.write_text(BANK)
    return str(path)


@pytest.mark.parametrize(
    "command", [["motifs"], ["cluster", "-k", "2"], ["local", "--node", "a"], ["motifs", "--nodes"]]
)
def test_columns_by_name_in_every_command(command: list[str], bank: str, capsys: pytest.CaptureFixture[str]) -> None:
    name, *rest = command
    assert main([name, bank, *rest, "--source", "payer", "--target", "payee", "--weight", "sum"]) == 0
    said = capsys.readouterr()
    decided = "columns: 'payer' and 'payee' are the ends of an edge, 'sum' its weight; 'id', 'year' are not used"
    assert said.err.count(decided) == 1
    assert "weighted" in said.out or name == "cluster"


def test_columns_by_number_and_no_weights(bank: str, capsys: pytest.CaptureFixture[str]) -> None:
    columns = ["--source", "2", "--target", "3"]
    Path(bank).write_text(BANK.partition("\n")[2])
    assert main(["motifs", bank, *columns, "--weight", "4"]) == 0
    assert "weighted" in capsys.readouterr().out
    assert main(["motifs", bank, *columns, "--no-weights"]) == 0
    assert "weighted" not in capsys.readouterr().out


def test_a_third_column_without_a_name_is_asked_about(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "g.txt"
    path.write_text("1 2 1999\n2 3 2001\n3 1 2000\n")
    assert main(["motifs", str(path)]) == 0
    shown = capsys.readouterr()
    assert "weighted" not in shown.out
    assert shown.err.count("if it is a weight, say weight=2 (--weight 3), otherwise weight=None (--no-weights)") == 1
    assert main(["motifs", str(path), "--no-weights"]) == 0
    assert "if it is a weight" not in capsys.readouterr().err


def test_without_weights_fit_and_scores_count_instances(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import networkx as nx

    graph = nx.les_miserables_graph()
    path = tmp_path / "g.graphml"
    nx.write_graphml(graph, path)
    plain = nx.Graph()
    plain.add_nodes_from(graph)
    plain.add_edges_from(graph.edges)
    nx.write_graphml(plain, tmp_path / "plain.graphml")
    found = []
    for file, more in ((path, ["--no-weights"]), (tmp_path / "plain.graphml", []), (path, [])):
        assert main(["cluster", str(file), "-k", "4", "--json", *more]) == 0
        result = json.loads(capsys.readouterr().out)
        found.append((round(result["scores"]["motif_conductance"]["triangle"], 9), result["nodes"]))
    clusters = [[node["cluster"] for node in nodes] for _, nodes in found]
    assert clusters[0] == clusters[1]
    assert found[0][0] == found[1][0] != found[2][0]


def test_bad_rows_and_standard_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "g.csv"
    path.write_text("from,to\na,b\nb,\nb,c\nc,a\n")
    assert main(["motifs", str(path)]) == 2
    assert "line 3: expected two node ids" in capsys.readouterr().err
    assert main(["motifs", str(path), "--on-bad-rows", "skip"]) == 0
    assert "1 incomplete row was skipped" in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", io.StringIO("a b\nb c\nc a\n"))
    assert main(["motifs", "-"]) == 0
    assert "'standard input': 3 nodes" in capsys.readouterr().out


def test_what_is_refused(bank: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["motifs", bank, "--source", "payer"]) == 2
    assert "--source, --target: expected both or neither" in capsys.readouterr().err
    assert main(["motifs", "karate", "--weight", "x"]) == 2
    assert "weight: Graph has no columns" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["motifs", bank, "--weight", "sum", "--no-weights"])


def test_a_table_about_nodes(bank: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people = tmp_path / "people.csv"
    people.write_text("id,full name,age,team\nd,Dot <b>,33,y\na,Ann,30,x\nb,Bob,31,x\nc,=Cid,32,y\n")
    out = tmp_path / "out"
    columns = ["--source", "payer", "--target", "payee", "--nodes", str(people), "--labels", f"{people}:team"]
    assert main(["cluster", bank, *columns, "-k", "2", "-o", str(out)]) == 0
    said = capsys.readouterr().err
    assert "features from 'age' (numbers); titles from 'full name'; not used: 'team' (classes)" in said
    lines = (out / "labels.csv").read_text().splitlines()
    assert lines[0] == "node,title,cluster,confidence,second_choice"
    assert lines[1].startswith("a,Ann,")
    assert lines[3].startswith("c,'=Cid,")
    for name in ("graph.gexf", "graph.graphml"):
        assert "Dot &lt;b&gt;" in (out / name).read_text()


def test_titles_in_a_local_cluster(bank: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people = tmp_path / "people.csv"
    people.write_text("id,name\na,Ann [b]\nb,Bob\nc,Cid\n")
    columns = ["--source", "payer", "--target", "payee", "--nodes", str(people)]
    assert main(["local", bank, *columns, "--node", "a"]) == 0
    said = capsys.readouterr()
    assert "Ann [b]" in said.out
    assert "no row for 1 node of 4 ('d')" in said.err


def test_classes_from_a_column_of_any_table(bank: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people = tmp_path / "people.csv"
    people.write_text("age,id,team\n30,a,x\n31,b,x\n32,c,y\n33,d,y\n")
    columns = ["--source", "payer", "--target", "payee"]
    assert main(["cluster", bank, *columns, "-k", "2", "--labels", f"{people}:team", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"]["nmi"] is not None
