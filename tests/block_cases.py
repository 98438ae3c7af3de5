"""Graphs for the tests of blocks, and the edges in a folder of blocks, read in the plainest way."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np

import hoscpool as hp
from hoscpool.distributed import BlockGraph
from hoscpool.distributed.blocks.block_folder import MANIFEST


def with_hub() -> nx.Graph:
    """A random graph, one node joined to all others, and nodes without edges at the end."""
    graph = nx.gnm_random_graph(70, 260, seed=5)
    graph.add_edges_from((0, node) for node in range(1, 70))
    graph.add_nodes_from(range(70, 80))
    return graph


def few_far_apart() -> nx.Graph:
    """Two cliques and a path: with many ranges most are empty."""
    graph = nx.complete_graph(5)
    return nx.disjoint_union(graph, nx.path_graph(3))


GRAPHS: dict[str, Any] = {
    "random": lambda: nx.gnm_random_graph(60, 420, seed=1),
    "grown": lambda: nx.barabasi_albert_graph(150, 8, seed=2),
    "hub": with_hub,
    "star": lambda: nx.star_graph(30),
    "cliques": few_far_apart,
    "no edges": lambda: nx.empty_graph(4),
    "no nodes": lambda: nx.empty_graph(0),
}


def graph_named(name: str) -> hp.Graph:
    return hp.as_graph(
        nx.to_scipy_sparse_array(GRAPHS[name](), weight=None, format="csr") if name != "no nodes" else EMPTY
    )


EMPTY = np.zeros((0, 0))


def edges_of(blocks: BlockGraph) -> list[tuple[int, int]]:
    """All edges (i, j), i < j, in the numbers of the source, ascending."""
    found = []
    for a, b in blocks.pairs:
        block = blocks.block(a, b)
        for row in range(len(block.indptr) - 1):
            for column in block.indices[block.indptr[row] : block.indptr[row + 1]]:
                ends = blocks.order[row + blocks.shape.cuts[a]], blocks.order[column + blocks.shape.cuts[b]]
                found.append((int(min(ends)), int(max(ends))))
    return sorted(found)


def edges_in(graph: hp.Graph) -> list[tuple[int, int]]:
    """The same of a graph in memory."""
    entries = graph.adjacency.tocoo()
    return sorted((i, j) for i, j in zip(entries.row.tolist(), entries.col.tolist(), strict=True) if i < j)


def assert_same_matrix(one: Any, other: Any) -> None:
    """Equal bit by bit: also the types, the order of the entries, and what is not stored."""
    assert one.shape == other.shape
    for name in ("indptr", "indices", "data"):
        assert getattr(one, name).dtype == getattr(other, name).dtype, name
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def edit(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the manifest of a folder of blocks."""
    content = json.loads((folder / MANIFEST).read_text())
    change(content)
    (folder / MANIFEST).write_text(json.dumps(content))
