"""``hoscpool blocks`` and ``hoscpool motifs FOLDER``."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from block_cases import graph_named
from hoscpool.cli import main
from hoscpool.distributed import build_blocks, open_blocks
from hoscpool.distributed.blocks.block_folder import MANIFEST


def test_from_a_file_to_a_matrix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graph = tmp_path / "friends.csv"
    graph.write_text("a,b\nb,c\nc,a\nc,d\nd,a\nd,e\n")
    folder = str(tmp_path / "blocks")
    assert main(["blocks", str(graph), "-o", folder, "--memory", "1GB"]) == 0
    out = capsys.readouterr().out
    assert "BlockGraph(5 nodes, 6 edges, 1 range)" in out
    assert "count with: hoscpool motifs" in out
    assert main(["motifs", folder, "--motif", "triangle", "-o", str(tmp_path / "t.csv")]) == 0
    from_blocks, table = capsys.readouterr().out, (tmp_path / "t.csv").read_text()
    assert main(["motifs", str(graph), "--motif", "triangle", "-o", str(tmp_path / "m.csv")]) == 0
    from_file = capsys.readouterr().out
    assert table == (tmp_path / "m.csv").read_text()
    heading = "edges in most triangles"
    tables = [text.split(heading)[1].split("wrote")[0] for text in (from_blocks, from_file)]
    assert tables[0] == tables[1]


def test_without_a_motif_all_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build_blocks(graph_named("cliques"), tmp_path / "blocks", num_ranges=2)
    assert main(["motifs", str(tmp_path / "blocks")]) == 0
    rows = [line.split()[:4] for line in capsys.readouterr().out.splitlines()]
    assert [row for row in rows if len(row) == 4 and row[1].isdigit()] == [
        ["edge", "12", "12", "8"],
        ["wedge", "31", "12", "8"],
        ["triangle", "10", "10", "5"],
        ["cycle4", "15", "10", "5"],
        ["clique4", "5", "10", "5"],
    ]


def test_as_json_it_is_that_of_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["blocks", "karate", "-o", str(tmp_path / "blocks")]) == 0
    capsys.readouterr()
    told = []
    for source in (str(tmp_path / "blocks"), "karate"):
        assert main(["motifs", source, "--motif", "triangle", "--motif", "wedge", "--json"]) == 0
        told.append(json.loads(capsys.readouterr().out))
    assert told[0]["motifs"] == told[1]["motifs"]
    assert told[0]["heaviest_edges"] == told[1]["heaviest_edges"]
    assert told[0]["graph"]["nodes"] == 34


def test_a_dataset(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["blocks", "karate", "-o", str(tmp_path / "blocks")]) == 0
    assert "34 nodes, 78 edges" in capsys.readouterr().out
    assert open_blocks(tmp_path / "blocks").num_nodes == 34


WRONG = {
    "no blocks": (["{0}/empty"], "is no folder of blocks, or its build did not finish; build the blocks again"),
    "an option of a file": (["{0}/blocks", "--profile"], "--profile: not for a folder of blocks"),
    "weights": (["{0}/blocks", "--weights", "mean"], "--weights: not for a folder of blocks"),
    "two motifs, one file": (
        ["{0}/blocks", "--motif", "edge", "--motif", "triangle", "-o", "{0}/x.npz"],
        "-o: writes one matrix, got 2 motifs",
    ),
    "pairs apart": (
        ["{0}/blocks", "--motif", "wedge", "-o", "{0}/x.npz"],
        "on_edges: wedge also counts pairs that are not joined",
    ),
    "too little memory": (["{0}/blocks", "--memory", "10MB"], "memory: expected more than 300 MB"),
    "memory without blocks": (
        ["karate", "--memory", "1GB"],
        "karate is no folder of blocks; make one with hoscpool blocks",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_call(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, message = WRONG[case]
    build_blocks(graph_named("star"), tmp_path / "blocks")
    (tmp_path / "empty").mkdir()
    assert main(["motifs", *(argument.format(tmp_path) for argument in arguments)]) == 2
    assert message in capsys.readouterr().err


def test_other_commands_say_what_a_folder_of_blocks_is_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build_blocks(graph_named("star"), tmp_path / "blocks")
    assert main(["cluster", str(tmp_path / "blocks"), "-k", "2"]) == 2
    said = "is a folder of blocks; hoscpool motifs counts on it and hp.distributed.fit trains on it"
    assert said in capsys.readouterr().err


def test_a_folder_that_is_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "blocks").mkdir()
    assert main(["blocks", "karate", "-o", str(tmp_path / "blocks")]) == 2
    assert "is there already; remove it, or give the name of a new folder" in capsys.readouterr().err
    assert not (tmp_path / "blocks" / MANIFEST).exists()


def test_names_are_those_of_the_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "g.csv"
    path.write_text("".join(f"n{i},n{j}\n" for i, j in np.argwhere(graph_named("cliques").adjacency.toarray())))
    assert main(["blocks", str(path), "-o", str(tmp_path / "blocks")]) == 0
    assert main(["motifs", str(tmp_path / "blocks"), "--motif", "triangle", "--top", "1"]) == 0
    assert "n0    n1" in capsys.readouterr().out
