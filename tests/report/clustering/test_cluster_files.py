"""The notebook, the files and the page tell the same of one clustering."""

from __future__ import annotations

import base64
import csv
import json
import re
import zlib
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import hoscpool as hp
from hoscpool.cli import main

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the command writes about the example of the README."""
    target = tmp_path_factory.mktemp("emails") / "out"
    emails, people, teams = (str(EXAMPLES / f"{name}.csv") for name in ("emails", "people", "teams"))
    options = ["-k", "5", "--solver", "multilevel", "--quiet", "-o", str(target)]
    assert main(["cluster", emails, "--nodes", people, "--labels", teams, *options]) == 0
    return target


@pytest.fixture(scope="module")
def rows(folder: Path) -> dict[str, dict[str, str]]:
    """The rows of ``labels.csv`` by name."""
    with (folder / "labels.csv").open(encoding="utf-8", newline="") as file:
        return {row["node"]: row for row in csv.DictReader(file)}


def told(row: dict[str, Any]) -> tuple[Any, ...]:
    """What is said of a node, as numbers."""
    return (
        row["title"],
        int(row["cluster"]),
        pytest.approx(float(row["confidence"]), abs=1e-3),
        int(row["second_choice"]),
    )


@pytest.mark.parametrize("kind", ["gexf", "graphml"])
def test_the_files_for_gephi_and_cytoscape(kind: str, folder: Path, rows: dict[str, dict[str, str]]) -> None:
    path = folder / f"graph.{kind}"
    nodes = [data for _, data in (nx.read_gexf(path) if kind == "gexf" else nx.read_graphml(path)).nodes(data=True)]
    assert {data["name"]: told(data) for data in nodes} == {name: told(row) for name, row in rows.items()}
    assert {data["class"] for data in nodes} == {"Board", "Legal", "Research", "Sales", "Support"}


def test_the_notebook(rows: dict[str, dict[str, str]], folder: Path) -> None:
    found = hp.cluster(EXAMPLES / "emails.csv", 5, nodes=EXAMPLES / "people.csv", solver="multilevel")
    assert {row["node"]: told(row) for row in found.table.to_dict("records")} == {n: told(r) for n, r in rows.items()}
    summary = json.loads((folder / "summary.json").read_text())
    assert found.answer.quality == summary["quality"]
    assert [(one["number"], one["sentence"]) for one in summary["communities"]] == list(
        zip(found.communities["cluster"], found.communities["in words"], strict=True)
    )
    assert summary["quality"] in re.sub("<[^>]*>", "", found._repr_html_())


def test_the_summary(rows: dict[str, dict[str, str]], folder: Path) -> None:
    summary = json.loads((folder / "summary.json").read_text())
    graph = hp.as_graph(EXAMPLES / "emails.csv")
    labels = [int(rows[name]["cluster"]) for name in graph.names]
    sizes = dict(enumerate(np.bincount(labels).tolist()))
    assert {one["number"]: one["size"] for one in summary["communities"]} == sizes
    assert {one["number"]: one["nodes"] for one in summary["clusters"]} == sizes
    assert summary["scores"]["motif_conductance"]["triangle"] == hp.metrics.motif_conductance(graph, labels, "triangle")
    for one in summary["clusters"]:
        sure = [float(row["confidence"]) for row in rows.values() if int(row["cluster"]) == one["number"]]
        assert one["confidence"] == pytest.approx(np.mean(sure), abs=1e-3)


def test_the_page(rows: dict[str, dict[str, str]], folder: Path) -> None:
    html = (folder / "report.html").read_text(encoding="utf-8")
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["quality"] in html
    found = held(html)
    texts = found["texts"]
    assert texts["ids"] == list(rows)
    assert texts["names"] == [row["title"] for row in rows.values()]
    for of_page, column, exact in (
        ("label0", "cluster", 0),
        ("second0", "second_choice", 0),
        ("confidence0", "confidence", 1),
    ):
        scale = 255 if exact else 1
        assert (found[of_page] / scale).tolist() == pytest.approx(
            [float(r[column]) for r in rows.values()], abs=0.003 * exact
        )
    shown = texts["clusterings"][0]["communities"]
    assert [(c["number"], c["size"], c["sentence"]) for c in shown] == [
        (c["number"], c["size"], c["sentence"]) for c in summary["communities"]
    ]
    for one, cluster in ((c, next(k for k in summary["clusters"] if k["number"] == c["number"])) for c in shown):
        assert 1 - one["inside"] == pytest.approx(cluster["conductance"])
        assert 1 - one["motifs"] == pytest.approx(cluster["motif_conductance"]["triangle"])


def held(html: str) -> dict[str, Any]:
    """The texts and arrays in the data of a page, unpacked as its script does."""
    packed = re.search("id='explorer-data'>([^<]*)<", html)
    assert packed
    data = zlib.decompress(base64.b64decode(packed[1]))
    length = int.from_bytes(data[:4], "little")
    header = json.loads(data[4 : 4 + length])
    arrays = {
        name: np.frombuffer(data, place["type"], int(np.prod(place["shape"])), 4 + length + place["start"])
        for name, place in header["arrays"].items()
    }
    return {"texts": header["texts"], **arrays}
