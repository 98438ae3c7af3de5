from __future__ import annotations

import numpy as np
import pytest
import torch
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader

import oracles
from hoscpool.motifs import MOTIFS as CATALOGUE
from hoscpool.motifs import Motif, export
from hoscpool.nn import AddMotifs, HoscPool, motifs_of
from hoscpool.support.errors import GraphWarning
from metrics.direct import random_graph
from nn.cases import Case, as_case, random_case

MOTIFS = {"edge": 0.2, "triangle": 0.3, "tailed-triangle": 0.3, "wedge": 0.2}


def as_data(case: Case, b: int) -> Data:
    single = as_case([case.matrices[b]], [case.features[b]], case.edge_weight is not None)
    data = Data(x=single.x, edge_index=single.edge_index, num_nodes=len(single.x))
    if single.edge_weight is not None:
        data.edge_weight = single.edge_weight
    return data


@pytest.mark.parametrize("on_edges", [True, False])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_loader_gives_what_the_layer_computes_itself(weighted: bool, on_edges: bool) -> None:
    case = random_case(weighted=weighted)
    transform = AddMotifs(MOTIFS, on_edges=on_edges)
    graphs = [transform(as_data(case, b)) for b in range(3)]
    batch = next(iter(DataLoader(graphs, batch_size=3)))
    pool = HoscPool(6, 3, MOTIFS, on_edges=on_edges).double()
    weight = batch.get("edge_weight")
    given = pool(batch.x, batch.edge_index, weight, batch.batch, motifs=motifs_of(batch))
    computed = pool(batch.x, batch.edge_index, weight, batch.batch)
    tolerance = 1e-6 if weighted else 1e-12  # weights ride as float32
    torch.testing.assert_close(dict(given.losses), dict(computed.losses), rtol=tolerance, atol=0.0)


def test_shuffled_batches_carry_their_own_matrices() -> None:
    case = random_case(sizes=(5, 9, 7, 8))
    graphs = [AddMotifs(["triangle"])(as_data(case, b)) for b in range(4)]
    pool = HoscPool(6, 3).double()
    for batch in DataLoader(graphs, batch_size=3, shuffle=True, generator=torch.Generator().manual_seed(0)):
        given = pool(batch.x, batch.edge_index, batch=batch.batch, motifs=motifs_of(batch))
        torch.testing.assert_close(given.loss, pool(batch.x, batch.edge_index, batch=batch.batch).loss)


def test_what_is_stored() -> None:
    case = random_case(sizes=(8,))
    data = AddMotifs(["tailed-triangle"], on_edges=False)(as_data(case, 0))
    index, weight = motifs_of(data)["tailed-triangle"]
    assert index is data["motif_tailed_triangle_index"]
    dense = torch.zeros(8, 8).index_put((index[0], index[1]), weight)
    expected = oracles.motif_adjacency(case.matrices[0], "tailed-triangle", induced=False)
    np.testing.assert_array_equal(dense.numpy(), expected)
    assert weight.dtype == torch.float32
    assert bool((index[0].diff() >= 0).all())


def test_counts_too_large_for_float32_are_stored_in_double(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "EXACT_FLOAT32", 3)
    edges = (torch.ones(6, 6) - torch.eye(6)).nonzero().t().contiguous()
    weight = motifs_of(AddMotifs(["triangle"])(Data(edge_index=edges, num_nodes=6)))["triangle"][1]
    assert weight.dtype == torch.float64
    assert weight.tolist() == [4.0] * 30


def test_no_motif_at_all() -> None:
    data = AddMotifs(["edge", "triangle"])(Data(x=torch.randn(2, 6), edge_index=torch.tensor([[0, 1], [1, 0]])))
    assert list(motifs_of(data)) == ["triangle"]
    assert data.motif_triangle_index.shape == (2, 0)
    with pytest.warns(GraphWarning, match="no graph of the batch has the motif triangle"):
        out = HoscPool(6, 2)(data.x, data.edge_index, motifs=motifs_of(data))
    assert out.losses["triangle"].item() == 0


