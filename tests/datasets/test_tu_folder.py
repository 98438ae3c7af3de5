"""Folders in the TU format: what PyG reads we read alike, and what is damaged is refused by name."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hoscpool.datasets import read_tu_folder
from hoscpool.datasets.tu_folder import read_tu_arrays

FILES = {
    "A": "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n",
    "graph_indicator": "1\n1\n1\n2\n2\n3\n",
    "graph_labels": "1\n-1\n1\n",
}
LABELLED = FILES | {"node_labels": "5\n3\n3\n4\n5\n3\n", "edge_labels": "0\n0\n1\n1\n2\n2\n"}


def _write(folder: Path, files: dict[str, str], prefix: str = "T") -> Path:
    for part, text in files.items():
        (folder / f"{prefix}_{part}.txt").write_text(text)
    return folder


def test_graphs_without_edges_and_nodes_count(tmp_path: Path) -> None:
    graphs = read_tu_folder(_write(tmp_path, FILES), "T")
    assert [graph.num_nodes for graph in graphs] == [3, 2, 1]
    assert [graph.num_edges for graph in graphs] == [4, 2, 0]
    assert [int(graph.y) for graph in graphs] == [1, 0, 1]


@pytest.mark.parametrize("prefix", ["x[1]", "a*b", "ä b"])
def test_any_name_will_do(prefix: str, tmp_path: Path) -> None:
    assert len(read_tu_folder(_write(tmp_path, FILES, prefix), prefix)) == 3


def test_no_graph_has_an_edge(tmp_path: Path) -> None:
    graphs = read_tu_folder(_write(tmp_path, LABELLED | {"A": "", "edge_labels": "\n"}), "T")
    assert [graph.num_edges for graph in graphs] == [0, 0, 0]


@pytest.mark.parametrize("seed", range(20))
def test_the_values_are_those_of_pyg(seed: int, tmp_path: Path) -> None:
    from torch_geometric.io import read_tu_data

    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 6, size=5)
    first, lines = np.concatenate([[0], np.cumsum(sizes)]), []
    for start, size in zip(first[:-1], sizes, strict=True):
        for i, j in rng.integers(size, size=(7, 2)):  # with repeats and self-loops
            lines += [(start + i + 1, start + j + 1), (start + j + 1, start + i + 1)]
        lines += [(start + 1, start + 2), (start + size, start + 1)]  # PyG needs every graph to have edges
    files = {
        "A": "".join(f"{a}, {b}\n" for a, b in lines),
        "graph_indicator": "".join(f"{i + 1}\n" * size for i, size in enumerate(sizes)),
        "graph_labels": "3\n-1\n3\n7\n-1\n",
        "node_labels": "".join(f"{a}, {b}\n" for a, b in rng.integers(-2, 4, size=(first[-1], 2))),
        "edge_labels": "".join(f"{a}\n" for a in rng.integers(3, size=len(lines))),
    }
    if seed % 3:
        files["edge_attributes"] = "".join(f"{a:.3f}\n" for a in rng.integers(9, size=len(lines)) / 8)
    if seed % 2:
        files["node_attributes"] = "".join(f"{a:.6f},{b}\n" for a, b in rng.normal(size=(first[-1], 2)))
    found = read_tu_arrays(_write(tmp_path, files), "T")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        data, slices, _ = read_tu_data(str(tmp_path), "T")
    expected: dict[str, Any] = {
        "edge_index": data.edge_index, "x": data.x, "y": data.y, "edge_attr": data.edge_attr,
        "num_edges": slices["edge_index"].diff(), "num_nodes": sizes,
    }  # fmt: skip
    for name, values in expected.items():
        np.testing.assert_array_equal(found[name], values, err_msg=name)


@pytest.mark.parametrize(
    ("part", "text", "message"),
    [
        ("A", "1, 2\n2, 99\n", r"T_A\.txt, line 2: expected nodes from 1 to 6, got \[2, 99\]"),
        ("A", "0, 1\n", "line 1: expected nodes from 1 to 6"),
        ("A", "1, 2\n1, 4\n", "line 2: expected an edge within one graph"),
        ("A", "1, 2, 3\n", "expected two nodes per line, got 3"),
        ("A", "1, x\n", r"T_A\.txt: .*could not convert string"),
        ("A", "1, 2\n1\n", r"T_A\.txt: cannot be read as a file of the TU format"),
        ("A", "\x00", r"T_A\.txt: cannot be read"),
        ("A", "1, 99999999999999999999\n", r"T_A\.txt: cannot be read"),
        ("graph_indicator", "1\n1\n1\n2\n2\n1000000000000\n", "expected the numbers 1 to 3"),
        ("graph_indicator", "1\n2\n1\n2\n2\n3\n", "line 3: expected the nodes graph by graph"),
        ("graph_indicator", "0\n1\n1\n2\n2\n3\n", "expected the numbers 1 to 3"),
        ("graph_indicator", "", "expected one whole number per line, got 0 on 0 lines"),
        ("graph_labels", "1, 2\n", "expected one whole number per line, got 2"),
        ("node_labels", "1\n", r"T_node_labels\.txt: expected 6 lines, one for every node, got 1"),
        (
            "node_labels",
            "0\n0\n0\n0\n0\n9000000000000000000\n",
            r"T_node_labels\.txt: has labels up to 9,0.* would take",
        ),
        ("node_attributes", "1\nnan\n1\n1\n1\n1\n", "expected finite numbers"),
        ("node_attributes", "1\n1e300\n1\n1\n1\n1\n", "expected finite numbers"),
        ("edge_labels", "1\n", "expected 6 lines, one for every edge, got 1"),
    ],
)
def test_damaged_files_are_refused_by_name(part: str, text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message):
        read_tu_arrays(_write(tmp_path, FILES | {part: text}), "T")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="T_graph_indicator"):
        read_tu_arrays(tmp_path, "T")
