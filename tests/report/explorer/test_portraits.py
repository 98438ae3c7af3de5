from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import hoscpool as hp
from hoscpool.report.explorer.portraits import describe_communities, heads_of

RING = hp.as_graph(nx.ring_of_cliques(3, 5))
LABELS = np.repeat([0, 1, 2], 5)
NAMES = [f"n{i}" for i in range(15)]


def test_what_a_clique_is() -> None:
    found = describe_communities(RING.adjacency, hp.motif_adjacency(RING, "triangle"), LABELS)
    assert [c.number for c in found] == [0, 1, 2]
    assert {c.size for c in found} == {5}
    assert found[0].inside == pytest.approx(20 / 22)
    assert found[0].triangles == 1
    assert dict(found[0].ties) == pytest.approx({1: 1 / 22, 2: 1 / 22})
    sentence = found[0].sentence(NAMES, "triangle")
    assert sentence.startswith("5 nodes around n0, n1, n2. 91% of their ties stay inside, and so do 100% of their")
    assert sentence.endswith("lead to community 1.")
    assert found[0].sentence(NAMES, "triangle", heads_of(found)).endswith("lead to community 1, around n5.")


@pytest.mark.parametrize("sparse", [False, True])
def test_features_that_set_a_community_apart(sparse: bool) -> None:
    table = np.zeros((15, 4))
    table[:5, 2] = 3
    table[:, 1] = 7  # the same for all
    table[10:, 3] = -1
    features = sp.csr_array(table) if sparse else table
    found = describe_communities(RING.adjacency, None, LABELS, features, ["a", "b", "tea", "rain"])
    traits = dict(found[0].traits)
    rest = table[5:, 2]
    assert traits["tea"] == pytest.approx((3 - rest.mean()) / table[:, 2].std())
    assert "b" not in traits
    assert "They have more of: tea" in found[0].sentence(NAMES, "edge")
    assert found[2].traits[0][0] == "rain"
    assert found[2].traits[0][1] < 0


def test_one_community_and_a_node_alone() -> None:
    whole = describe_communities(RING.adjacency, None, np.zeros(15, np.int64), np.eye(15))
    assert (whole[0].inside, whole[0].ties, whole[0].traits) == (1, [], [])
    alone = describe_communities(sp.csr_array((2, 2)), None, np.array([0, 1]))
    assert alone[0].inside is None
    assert alone[0].sentence(["Ann", "Bob"], "edge") == "Ann alone: no community is close enough."
