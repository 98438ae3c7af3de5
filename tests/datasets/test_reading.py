from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import torch
import torch_geometric.data
import torch_geometric.datasets

from hoscpool.datasets.dataset_catalog import DatasetInfo
from hoscpool.datasets.loading import load, load_graphs
from hoscpool.support.errors import DatasetNotFoundError


def snapshot(root: Path) -> dict[str, tuple[int, int]]:
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in sorted(root.rglob("*"))}


@pytest.fixture
def read_only(tiny_root: Path) -> Any:
    folders = [tiny_root, *(path for path in tiny_root.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    yield tiny_root
    for folder in folders:
        folder.chmod(0o755)


def test_a_set_of_graphs(tiny_root: Path, tiny_set: DatasetInfo, cache: Path) -> None:
    triangle, edge = load_graphs(tiny_set.name, tiny_root)
    assert (triangle.num_nodes, triangle.num_edges, edge.num_nodes, edge.num_edges) == (3, 6, 3, 2)
    assert triangle.x.tolist() == [[1, 0], [0, 1], [1, 0]]
    assert triangle.edge_index.dtype == torch.int64
    assert edge.edge_index.tolist() == [[0, 1], [1, 0]]
    assert (triangle.y.tolist(), edge.y.tolist()) == ([0], [1])
    assert len(list(cache.rglob("*.npz"))) == 1


def test_node_attributes_come_first(tiny_root: Path, tiny_set: DatasetInfo, cache: Path) -> None:
    for _ in range(2):  # built, then from the cache
        triangle, edge = load_graphs(tiny_set.name, tiny_root, node_attributes=True)
        assert triangle.x.tolist() == [[0.5, 1, 0], [1.5, 0, 1], [2.5, 1, 0]]
        assert edge.x[:, 0].tolist() == [3.5, 4.5, 5.5]
    assert cache.exists()


def test_each_graph_owns_its_tensors(tiny_root: Path, tiny_set: DatasetInfo, cache: Path) -> None:
    for graph in load_graphs(tiny_set.name, tiny_root):
        for tensor in (graph.x, graph.edge_index):
            assert tensor.untyped_storage().nbytes() == tensor.numel() * tensor.element_size()
    assert cache.exists()


def test_graphs_batch_in_pyg(tiny_root: Path, tiny_set: DatasetInfo, cache: Path) -> None:
    batch = torch_geometric.data.Batch.from_data_list(load_graphs(tiny_set.name, tiny_root))
    assert (batch.num_graphs, batch.num_nodes, batch.num_edges) == (2, 6, 8)
    assert cache.exists()


def test_without_node_labels_there_is_no_x(tiny_root: Path, tiny_set: DatasetInfo, cache: Path) -> None:
    for part in ("node_labels", "node_attributes"):
        (tiny_root / f"TUDataset/TINY/raw/TINY_{part}.txt").unlink()
    object.__setattr__(tiny_set, "features", 0)
    object.__setattr__(tiny_set, "raw_files", tiny_set.raw_files[:2])
    graphs = load_graphs(tiny_set.name, tiny_root)
    assert [graph.x for graph in graphs] == [None, None]
    assert [graph.num_nodes for graph in graphs] == [3, 3], "the isolated node is not lost"
    assert cache.exists()


def test_a_directed_graph_keeps_its_direction(tiny_root: Path, tiny_directed: DatasetInfo, cache: Path) -> None:
    for _ in range(2):
        graph = load(tiny_directed.name, tiny_root)
        assert graph.is_directed
        assert graph.features is None
        assert any("self-loop" in note for note in graph.notes)
        np.testing.assert_array_equal(
            graph.adjacency.toarray(), np.eye(4, k=1) * [[1], [1], [0], [0]] + np.eye(4, k=-1) * [[0], [1], [0], [0]]
        )
        assert np.asarray(graph.labels).tolist() == [0, 0, 1, 1]
    assert cache.exists()


def test_words_stay_sparse(tiny_root: Path, tiny_words: DatasetInfo, cache: Path) -> None:
    for _ in range(2):
        graph = load(tiny_words.name, tiny_root)
        assert isinstance(graph.features, sp.csr_array)
        assert graph.features.dtype == np.float32
        np.testing.assert_array_equal(graph.features.toarray(), [[1, 0], [0, 0], [0, 1]])
        np.testing.assert_array_equal(graph.adjacency.toarray(), [[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    assert cache.exists()


def test_the_data_root_is_only_read(
    read_only: Path, tiny_set: DatasetInfo, tiny_directed: DatasetInfo, tiny_words: DatasetInfo, cache: Path
) -> None:
    before = snapshot(read_only)
    load_graphs(tiny_set.name, read_only)
    load(tiny_directed.name, read_only)
    load(tiny_words.name, read_only)
    assert snapshot(read_only) == before
    assert len(list(cache.rglob("*.npz"))) == 3


def test_pyg_says_nothing(
    tiny_root: Path,
    tiny_set: DatasetInfo,
    cache: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("PYTEST_CURRENT_TEST")  # PyG is silent under pytest anyway
    load_graphs(tiny_set.name, tiny_root)
    assert capfd.readouterr() == ("", "")
    assert cache.exists()


def test_the_global_random_states_are_left_alone(tiny_root: Path, tiny_set: DatasetInfo, cache: Path) -> None:
    numpy_state, torch_state = np.random.get_state()[1].tolist(), torch.get_rng_state()  # type: ignore[index]  # noqa: NPY002
    load_graphs(tiny_set.name, tiny_root)
    load("syn1")
    assert np.random.get_state()[1].tolist() == numpy_state  # type: ignore[index]  # noqa: NPY002
    assert torch.equal(torch.get_rng_state(), torch_state)
    assert cache.exists()


def test_a_truncated_file_that_still_parses_is_refused(
    tiny_root: Path, tiny_directed: DatasetInfo, cache: Path
) -> None:
    (tiny_root / "PolBlogs/raw/adjacency.tsv").write_text("0\t1\t1\n")
    with pytest.raises(ValueError, match=r"hold 1 edges \(expected 3\); they are damaged"):
        load(tiny_directed.name, tiny_root)
    assert not cache.exists()


def test_a_file_that_does_not_parse_is_refused(tiny_root: Path, tiny_words: DatasetInfo, cache: Path) -> None:
    (tiny_root / "Amazon/Photo/raw/amazon_electronics_photo.npz").write_bytes(b"not a zip")
    with pytest.raises(ValueError, match=r"could not be read.*may be damaged"):
        load(tiny_words.name, tiny_root)
    assert not cache.exists()


def test_downloads_go_to_the_cache(
    tiny_root: Path, tiny_words: DatasetInfo, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def download(self: Any) -> None:
        calls.append(self.raw_dir)
        source = tiny_root / "Amazon/Photo/raw/amazon_electronics_photo.npz"
        (Path(self.raw_dir) / source.name).write_bytes(source.read_bytes())

    monkeypatch.setattr(torch_geometric.datasets.Amazon, "download", download)
    assert load(tiny_words.name).num_nodes == 3
    assert load(tiny_words.name).num_nodes == 3
    assert len(calls) == 1
    assert [path.name for path in (cache / "downloads/Amazon/Photo").iterdir()] == ["raw"], "no scratch folder is left"


@pytest.mark.parametrize("name", ["photo", "bench-hard"])
def test_a_failed_download_says_so(name: str, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def download(*_: Any, **__: Any) -> None:
        raise OSError("no route to host")

    monkeypatch.setattr(torch_geometric.datasets.Amazon, "download", download)
    monkeypatch.setattr(torch_geometric.data, "download_url", download)
    with pytest.raises(
        DatasetNotFoundError, match=r"downloading it failed \(OSError: no route to host\).*HOSCPOOL_DATA"
    ):
        (load if name == "photo" else load_graphs)(name)
    assert not [path for path in cache.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("indptr", [0, 2, 10**9, 0]),
        ("indptr", [0.0, 1, 3, 4]),
        ("indices", [1, 0, 9, 1]),
        ("features_indices", [-1, 1]),
        ("features_indptr", [0, 9, 1, 2]),
        ("features_shape", [4, 2]),
        ("labels", [0, 1]),
    ],
)
def test_an_altered_cache_of_a_graph_is_built_again(
    name: str, values: list[Any], tiny_root: Path, tiny_words: DatasetInfo, cache: Path
) -> None:
    expected = load(tiny_words.name, tiny_root)
    (path,) = (cache / "processed").iterdir()
    arrays = dict(np.load(path))
    np.savez(path, **arrays | {name: np.array(values)})
    graph = load(tiny_words.name, tiny_root)
    assert (graph.adjacency != expected.adjacency).nnz == 0
    np.testing.assert_array_equal(np.load(path)[name], arrays[name])


def test_a_cache_out_of_order_is_sorted_again(tiny_root: Path, tiny_words: DatasetInfo, cache: Path) -> None:
    expected = load(tiny_words.name, tiny_root)
    (path,) = (cache / "processed").iterdir()
    np.savez(path, **dict(np.load(path)) | {"indices": np.array([1, 2, 0, 1], dtype=np.int32)})
    np.testing.assert_array_equal(load(tiny_words.name, tiny_root).indices, expected.indices)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("edge_index", [[0, 1, 0, 2, 1, 2, 0, 5], [1, 0, 2, 0, 2, 1, 1, 0]]),
        ("edge_index", [[0, 1, 0, 2, 1, 2, 0, -1], [1, 0, 2, 0, 2, 1, 1, 0]]),
        ("edge_index", [[0, 1], [1, 0]]),
        ("num_nodes", [3, -3]),
        ("num_edges", [8]),
        ("x", [[1.0, 0.0, 0.0]]),
    ],
)
def test_an_altered_cache_of_a_set_is_built_again(
    name: str, values: list[Any], tiny_root: Path, tiny_set: DatasetInfo, cache: Path
) -> None:
    expected = load_graphs(tiny_set.name, tiny_root)
    (path,) = (cache / "processed").iterdir()
    np.savez(path, **dict(np.load(path)) | {name: np.array(values)})
    for graph, wanted in zip(load_graphs(tiny_set.name, tiny_root), expected, strict=True):
        assert torch.equal(graph.edge_index, wanted.edge_index)
        assert torch.equal(graph.x, wanted.x)


@pytest.mark.parametrize("edges", ["1, 4\n4, 1\n", "1, 0\n0, 1\n"])
def test_edges_out_of_their_graph_are_refused(edges: str, tiny_root: Path, tiny_set: DatasetInfo, cache: Path) -> None:
    path = tiny_root / "TUDataset/TINY/raw/TINY_A.txt"
    path.write_text(path.read_text().replace("1, 2\n2, 1\n", edges))
    with pytest.raises(ValueError, match=r"could not be read.*within one graph|nodes from 1 to|hold 3 edges"):
        load_graphs(tiny_set.name, tiny_root)
    assert not cache.exists()


def test_a_hostile_download_is_not_opened_by_pyg(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def download(self: Any) -> None:
        for name in self.raw_file_names:
            (Path(self.raw_dir) / name).write_bytes(b"cos\nmkdir\n(S'made-by-the-pickle'\ntR.")

    monkeypatch.setattr(torch_geometric.datasets.Planetoid, "download", download)
    with pytest.raises(ValueError, match=r"ind\.cora\.x: "):
        load("cora")
    assert not Path("made-by-the-pickle").exists()
    assert cache.exists()
