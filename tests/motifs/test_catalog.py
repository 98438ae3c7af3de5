from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import hoscpool as hp
from hoscpool.motifs import Motif, get_motif, list_motifs, motif_name, register_motif
from hoscpool.motifs.catalog import MOTIFS
from hoscpool.nn import HoscPool

BOWTIE = Motif.from_edges("bowtie", [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)])


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ([(0, 1), (2, 3)], "connected graph on the roles 0 … 3"),
        ([(0, 1), (1, 3)], "connected graph on the roles 0 … 2"),
        ([(1, 2)], "connected graph on the roles 0 … 1"),
        ([(0, 1), (1, 1)], r"two different roles in every edge, got \(1, 1\)"),
        ([(0, 1), (1, 0)], r"every edge once, got \(1, 0\) twice"),
        ([], "2 to 8 nodes, got 0"),
        ([(i, i + 1) for i in range(8)], "2 to 8 nodes, got 9"),
        ([(0, 1.5)], "pairs of whole numbers"),
        ([(0, 1, 2)], "pairs of whole numbers"),
        ([0, 1], "pairs of whole numbers"),
    ],
)
def test_what_is_no_motif(edges: list[tuple[int, int]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Motif.from_edges("mine", edges)


def test_directed_motifs_have_arcs_both_ways() -> None:
    assert Motif.from_edges("mutual", [(0, 1), (1, 0)], directed=True).description == "2 nodes, 2 arcs"
    with pytest.raises(ValueError, match="every edge once"):
        Motif.from_edges("twice", [(0, 1), (0, 1)], directed=True)


@pytest.mark.parametrize("name", ["", "a b", "a=1", "my_motif", "5-cycle", "a/b"])
def test_names_of_other_characters(name: str) -> None:
    with pytest.raises(ValueError, match="letters, digits and hyphens"):
        Motif.from_edges(name, [(0, 1)])


@pytest.mark.parametrize("name", ["features", "orthogonality", "batch", "index-of-all"])
def test_names_with_a_meaning_elsewhere(name: str) -> None:
    with pytest.raises(ValueError, match="not reserved"):
        register_motif(Motif.from_edges(name, [(0, 1), (1, 2)]))


def test_numbers_of_numpy_are_roles() -> None:
    assert Motif.from_edges("wedge-like", np.array([[0, 1], [0, 2]])).edges == ((0, 1), (0, 2))


def test_a_motif_stands_for_its_name_without_being_registered() -> None:
    graph = nx.complete_graph(5)
    assert hp.motif_count(graph, BOWTIE) == 15
    assert hp.motif_adjacency(graph, BOWTIE)[0, 1] == 15
    assert hp.metrics.motif_conductance(graph, [0, 0, 0, 1, 1], BOWTIE, average="volume") == 30 / 75
    assert "bowtie" not in list_motifs()
    with pytest.raises(
        ValueError, match=r"'bowtie' is not in the catalogue; add it with hoscpool\.motifs\.register_motif"
    ):
        HoscPool(4, 2, {BOWTIE: 1.0})  # type: ignore[dict-item]


def test_a_name_means_one_motif() -> None:
    other = Motif.from_edges("triangle", [(0, 1), (1, 2)])
    for use in (get_motif, motif_name, register_motif):
        with pytest.raises(ValueError, match="another motif of the catalogue has that name"):
            use(other)
    first, second = (Motif.from_edges("mine", [(0, 1), *more]) for more in ([(1, 2)], [(0, 2), (1, 2)]))
    with pytest.raises(ValueError, match="got 'mine' twice"):
        hp.motif_adjacencies(nx.path_graph(3), [first, second])


def test_registering_twice_is_the_same_as_once() -> None:
    try:
        assert register_motif(BOWTIE) is BOWTIE
        assert register_motif(BOWTIE) is BOWTIE
        assert list_motifs()[-1] == motif_name("bowtie") == "bowtie"
    finally:
        del MOTIFS["bowtie"]


def test_the_table_in_the_docs_has_every_motif() -> None:
    page = (Path(__file__).parents[2] / "docs" / "motifs.md").read_text()
    rows = [row.split("|")[1:4] for row in page.splitlines() if row.startswith("| `")]
    listed = {name.strip(" `"): int(nodes) for name, nodes, _ in rows if "…" not in name}
    numbered = [f"M{number}" for number in range(1, 14)]
    assert listed == {name: get_motif(name).num_nodes for name in list_motifs() if name not in numbered}
    assert [name.strip() for name, _, _ in rows if "…" in name] == ["`M1` … `M13`"]


def test_a_known_shape_is_said() -> None:
    square = Motif.from_edges("square", [(0, 2), (2, 1), (1, 3), (3, 0)])
    assert square.description == "4 nodes, 4 edges, the same as cycle4"
    assert BOWTIE.description == "5 nodes, 6 edges"
    assert Motif.from_edges("ends", [(0, 1), (1, 2)], anchors=[0, 2]).description == "3 nodes, 2 edges"


def test_other_names() -> None:
    assert get_motif("feed-forward-loop").name == "M5"
    assert motif_name("butterfly") == "cycle4"
    assert hp.motif_count(nx.complete_bipartite_graph(2, 3), "butterfly") == 3
    with pytest.raises(ValueError, match="not reserved"):
        register_motif(Motif.from_edges("butterfly", [(0, 1), (1, 2)]))


def test_a_motif_of_networkx() -> None:
    assert Motif.from_edges("mine", nx.path_graph("abc")).edges == ((0, 1), (1, 2))
    arcs = nx.DiGraph([("x", "y"), ("z", "y")])
    assert Motif.from_edges("mine", arcs).is_directed
    assert Motif.from_edges("mine", arcs, directed=False).edges == ((0, 1), (1, 2))
    assert len(Motif.from_edges("mine", nx.path_graph(3), directed=True).edges) == 4
    assert Motif.from_edges("mine", arcs, anchors=["z", "x"]).anchors == (0, 2)
    arcs.add_node("alone")
    with pytest.raises(ValueError, match="got 'alone' without an edge"):
        Motif.from_edges("mine", arcs)


@pytest.mark.parametrize(
    ("anchors", "message"),
    [
        ([0, 3], r"roles of the motif, 0 … 2, got \(0, 3\)"),
        ([1], "at least two roles"),
        ([], "at least two roles"),
        (["a", "b"], "expected roles of the motif, got"),
    ],
)
def test_what_is_no_anchor(anchors: list[Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Motif.from_edges("mine", [(0, 1), (1, 2)], anchors=anchors)
    if anchors != ["a", "b"]:
        with pytest.raises(ValueError, match=r"anchors: expected nodes of the motif, a, b, c, got"):
            Motif.from_edges("mine", nx.path_graph("abc"), anchors=[*anchors, "q"])


def test_motif_is_exported_lazily() -> None:
    code = "import sys, hoscpool; assert 'numpy' not in sys.modules; hoscpool.Motif.from_edges('mine', [(0, 1)])"
    subprocess.run([sys.executable, "-c", code], check=True)
