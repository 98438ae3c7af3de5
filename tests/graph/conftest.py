"""Helpers shared by the graph tests: an obvious reading of a graph as a set of edges, and files from text."""

from __future__ import annotations

import gzip
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

with warnings.catch_warnings():
    warnings.simplefilter(
        "ignore"
    )  # PyG uses deprecated parts of torch while it is imported; torch warns once of "beta"
    import torch
    import torch_geometric.data  # noqa: F401

    for layout in (torch.sparse_csr, torch.sparse_csc, torch.sparse_bsr):
        torch.ones(1, 1).to_sparse(layout=layout, blocksize=(1, 1) if layout is torch.sparse_bsr else None)

from hoscpool import Graph

Edges = dict[tuple[Any, Any], float]


def edges_of(graph: Graph) -> Edges:
    """Every stored arc under the node names, with its weight: read from the arrays one by one."""
    names = list(graph.names)
    found: Edges = {}
    for node in range(graph.num_nodes):
        for slot in range(int(graph.indptr[node]), int(graph.indptr[node + 1])):
            weight = 1.0 if graph.weights is None else float(graph.weights[slot])
            found[names[node], names[int(graph.indices[slot])]] = weight
    return found


def both_ways(edges: Edges) -> Edges:
    """The arcs of undirected edges."""
    return {**edges, **{(v, u): weight for (u, v), weight in edges.items()}}


@pytest.fixture(name="edges_of")
def _edges_of() -> Callable[[Graph], Edges]:
    return edges_of


@pytest.fixture(name="both_ways")
def _both_ways() -> Callable[[Edges], Edges]:
    return both_ways


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    """Write text to a file of this name, compressed when it ends in .gz, and return its path."""

    def write_text(name: str, text: str) -> Path:
        path = tmp_path / name
        data = text.encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path

    return write_text
