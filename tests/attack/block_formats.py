"""Folders of blocks, and files that are read edge by edge to build them."""

from __future__ import annotations

import json
import shutil
import tempfile
import zlib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np

import hoscpool as hp
from attack.mutations import Case
from hoscpool.distributed import build_blocks, open_blocks
from hoscpool.graph.readers import edge_list_fast

FOLDER, MANIFEST = "blocks", "manifest.json"
MOTIFS = ("wedge", "triangle", "cycle4", "clique4")


def _files_of(folder: Path) -> Case:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@cache
def _built(named: bool, counted: bool) -> Case:
    graph = nx.karate_club_graph()
    graph = nx.relabel_nodes(graph, lambda node: f"n {node}" if named else 3 * node + 1)
    with tempfile.TemporaryDirectory() as name:
        blocks = build_blocks(hp.as_graph(graph), Path(name) / FOLDER, num_ranges=2)
        if counted:
            hp.motif_adjacency(blocks, "triangle")
        return _files_of(Path(name))


def blocks_cases() -> Sequence[Case]:
    """Whole folders: with names, with numbers as names, with finished counts."""
    return [_built(named=True, counted=False), _built(named=False, counted=False), _built(named=False, counted=True)]


def seal_blocks(case: Case) -> Case:
    """Give the manifests the sizes and checksums of the files."""
    sealed = dict(case)
    for place, name in ((FOLDER, MANIFEST), (f"{FOLDER}/counts/t", "counts.json")):
        manifest = f"{place}/{name}"
        try:
            content = json.loads(case.get(manifest, b""))
            files = {other: case[f"{place}/{other}"] for other in content["files"]}
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
        sums = {other: zlib.crc32(raw) for other, raw in files.items()}
        whole: dict[str, Any] = {other: [len(raw), sums[other]] for other, raw in files.items()}
        sealed[manifest] = json.dumps(content | {"files": whole if name == MANIFEST else sums}).encode()
    return sealed


def read_blocks(folder: Path) -> object:
    """Everything that is read from a folder of blocks. Small tasks are counted by the kernels of large ones."""
    graph = open_blocks(folder / FOLDER)
    found: list[object] = [graph.names, graph.order.sum(), graph.degree.sum()]
    for motif in MOTIFS:
        matrix = graph.motif_adjacency(motif, on_edges=True, workers=1, memory="1GB")
        found += [matrix.to_matrix(), matrix.count_instances()]
    return found


def read_as_blocks(name: str) -> Callable[[Path], object]:
    """Build blocks from a file. Edges and nodes must be those of the graph that is read at once."""

    def read(folder: Path) -> object:
        target = folder / FOLDER
        shutil.rmtree(target, ignore_errors=True)
        before, edge_list_fast.LARGE = edge_list_fast.LARGE, 0
        try:
            graph = build_blocks(folder / name, target, num_ranges=2, memory="1GB")
        finally:
            edge_list_fast.LARGE = before
        plain = hp.as_graph(folder / name).undirected()
        assert (graph.num_nodes, graph.num_edges) == (plain.num_nodes, plain.num_edges), "another size than at once"
        assert sorted(map(str, graph.names)) == sorted(map(str, plain.names)), "other names than at once"
        degree = np.empty(graph.num_nodes, np.int64)
        degree[graph.order] = graph.degree
        places = {str(node): place for place, node in enumerate(plain.names)}
        same = np.array([places[str(node)] for node in graph.names], np.int64)
        assert np.array_equal(degree, np.diff(plain.indptr)[same]), "other degrees than at once"
        return graph

    return read
