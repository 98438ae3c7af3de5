from __future__ import annotations

import pytest

from hoscpool.bench.graphs.recipes import DEFAULT, GRAPHS, LARGE, QUICK, load_graph
from hoscpool.support.errors import DatasetNotFoundError


def test_every_graph_is_in_one_group() -> None:
    assert sorted((*DEFAULT, *LARGE, *QUICK)) == sorted(GRAPHS)
    assert {"photo", "pc", "cs", "amazon", "rmat16", "rmat18"} < set(DEFAULT)


@pytest.mark.parametrize("name", QUICK)
def test_quick_graphs_are_bare_and_small(name: str) -> None:
    graph = load_graph(name)
    assert graph.name == GRAPHS[name].title
    assert graph.features is None
    assert graph.num_edges < 30_000


def test_real_graphs_are_not_downloaded(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("HOSCPOOL_DATA", str(tmp_path))
    with pytest.raises(DatasetNotFoundError, match="set HOSCPOOL_DATA"):
        load_graph("photo")


@pytest.mark.data
@pytest.mark.parametrize(("name", "nodes", "edges"), [("photo", 7_650, 119_081), ("cs", 18_333, 81_894)])
def test_real_graphs(name: str, nodes: int, edges: int) -> None:
    graph = load_graph(name)
    assert (graph.num_nodes, graph.num_edges) == (nodes, edges)
    assert graph.features is None
