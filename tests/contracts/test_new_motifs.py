"""A new motif is one object: registered in memory, it is right everywhere, against enumeration by brute force."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import torch
from torch_geometric.data import Batch, Data

import hoscpool as hp
import oracles
from hoscpool.cli import main
from hoscpool.metrics.conductance import motif_cut_and_volume
from hoscpool.motifs import get_motif, register_motif
from hoscpool.motifs.adjacency import Engine
from hoscpool.motifs.catalog import MOTIFS
from hoscpool.nn import AddMotifs, HoscPool, dense_motif_adjacency, motifs_of
from metrics.direct import motif_cuts, random_graph

Matrix = npt.NDArray[np.float64]

DIRECTED = list(oracles.NEW_DIRECTED)
NEW = [*oracles.NEW_UNDIRECTED, *DIRECTED]
CLUSTERS = [0, 1, 0, 2, 2, 0, 1]


@pytest.fixture(params=NEW)
def name(request: pytest.FixtureRequest) -> Iterator[str]:
    """A motif of one's own, made and registered as a user would."""
    name: str = request.param
    directed = name in DIRECTED
    rows, cols = np.nonzero(oracles.motif_matrix(name))
    edges = [(a, b) for a, b in zip(rows, cols, strict=True) if directed or a < b]
    register_motif(hp.Motif.from_edges(name, edges, directed=directed))
    yield name
    del MOTIFS[name]


