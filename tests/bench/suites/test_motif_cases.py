from __future__ import annotations

import pickle

import numpy as np
import scipy.sparse as sp

from hoscpool.bench.graphs.generators import rmat
from hoscpool.bench.harness.cases import Target
from hoscpool.bench.peers import own_motifs as ours
from hoscpool.bench.suites.motif_cases import (
    PEERS,
    four_node_case,
    large_case,
    motif_cases,
    scaling_case,
    triangle_case,
)


def test_targets_of_the_issue() -> None:
    targets = {contender.name: contender.target.ratio for contender in triangle_case("photo", PEERS, 1).contenders}
    assert targets["SciPy"] == 50
    assert targets["motifcluster"] == 100
    assert targets["GraphBLAS"] == 5
    assert targets["NetworKit"] == 2
    assert four_node_case("amazon", 1).contenders[1].target == Target(ratio=20)
    assert scaling_case("rmat18").contenders[1].target == Target(ratio=1.5)


def test_ours_is_first_and_alone_on_the_large_graph() -> None:
    two, one = large_case("planted").contenders
    assert (two.threads, one.threads) == (2, 1)
    assert two.target == Target(seconds=60, memory=4e9)


def test_two_threads_leave_out_peers_that_have_one() -> None:
    contenders = triangle_case("photo", PEERS, 2).contenders
    assert {contender.threads for contender in contenders} == {2}
    assert [contender.name for contender in contenders] == ["HoscPool", "GraphBLAS", "NetworKit"]
    assert all(contender.target == Target() for contender in contenders)


def test_order_and_choice() -> None:
    titles = [case.title for case in motif_cases(["photo", "rmat18"], PEERS, [1, 2], ["planted"])]
    assert titles == [
        "triangle, Photo",
        "triangle, Photo",
        "clique4 + cycle4, Photo",
        "triangle, R-MAT 18",
        "triangle, R-MAT 18",
        "triangle, two threads, R-MAT 18",
        "triangle, large, planted communities",
    ]
    names = [c.name for c in next(motif_cases(["photo"], ("igraph",), [1], [])).contenders]
    assert names == ["HoscPool", "igraph"]


def test_contenders_can_be_sent_to_a_process() -> None:
    for case in motif_cases(["amazon", "rmat18"], PEERS, [1, 2], ["planted"]):
        pickle.dumps(case.contenders)


def test_fingerprints_tell_matrices_apart() -> None:
    graph = rmat(5)
    matrix = sp.csr_array(graph.adjacency, dtype=np.int64)
    changed = matrix.copy()
    changed.data[:2] = [2, 0]
    assert ours.fingerprint(graph, matrix) == ours.fingerprint(graph, matrix.copy())
    assert ours.fingerprint(graph, matrix)[0] == ours.fingerprint(graph, changed)[0] == str(matrix.nnz)
    assert ours.fingerprint(graph, matrix) != ours.fingerprint(graph, changed)


def test_summaries() -> None:
    assert triangle_case("photo", (), 1).summarise(np.array([1, 1, 1, 0])) == {"triangles": 1}
    both = np.array([[1] * 6, [1, 1, 1, 1, 0, 0]])
    assert four_node_case("photo", 1).summarise(both) == {"cliques": 1, "induced cycles": 1}
    assert large_case("planted").summarise(["12", "abc"]) == {"triangles": 2}
