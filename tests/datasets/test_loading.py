"""Every dataset against counts typed in from the data folder's README and from the paper, not from the catalogue."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import hoscpool as hp

# nodes, edges as PyG loads them (both directions unless directed, self-loops included), features, classes
NODE_COUNTS = {
    "cora": (2708, 10556, 1433, 7),
    "citeseer": (3327, 9104, 3703, 6),
    "pubmed": (19717, 88648, 500, 3),
    "photo": (7650, 238162, 745, 8),
    "pc": (13752, 491722, 767, 10),
    "cs": (18333, 163788, 6805, 15),
    "dblp": (17716, 105734, 1639, 4),
}
DIRECTED_COUNTS = {"polblogs": (1490, 19025, 3, 2), "email-eu": (1005, 25571, 642, 42)}  # nodes, arcs, loops, classes
PAPER_UNDIRECTED = {"polblogs": 33433, "email-eu": 32770}  # both directions and self-loops

# graphs, classes, nodes, edges in both directions, node labels, node attributes, edge labels
GRAPH_COUNTS = {
    "proteins": (1113, 2, 43471, 162088, 3, 1, 0),
    "nci1": (4110, 2, 122747, 265506, 37, 0, 0),
    "dd": (1178, 2, 334925, 1686092, 89, 0, 0),
    "mutagenicity": (4337, 2, 131488, 266894, 14, 0, 3),
    "reddit-b": (2000, 2, 859254, 1991016, 0, 0, 0),
    "cox2-md": (303, 2, 7962, 203084, 7, 0, 5),
    "er-md": (446, 2, 9512, 209482, 10, 0, 5),
    "enzymes": (600, 6, 19580, 74564, 3, 18, 0),
    "mutag": (188, 2, 3371, 7442, 7, 0, 4),
}
SLOW = {"dd", "reddit-b"}


@pytest.mark.data
@pytest.mark.parametrize("name", NODE_COUNTS)
def test_graphs_with_features(name: str, data_root: Path) -> None:
    nodes, arcs, features, classes = NODE_COUNTS[name]
    graph = hp.datasets.load(name, data_root)
    assert (graph.num_nodes, 2 * graph.num_edges, graph.num_features) == (nodes, arcs, features)
    assert np.unique(np.asarray(graph.labels)).tolist() == list(range(classes))
    assert not graph.is_directed
    assert not graph.is_weighted
    assert isinstance(graph.features, sp.csr_array)
    assert graph.features.dtype == np.float32
    assert (graph.adjacency != graph.adjacency.T).nnz == 0
    assert graph.name == name


@pytest.mark.data
@pytest.mark.parametrize("name", DIRECTED_COUNTS)
def test_directed_graphs(name: str, data_root: Path) -> None:
    nodes, arcs, loops, classes = DIRECTED_COUNTS[name]
    graph = hp.datasets.load(name, data_root)
    assert graph.is_directed
    assert (graph.num_nodes, graph.num_edges) == (nodes, arcs - loops)
    assert graph.features is None
    assert len(np.unique(np.asarray(graph.labels))) == classes
    assert 2 * graph.undirected().num_edges + loops == PAPER_UNDIRECTED[name], "how the paper came by its count"


@pytest.mark.data
def test_the_largest_component_of_polblogs(data_root: Path) -> None:
    graph = hp.datasets.load("polblogs-lcc", data_root)
    info = hp.datasets.dataset_info("polblogs-lcc")
    assert (
        (graph.num_nodes, graph.num_edges, graph.name)
        == (1222, 16714, "polblogs-lcc")
        == (info.nodes, info.edges, info.name)
    )  # Karrer & Newman 2011
    assert not graph.is_directed


@pytest.mark.data
@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow if n in SLOW else ()) for n in GRAPH_COUNTS])
def test_sets_of_graphs(name: str, data_root: Path) -> None:
    graphs, classes, nodes, arcs, labels, attributes, edge_labels = GRAPH_COUNTS[name]
    found = hp.datasets.load_graphs(name, data_root)
    assert len(found) == graphs
    assert {int(graph.y) for graph in found} == set(range(classes))
    assert sum(graph.num_nodes for graph in found) == nodes
    assert sum(graph.num_edges for graph in found) == arcs
    assert found[0].num_node_features == labels
    assert found[0].num_edge_features == edge_labels
    rich = hp.datasets.load_graphs(name, data_root, node_attributes=True)
    assert rich[0].num_node_features == labels + attributes
    if labels:
        assert all((graph.x.sum(dim=1) == 1).all() for graph in found), "one-hot"


@pytest.mark.data
def test_the_hard_benchmark(data_root: Path) -> None:
    graphs = hp.datasets.load_graphs("bench-hard", data_root)
    assert len(graphs) == 300
    assert [sum(graph.split == split for graph in graphs) for split in ("train", "val", "test")] == [245, 29, 26]
    assert np.mean([graph.num_nodes for graph in graphs]) == pytest.approx(58.64, abs=0.005)
    assert np.mean([graph.num_edges for graph in graphs]) == pytest.approx(224.95, abs=0.005)
    assert {graph.num_node_features for graph in graphs} == {5}
    assert {int(graph.y) for graph in graphs} == {0, 1, 2}


@pytest.mark.parametrize(
    ("name", "nodes", "edges", "features", "classes"),
    [("karate", 34, 78, 0, 2), ("syn1", 1000, 6243, 10, 3), ("syn2", 1000, 5496, 10, 2), ("syn3", 500, 48205, 10, 5)],
)
def test_built_in_graphs_need_no_files(
    name: str, nodes: int, edges: int, features: int, classes: int, cache: Path
) -> None:
    graph = hp.datasets.load(name)
    assert (graph.num_nodes, graph.num_edges, graph.num_features) == (nodes, edges, features)
    assert np.unique(np.asarray(graph.labels)).tolist() == list(range(classes))
    assert graph.name == name
    assert not graph.notes
    assert not cache.exists()


def test_each_kind_names_the_other_function() -> None:
    with pytest.raises(ValueError, match=r"expected one of cora, .* got 'proteins'; load it by load_graphs"):
        hp.datasets.load("proteins")
    with pytest.raises(ValueError, match=r"expected one of proteins, .* got 'cora'; load it by load"):
        hp.datasets.load_graphs("cora")


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ValueError, match="Did you mean 'pubmed'"):
        hp.datasets.load("pubmde")


def test_the_catalogue_agrees_with_these_counts() -> None:
    for name, (nodes, arcs, features, classes) in NODE_COUNTS.items():
        info = hp.datasets.dataset_info(name)
        assert (info.nodes, 2 * info.edges, info.features, info.classes) == (nodes, arcs, features, classes)
    for name, (graphs, classes, nodes, arcs, labels, _, _) in GRAPH_COUNTS.items():
        info = hp.datasets.dataset_info(name)
        assert (info.graphs, info.classes, info.nodes, 2 * info.edges, info.features) == (
            graphs,
            classes,
            nodes,
            arcs,
            labels,
        )


@pytest.mark.data
@pytest.mark.parametrize(("name", "bonds", "types"), [("er-md", 20_812, 4), ("cox2-md", 17_284, 4)])
def test_bonds_of_complete_graphs(name: str, bonds: int, types: int) -> None:
    """Numbers of edges with another label than 1 ("no bond"), counted in the raw files."""
    whole, alone = hp.datasets.load_graphs(name), hp.datasets.load_graphs(name, edges="bonds", edge_attributes=True)
    assert sum(int(data.is_bond.sum()) for data in whole) == sum(data.num_edges for data in alone) == bonds
    assert whole[0].edge_attr.shape[1] == types + 1
    for full, data in zip(whole[:20], alone[:20], strict=True):
        assert full.edge_index[:, full.is_bond].equal(data.edge_index)
        lengths, kinds = data.edge_attr[:, 0], data.edge_attr[:, 1:]
        assert kinds.shape[1] == types
        assert bool((kinds.sum(dim=1) == 1).all())
        assert 1 < float(lengths.min()) < float(lengths.max()) < 3  # in Ångström
    named = hp.datasets.load_graphs(f"{name}-bonds")
    assert named[3].edge_attr.equal(alone[3].edge_attr)


@pytest.mark.data
def test_bonds_are_refused_where_none_are_known() -> None:
    with pytest.raises(ValueError, match="'proteins' has no edge labels that tell bonds from other edges"):
        hp.datasets.load_graphs("proteins", edges="bonds")
    with pytest.raises(ValueError, match="edges: expected one of 'all', 'bonds', got 'some'"):
        hp.datasets.load_graphs("proteins", edges="some")  # type: ignore[arg-type]
    assert hp.datasets.load_graphs("mutagenicity", edges="bonds")[0].edge_attr.shape[1] == 3
