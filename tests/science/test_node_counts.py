from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

import hoscpool as hp
import oracles
from metrics.direct import random_graph

BOWTIE = hp.Motif.from_edges("bowtie", [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)])


@pytest.mark.parametrize("induced", [False, True])
@pytest.mark.parametrize("directed", [False, True])
def test_counts_of_every_node(directed: bool, induced: bool) -> None:
    names = list(oracles.DIRECTED if directed else oracles.UNDIRECTED)
    A = random_graph(4, 7, 0.5, directed=directed)
    table = hp.node_motif_counts(hp.as_graph(A, directed=directed), names, induced=induced)
    assert list(table.columns) == names
    assert set(table.dtypes) == {np.dtype(np.int64)}
    for name in names:
        instances = oracles.instances(A, name, induced)
        expected = [sum(any(i in arc for arc in arcs) for arcs in instances) for i in range(len(A))]
        assert table[name].tolist() == expected


def test_own_motifs_anchors_and_names() -> None:
    graph = nx.relabel_nodes(nx.complete_graph(5), dict(enumerate("abcde")))
    ends = hp.Motif.from_edges("ends", [(0, 1), (1, 2)], anchors=[0, 2])
    table = hp.node_motif_counts(graph, [BOWTIE, "butterfly", ends])
    assert list(table.index) == list("abcde")
    assert table.loc["c"].to_dict() == {"bowtie": 15, "butterfly": 12, "ends": 12}
    assert hp.graphlet_degrees(graph).loc["a", 3] == 6


def test_the_default_is_all_motifs_of_three_nodes() -> None:
    assert list(hp.node_motif_counts(nx.path_graph(3)).columns) == ["wedge", "triangle"]
    assert list(hp.node_motif_counts(nx.DiGraph([(0, 1)])).columns) == [f"M{i}" for i in range(1, 14)]
    assert hp.node_motif_counts(nx.empty_graph(0)).shape == (0, 2)


@pytest.mark.parametrize(
    ("motifs", "message"),
    [
        ("triangle", r"expected a list, got only 'triangle'; use \['triangle'\]"),
        ([], "at least one"),
        (["triangle", "triangle"], "every motif once"),
        (["triange"], "Did you mean 'triangle'"),
        (["M5"], r"M5 is directed, but the graph is not; pass directed=True"),
    ],
)
def test_bad_motifs(motifs: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        hp.node_motif_counts(nx.path_graph(3), motifs)
