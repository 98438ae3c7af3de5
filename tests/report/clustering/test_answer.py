"""What a clustering says first: its communities by name, and how clear they are."""

from __future__ import annotations

from collections.abc import Iterable

import networkx as nx
import numpy as np
import pytest

import hoscpool as hp
from hoscpool.report.clustering.answer import Answer, Inside, make_answer, named_members, told_motif


def answer(graph: nx.Graph, labels: Iterable[int], motif: str = "triangle") -> Answer:
    return make_answer(hp.as_graph(graph), np.array(list(labels)), motif)


def test_shares_are_those_of_a_count_by_hand() -> None:
    graph = nx.barbell_graph(3, 0)  # two triangles and a bridge
    ties, triangles = answer(graph, [0, 0, 0, 1, 1, 1]).inside
    assert (ties.what, triangles.what) == ("ties", "triangles")
    assert [ties.share, triangles.share] == pytest.approx([6 / 7, 1.0])
    assert [ties.chance, triangles.chance] == pytest.approx([0.5, 0.5])


def test_ties_weigh_as_in_the_graph_and_triangles_as_in_the_fit() -> None:
    graph = nx.barbell_graph(3, 1)
    for a, b in graph.edges:
        graph[a][b]["weight"] = 3.0 if a < 3 and b < 3 else 1.0
    graph.add_edge(2, 4, weight=1.0)  # the triangle 2 3 4 is cut
    ties, triangles = answer(graph, [0, 0, 0, 1, 1, 1, 1]).inside
    assert ties.share == pytest.approx((9 + 4) / 15)
    assert triangles.share == pytest.approx((3 * 27 + 3 + 1) / (3 * 27 + 3 + 3))


def test_the_verdict_is_in_words() -> None:
    assert [Inside("ties", share, 0.5).clarity for share in (0.9, 0.7, 0.6, 0.5)] == [
        "clearly separated",
        "partly separated",
        "weakly separated",
        "hardly separated, little more than by chance",
    ]
    assert Inside("ties", 1.0, 1.0).clarity.startswith("hardly")
    syn1 = hp.datasets.load("syn1")
    quality = make_answer(syn1, syn1.labels, "triangle").quality
    assert quality.startswith("The communities are clearly separated by triangles and hardly separated")


def test_the_most_central_members_are_named_first() -> None:
    graph = nx.les_miserables_graph()
    found = answer(graph, [int(name in ("Myriel", "Count", "Napoleon")) for name in graph])
    assert found.communities[0].central[0] == list(graph).index("Valjean")
    assert next(named_members(found, found.communities[0], 1, 5)) == "Valj…"
    assert found.as_json()["communities"][0]["central"][0] == "Valjean"


def test_graphs_without_ties_or_with_one_community() -> None:
    assert "features alone" in answer(nx.empty_graph(4), [0, 0, 1, 1]).quality
    assert answer(nx.path_graph(4), [0, 0, 0, 0]).quality == "All nodes are in one community."
    alone = nx.complete_graph(3)
    alone.add_node(3)
    assert "100% of the ties (by chance 100%)" in answer(alone, [0, 0, 0, 1]).quality


def test_hostile_names_stay_on_one_line() -> None:
    graph = nx.relabel_nodes(nx.complete_graph(3), {0: "a\x1b[31m\nb"})
    assert "\n" not in answer(graph, [0, 0, 0], "edge").names[0]


@pytest.mark.parametrize(
    ("motifs", "told"),
    [
        ({"edge": 1.0}, "edge"),
        ({"edge": 0.1, "M1": 9.0}, "edge"),
        ({"edge": 0.5, "triangle": 0.2, "clique4": 0.3}, "clique4"),
    ],
)
def test_the_motif_that_is_told_of(motifs: dict[str, float], told: str) -> None:
    assert told_motif(motifs) == told