@pytest.fixture(params=[False, True], ids=["subgraph", "induced"])
def induced(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def matrices(name: str, weighted: bool = False) -> Iterator[Matrix]:
    for seed, density in ((0, 0.3), (1, 0.6), (2, 0.9)):
        A = random_graph(seed, 7, density, directed=name in DIRECTED)
        values = np.random.default_rng(seed).uniform(0.2, 2.0, A.shape)
        yield A * (values + values.T) if weighted else A


def graph_of(A: Matrix, name: str) -> hp.Graph:
    return hp.as_graph(A, directed=name in DIRECTED)


def test_counts(name: str, induced: bool) -> None:
    for A in matrices(name):
        graph, expected = graph_of(A, name), oracles.motif_adjacency(A, name, induced)
        W = hp.motif_adjacency(graph, name, induced=induced)
        assert W.dtype == np.int64
        assert W.has_canonical_format
        assert (W.data != 0).all()
        np.testing.assert_array_equal(W.toarray(), expected)
        on_edges = hp.motif_adjacency(graph, name, induced=induced, on_edges=True)
        assert on_edges.dtype == np.int64
        assert (on_edges.data != 0).all()
        np.testing.assert_array_equal(on_edges.toarray(), expected * ((A + A.T) != 0))
        instances = oracles.instances(A, name, induced)
        assert hp.motif_count(graph, name, induced=induced) == len(instances)
        at_nodes = [sum(any(i in arc for arc in arcs) for arcs in instances) for i in range(len(A))]
        assert Engine(graph).at_nodes(get_motif(name), induced).tolist() == at_nodes


def test_instances(name: str, induced: bool) -> None:
    for A in matrices(name):
        rows = hp.motif_instances(graph_of(A, name), name, induced=induced)
        arcs = np.argwhere(oracles.motif_matrix(name)).tolist()
        found = [frozenset((row[a], row[b]) for a, b in arcs) for row in rows.tolist()]
        assert len(set(found)) == len(found), "an instance is listed twice"
        assert set(found) == oracles.instances(A, name, induced)


@pytest.mark.parametrize("weights", ["mean", "product"])
def test_weights(name: str, induced: bool, weights: str) -> None:
    for A in matrices(name, weighted=True):
        W = hp.motif_adjacency(graph_of(A, name), name, induced=induced, weights=weights)
        np.testing.assert_allclose(W.toarray(), oracles.motif_adjacency(A, name, induced, weights), atol=1e-12)


def test_several_at_once(name: str, induced: bool) -> None:
    known = "M5" if name in DIRECTED else "diamond"
    for A in matrices(name):
        found = hp.motif_adjacencies(graph_of(A, name), [known, get_motif(name)], induced=induced)
        assert list(found) == [known, name]
        for each, W in found.items():
            np.testing.assert_array_equal(W.toarray(), oracles.motif_adjacency(A, each, induced))


def test_conductance(name: str, induced: bool) -> None:
    for A in matrices(name):
        cut, vol = motif_cut_and_volume(graph_of(A, name), np.array(CLUSTERS, np.int32), 3, get_motif(name), induced)
        expected = motif_cuts(A, CLUSTERS, name, induced)
        assert list(zip(cut, vol, strict=True)) == expected
        total = sum(c / v for c, v in expected if v)
        found = hp.metrics.motif_conductance(graph_of(A, name), CLUSTERS, name, induced=induced, average="sum")
        assert found == pytest.approx(total)


@pytest.mark.parametrize("on_edges", [True, False])
@pytest.mark.parametrize("name", list(oracles.NEW_UNDIRECTED), indirect=True)
def test_dense_graphs(name: str, on_edges: bool) -> None:
    dense = np.stack(list(matrices(name, weighted=True)))
    found = dense_motif_adjacency(torch.from_numpy(dense), name, on_edges=on_edges).numpy()
    for A, W in zip(dense, found, strict=True):
        expected = oracles.motif_adjacency(A, name, False, "product")
        np.testing.assert_allclose(W, expected * (A > 0) if on_edges else expected, rtol=1e-9, atol=1e-12)


@pytest.mark.filterwarnings("ignore::hoscpool.support.errors.GraphWarning")  # directions, and a motif that is absent
@pytest.mark.parametrize("weighted", [False, True])
def test_pools(name: str, weighted: bool) -> None:
    """Loss of one graph, of a batch, with matrices that came along, and along a matrix from the oracle."""
    pool = HoscPool(4, 3, {"edge": 0.5, name: 0.5}).double()
    graphs = [data_of(A) for A in matrices(name, weighted)]
    losses = [pool(data.x, data.edge_index, data.edge_weight).losses for data in graphs]
    for data, A, loss in zip(graphs, matrices(name, weighted), losses, strict=True):
        W = oracles.motif_adjacency(A, name, False, "product" if weighted else None) * ((A + A.T) != 0)
        index = torch.from_numpy(np.argwhere(W).T.copy())
        given = {name: (index, torch.from_numpy(W[W != 0]))}
        same = pool(data.x, data.edge_index, data.edge_weight, motifs=given).losses
        torch.testing.assert_close(dict(loss), dict(same))
    batch = Batch.from_data_list([AddMotifs(["edge", name])(data.clone()) for data in graphs])
    assert list(motifs_of(batch)) == [name]
    for along in (motifs_of(batch), None):
        together = pool(batch.x, batch.edge_index, batch.edge_weight, batch=batch.batch, motifs=along).losses
        mean = torch.stack([loss[name] for loss in losses]).mean()
        torch.testing.assert_close(together[name], mean, rtol=1e-6, atol=1e-7)


def data_of(A: Matrix) -> Data:
    """A graph of PyG; its weights are those of the matrix, or none when they are all 1."""
    edges = torch.from_numpy(np.argwhere(A).T.copy())
    weights = None if set(A[A != 0]) == {1.0} else torch.from_numpy(A[A != 0])
    x = torch.from_numpy(np.random.default_rng(0).random((len(A), 4)))
    return Data(x=x, edge_index=edges, edge_weight=weights, num_nodes=len(A))


@pytest.mark.filterwarnings("ignore::hoscpool.support.errors.GraphWarning")  # as above
@pytest.mark.filterwarnings("ignore:restarts agree by only")  # a random graph has no communities
def test_estimators(name: str) -> None:
    A = random_graph(3, 20, 0.4, directed=name in DIRECTED)
    graph = graph_of(A, name)
    model = hp.HoscClustering(2, motifs={"edge": 0.5, name: 0.5}, n_init=1, max_epochs=2, random_state=0).fit(graph)
    spectral = hp.MotifSpectralClustering(2, motif=name).fit(graph)
    assert model.motifs_ == {"edge": 0.5, name: 0.5}
    assert len(model.labels_) == len(spectral.labels_) == 20


def test_command_line(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    A = random_graph(1, 7, 0.7, directed=name in DIRECTED)
    source, target = tmp_path / "graph.csv", tmp_path / "matrix.csv"
    pairs = np.argwhere(A if name in DIRECTED else np.triu(A)).tolist()
    source.write_text("from,to\n" + "".join(f"{i},{j}\n" for i, j in pairs))
    options = ["--directed"] if name in DIRECTED else []
    assert main(["motifs", str(source), "--motif", name, "-o", str(target), *options]) == 0
    output = capsys.readouterr().out
    assert f"{len(oracles.instances(A, name, False)):,}" in output.split()
    W = np.zeros_like(A)
    with target.open() as file:
        for row in csv.DictReader(file):
            i, j = int(row["source"]), int(row["target"])
            W[i, j] = W[j, i] = float(row["weight"])
    np.testing.assert_array_equal(W, oracles.motif_adjacency(A, name, False))
    assert main(["motifs", str(source), *options]) == 0  # all motifs that fit the graph
    assert name in capsys.readouterr().out.split()
    assert main(["motifs", str(source), "--motif", "unheard-of"]) != 0
    assert "diamond, clique4" in (message := capsys.readouterr().err)
    assert name in message


def test_after_use_nothing_is_left() -> None:
    assert not set(NEW) & set(hp.list_motifs())
    with pytest.raises(ValueError, match="Valid motifs: edge, wedge"):
        hp.motif_count(np.ones((3, 3)) - np.eye(3), "bowtie")