def test_directed_edges_for_directed_motifs() -> None:
    cycle = Data(x=torch.randn(3, 4), edge_index=torch.tensor([[0, 1, 2], [1, 2, 0]]))
    with pytest.warns(GraphWarning, match="directed"):
        data = AddMotifs(["M1", "triangle"])(cycle)
    assert data.motif_M1_weight.tolist() == [1.0] * 6
    assert data.motif_triangle_weight.tolist() == [1.0] * 6


def test_bad_input() -> None:
    with pytest.raises(ValueError, match=r"unknown motif 'tringle'. Did you mean 'triangle'\?"):
        AddMotifs(["tringle"])
    with pytest.raises(ValueError, match="motifs: expected a list of names, got the single string 'triangle'"):
        AddMotifs("triangle")
    with pytest.raises(ValueError, match="data: expected an edge_index, got none"):
        AddMotifs()(Data(x=torch.randn(2, 2)))


def test_repr() -> None:
    assert repr(AddMotifs({"edge": 0.5, "triangle": 0.5})) == "AddMotifs(['triangle'], on_edges=True)"


def test_motifs_on_chosen_edges_alone() -> None:
    """A complete graph of four atoms whose bonds are a triangle and a tail."""
    complete = torch.tensor([(i, j) for i in range(4) for j in range(4) if i != j]).T
    bonds = {(0, 1), (1, 2), (0, 2), (2, 3)}
    is_bond = torch.tensor([(min(i, j), max(i, j)) in bonds for i, j in complete.T.tolist()])
    data = Data(edge_index=complete, num_nodes=4, is_bond=is_bond)
    found = AddMotifs(["triangle"], edges="is_bond")(data.clone())
    assert {tuple(pair) for pair in found.motif_triangle_index.T.tolist()} == {
        (i, j) for i in range(3) for j in range(3) if i != j
    }
    assert AddMotifs(["triangle"])(data.clone()).motif_triangle_weight.tolist() == [2.0] * 12
    with pytest.raises(ValueError, match=r"expected data\.missing to hold one truth value for every edge, got None"):
        AddMotifs(["triangle"], edges="missing")(data)
    with pytest.raises(ValueError, match=r"edges: expected data\.is_bond"):
        AddMotifs(edges="is_bond")(Data(edge_index=complete, num_nodes=4, is_bond=is_bond[:3]))
    assert repr(AddMotifs(edges="is_bond")) == "AddMotifs(['triangle'], on_edges=True, edges='is_bond')"


@pytest.mark.parametrize("form", ["counts", "log"])
@pytest.mark.parametrize("with_features", [True, False])
def test_node_counts_are_features(form: str, with_features: bool) -> None:
    A = random_graph(1, 7, 0.6, directed=False)
    x = torch.rand(7, 2, dtype=torch.float64) if with_features else None
    data = Data(x=x, edge_index=torch.from_numpy(np.argwhere(A).T.copy()), num_nodes=7)
    data.edge_weight = torch.full((data.edge_index.size(1),), 2.0)
    names = ["edge", "triangle", "path4"]
    found = AddMotifs(names, node_counts=form)(data.clone()).x
    columns = []
    for name in names:
        instances = oracles.instances(A, name, induced=False)
        columns.append([sum(any(i in arc for arc in arcs) for arcs in instances) for i in range(7)])
    counts = torch.tensor(columns).T.to(found.dtype)
    expected = counts if form == "counts" else torch.log1p(counts)
    assert found.dtype == (torch.float64 if with_features else torch.float32)
    torch.testing.assert_close(found[:, -3:], expected)
    if x is not None:
        torch.testing.assert_close(found[:, :2], x)


def test_own_motifs_are_registered() -> None:
    bowtie = Motif.from_edges("bowtie", [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)])
    edges = torch.combinations(torch.arange(5)).T
    data = Data(edge_index=torch.cat([edges, edges.flip(0)], dim=1), num_nodes=5)
    try:
        found = AddMotifs([bowtie], node_counts="counts")(data)
        assert found.motif_bowtie_weight.unique().tolist() == [15]
        assert found.x.ravel().tolist() == [15] * 5
        assert list(motifs_of(found)) == ["bowtie"]
    finally:
        del CATALOGUE["bowtie"]
    with pytest.raises(ValueError, match="node_counts: expected None, 'counts' or 'log', got 'yes'"):
        AddMotifs(node_counts="yes")
