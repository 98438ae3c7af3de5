"""The engine behind the catalogue: both engines agree, kernels meet their rare branches, refusals come first."""

from __future__ import annotations

import math
import subprocess
import sys
from contextlib import nullcontext

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import hoscpool as hp
from hoscpool.motifs.counting import skeleton
from hoscpool.motifs.counting.counts import choose3
from hoscpool.support import machine as memory
from hoscpool.support.errors import GraphWarning, MemoryEstimateError
from hoscpool.support.threads import balanced_ranges, resolve_threads, run_ranges

OPEN = ["wedge", "star4", "path4", "tailed-triangle", "cycle4", "diamond"]


def use(monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    monkeypatch.setattr(skeleton, "SMALL_WORK", 10**12 if engine == "numpy" else -1)


@pytest.mark.parametrize("induced", [False, True])
@pytest.mark.parametrize("name", ["triangle", "clique4", "clique5", *OPEN, "M2", "M11", "bifan", "biparallel"])
def test_engines_agree_on_a_larger_graph(name: str, induced: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = nx.powerlaw_cluster_graph(300, 5, 0.6, seed=3)
    if hp.motifs.get_motif(name).is_directed:
        rng = np.random.default_rng(0)
        A = nx.to_numpy_array(drawn) * (rng.random((300, 300)) < 0.8)
        graph = hp.as_graph(A, directed=True)
    else:
        graph = hp.as_graph(drawn)
    use(monkeypatch, "numpy")
    expected = hp.motif_adjacency(graph, name, induced=induced)
    use(monkeypatch, "numba")
    for threads in (1, 3):
        result = hp.motif_adjacency(graph, name, induced=induced, n_threads=threads)
        assert (result != expected).nnz == 0
        assert result.dtype == expected.dtype == np.int64
        result.check_format(full_check=True)
        assert result.indices.dtype == result.indptr.dtype


@pytest.mark.parametrize("engine", ["numpy", "numba"])
@pytest.mark.parametrize("induced", [False, True])
@pytest.mark.parametrize("n_threads", [1, 3])
def test_several_at_once(engine: str, induced: bool, n_threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, engine)
    graph = hp.as_graph(nx.gnp_random_graph(60, 0.25, seed=5, directed=True))
    for names in (["M4", "clique4", "cycle4", "triangle", "M8"], ["path4", "diamond"], hp.list_motifs(), []):
        with pytest.warns(GraphWarning) if names else nullcontext():
            found = hp.motif_adjacencies(graph, names, induced=induced, n_threads=n_threads)
        assert list(found) == names
        for name, matrix in found.items():
            seen = graph if hp.motifs.get_motif(name).is_directed else graph.undirected()
            alone = hp.motif_adjacency(seen, name, induced=induced)
            assert (matrix != alone).nnz == 0, name
            assert matrix.dtype == alone.dtype


def test_several_with_weights() -> None:
    graph = hp.as_graph(nx.karate_club_graph())
    found = hp.motif_adjacencies(graph, ["triangle", "wedge"], weights="product", on_edges=True)
    for name, matrix in found.items():
        alone = hp.motif_adjacency(graph, name, weights="product", on_edges=True)
        np.testing.assert_allclose(matrix.toarray(), alone.toarray())


def test_table_clashes_and_long_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    """Targets that share the low bits of their ids, and more targets than a byte counts, take the other branch."""
    use(monkeypatch, "numba")
    n = 17_000
    rng = np.random.default_rng(5)
    clashing = np.concatenate([np.arange(0, n, 8192), np.arange(1, n, 8192), np.arange(20, 60)])
    block = rng.choice(n, 700, replace=False)
    A = sp.lil_array((n, n))
    for members, density in ((clashing, 0.9), (block, 0.9)):
        part = np.triu(rng.random((len(members), len(members))) < density, 1)
        rows, cols = np.nonzero(part)
        A[members[rows], members[cols]] = 1
    A = sp.csr_array(A)
    A = sp.csr_array(A.maximum(A.T))
    W = hp.motif_adjacency(hp.as_graph(A), "triangle")
    assert (sp.csr_array((A @ A).multiply(A)) != W).nnz == 0
    assert skeleton.Skeleton(hp.as_graph(A)).width >= 256
    triangles = np.concatenate(list(skeleton.Skeleton(hp.as_graph(A)).triangles()))
    assert len(triangles) == W.sum() // 6


@pytest.mark.parametrize("n", [200, 400])
def test_complete_graphs(n: int) -> None:
    """Every count has a closed form; sums outgrow an int32, candidates a batch, and 400 targets the table's bytes."""
    A = np.ones((n, n)) - np.eye(n)
    pairs = (n - 2) * (n - 3) // 2  # the other two nodes, for a pair of nodes
    assert hp.motif_count(A, "clique4") == n * (n - 1) * pairs // 12
    assert hp.motif_count(A, "path4") == n * (n - 1) * pairs
    assert n < 400 or n * (n - 1) * pairs > 2**32
    for name, copies in (("cycle4", 3), ("diamond", 6), ("tailed-triangle", 12), ("star4", 4), ("clique4", 1)):
        W = hp.motif_adjacency(A, name, on_edges=True)
        assert W.nnz == n * (n - 1)
        assert set(W.data.tolist()) == {copies * pairs}


def test_arrays_of_one_block() -> None:
    arrays = memory.empty_arrays((3, np.int64), (0, np.int32), (5, np.bool_), (7, np.float64))
    for number, array in enumerate(arrays):
        array[:] = number
    assert [array.tolist() for array in arrays] == [[0] * 3, [], [True] * 5, [3.0] * 7]
    assert all(array.flags["ALIGNED"] and array.flags["C_CONTIGUOUS"] for array in arrays)


def test_refuses_what_does_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = hp.as_graph(nx.powerlaw_cluster_graph(3000, 8, 0.3, seed=0))
    monkeypatch.setattr(memory, "available_memory", lambda: 10_000_000)
    monkeypatch.setattr("hoscpool.motifs.counting.pairs.available_memory", lambda: 10_000_000)
    for name in ("wedge", "path4"):
        with pytest.raises(MemoryEstimateError, match=r"GiB.*on_edges=True") as caught:
            hp.motif_adjacency(graph, name)
        assert caught.value.needed > 10_000_000
    with pytest.raises(MemoryEstimateError, match="instances"):
        hp.motif_instances(graph, "star4")
    hp.motif_adjacency(graph, "wedge", on_edges=True)


def test_the_estimate_is_close(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = hp.as_graph(nx.powerlaw_cluster_graph(3000, 8, 0.3, seed=0))
    actual = hp.motif_adjacency(graph, "wedge").nnz * 24
    monkeypatch.setattr(memory, "available_memory", lambda: 1)
    monkeypatch.setattr("hoscpool.motifs.counting.pairs.available_memory", lambda: 1)
    with pytest.raises(MemoryEstimateError) as caught:
        hp.motif_adjacency(graph, "wedge")
    assert 0.5 * actual < caught.value.needed < 1.5 * actual


def test_small_graphs_do_not_load_the_compiler() -> None:
    code = (
        "import sys, networkx as nx, hoscpool as hp\n"
        "g = hp.as_graph(nx.karate_club_graph())\n"
        "for name in hp.list_motifs()[:9]:\n"
        "    hp.motif_adjacency(g, name), hp.motif_count(g, name, induced=True), hp.motif_instances(g, name)\n"
        "assert 'numba' not in sys.modules and 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(("bad", "message"), [("triangel", "Did you mean 'triangle'"), ("M14", "Valid motifs")])
def test_unknown_motif(bad: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        hp.motif_adjacency(nx.path_graph(3), bad)


def test_stars_at_a_hub_of_millions() -> None:
    degree = 2_500_000
    leaves = np.zeros(degree, np.int32)
    indptr = np.concatenate(([0], degree + np.arange(degree + 1)))
    star = hp.Graph(indptr=indptr, indices=np.concatenate((np.arange(1, degree + 1, dtype=np.int32), leaves)))
    assert hp.motif_count(star, "star4") == math.comb(degree, 3)
    assert choose3(np.array([degree])).tolist() == [math.comb(degree, 3)]


def test_bad_options() -> None:
    with pytest.raises(ValueError, match=r"use \['triangle'\]"):
        hp.motif_adjacencies(nx.path_graph(3), "triangle")
    with pytest.raises(ValueError, match="weights: expected None"):
        hp.motif_adjacencies(nx.path_graph(3), ["triangle"], weights="sum")
    with pytest.raises(ValueError, match="'mean' or 'product'"):
        hp.motif_adjacency(nx.path_graph(3), "wedge", weights="sum")
    with pytest.raises(ValueError, match="at least 1"):
        hp.motif_adjacency(nx.path_graph(3), "wedge", n_threads=0)


def test_ranges_cover_everything_once() -> None:
    work = np.concatenate(([0], np.cumsum(np.random.default_rng(0).integers(0, 50, 1000))))
    ranges = balanced_ranges(work, 16)
    assert [start for start, _ in ranges[1:]] == [stop for _, stop in ranges[:-1]]
    assert (ranges[0][0], ranges[-1][1]) == (0, 1000)
    assert max(work[b] - work[a] for a, b in ranges) < 2 * work[-1] / 16
    assert resolve_threads(None) >= 1


def test_an_error_in_a_thread_is_raised() -> None:
    def worker(start: int, _stop: int) -> None:
        if start:
            raise ArithmeticError("broken")

    with pytest.raises(ArithmeticError, match="broken"):
        run_ranges(lambda: worker, np.arange(101), 10, n_threads=3)
