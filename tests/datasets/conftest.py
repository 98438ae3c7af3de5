"""Miniature raw folders in PyG's layout, and catalogue entries for them."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # PyG uses deprecated parts of torch while it is imported
    import torch_geometric.datasets  # noqa: F401

from hoscpool.datasets import dataset_catalog as catalog
from hoscpool.datasets.dataset_catalog import DatasetInfo, dataset_info


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder, and no data root."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("HOSCPOOL_CACHE", str(folder))
    monkeypatch.delenv("HOSCPOOL_DATA", raising=False)
    return folder


def _register(monkeypatch: pytest.MonkeyPatch, info: DatasetInfo) -> None:
    monkeypatch.setattr(catalog.CATALOG, "_entries", {**catalog.CATALOG, info.name: info})


@pytest.fixture
def tiny_root(tmp_path: Path) -> Path:
    """A data root with a set of two graphs (a triangle, and an edge with an isolated node), and a directed graph."""
    files = {
        "TUDataset/TINY/raw/TINY_A.txt": "1, 2\n2, 1\n2, 3\n3, 2\n1, 3\n3, 1\n4, 5\n5, 4\n",
        "TUDataset/TINY/raw/TINY_graph_indicator.txt": "1\n1\n1\n2\n2\n2\n",
        "TUDataset/TINY/raw/TINY_graph_labels.txt": "-1\n1\n",
        "TUDataset/TINY/raw/TINY_node_labels.txt": "0\n1\n0\n1\n1\n0\n",
        "TUDataset/TINY/raw/TINY_node_attributes.txt": "0.5\n1.5\n2.5\n3.5\n4.5\n5.5\n",
        "PolBlogs/raw/adjacency.tsv": "0\t1\t1\n1\t0\t1\n1\t2\t2\n2\t2\t1\n",
        "PolBlogs/raw/labels.tsv": "0\n0\n1\n1\n",
    }
    root = tmp_path / "data"
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    _write_photo(root / "Amazon/Photo/raw/amazon_electronics_photo.npz")
    return root


def _write_photo(path: Path) -> None:
    """Three nodes on a path, stored in one direction, with two words."""
    path.parent.mkdir(parents=True)
    parts = {
        "data": np.ones(2),
        "indices": np.array([1, 2]),
        "indptr": np.array([0, 1, 2, 2]),
        "shape": np.array([3, 3]),
    }
    words = {
        "data": np.ones(2),
        "indices": np.array([0, 1]),
        "indptr": np.array([0, 1, 1, 2]),
        "shape": np.array([3, 2]),
    }
    arrays = {f"adj_{k}": v for k, v in parts.items()} | {f"attr_{k}": v for k, v in words.items()}
    np.savez(path, labels=np.array([0, 1, 1]), **arrays)  # type: ignore[arg-type]


@pytest.fixture
def tiny_set(monkeypatch: pytest.MonkeyPatch) -> DatasetInfo:
    info = replace(
        dataset_info("proteins"), name="tiny", graphs=2, nodes=6, edges=4, features=2, classes=2, pyg_name="TINY",
        folder="TUDataset/TINY",
        raw_files=tuple(f"TINY_{part}.txt" for part in ("A", "graph_indicator", "node_labels")),
    )  # fmt: skip
    _register(monkeypatch, info)
    return info


@pytest.fixture
def tiny_directed(monkeypatch: pytest.MonkeyPatch) -> DatasetInfo:
    info = replace(dataset_info("polblogs"), name="tiny-blogs", nodes=4, edges=3)
    _register(monkeypatch, info)
    return info


@pytest.fixture
def tiny_words(monkeypatch: pytest.MonkeyPatch) -> DatasetInfo:
    info = replace(dataset_info("photo"), name="tiny-photo", nodes=3, edges=2, features=2, classes=2)
    _register(monkeypatch, info)
    return info
