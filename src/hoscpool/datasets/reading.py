"""Read raw files into plain arrays, and check them against the catalogue.

PyG's classes download all files and read text files. They get the raw folder and a temporary folder for their output,
so PyG never writes next to the raw data. Our own readers read pickles and ``.npz`` files, because PyG trusts them.
"""

from __future__ import annotations

import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from hoscpool.datasets.attributed_graphs import SPLITS, read_attributed_npz, read_bench, read_planetoid
from hoscpool.datasets.cache import (
    Arrays,
    PathLike,
    check_arrays,
    given_data_root,
    missing_files,
    not_found,
    raw_folder,
)
from hoscpool.datasets.dataset_catalog import DatasetInfo
from hoscpool.datasets.tu_folder import read_tu_arrays
from hoscpool.graph import build_graph
from hoscpool.support.errors import GraphWarning


def find_raw(info: DatasetInfo, data_root: PathLike | None) -> Path:
    """The raw folder of a dataset, in the data root if one is given. Otherwise download it into the cache folder.

    Raises:
        DatasetNotFoundError: A file is missing and cannot be downloaded.
    """
    folder = raw_folder(info, data_root)
    if missing_files(info, folder):
        if given_data_root(data_root) is not None:
            raise not_found(info, folder, data_root)
        _download(info, folder)
    return folder


def _download(info: DatasetInfo, folder: Path) -> None:
    """Download into a temporary folder with PyG, and move the complete result to its place."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".download-") as scratch:
        raw = Path(scratch) / "raw"
        try:
            if info.url is not None:
                _download_file(info.url, raw)
            else:
                unread = {"process": _do_nothing, "load": _do_nothing} if info.kind == "node" else {}
                open_with_pyg(info, raw, Path(scratch), **unread)
        except Exception as error:  # any failure of the network, the server or the archive
            raise not_found(info, folder, None, f"{type(error).__name__}: {error}") from error
        if missing_files(info, folder):  # no other process has put them there
            shutil.rmtree(folder, ignore_errors=True)
            raw.replace(folder)


def _download_file(url: str, raw: Path) -> None:
    with quiet():
        from torch_geometric.data import download_url

    download_url(url, str(raw))


@contextmanager
def quiet() -> Iterator[None]:
    """Hide warnings of PyG's imports and readers, because the user cannot act on them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def open_with_pyg(info: DatasetInfo, raw: Path, scratch: Path, **members: Any) -> Any:
    """Load a raw folder with PyG into memory, without output on the terminal. PyG writes only into ``scratch``.

    Args:
        info: The catalogue entry.
        raw: The raw folder. PyG downloads missing files into it.
        scratch: An empty folder.
        members: Methods that replace PyG's.
    """
    with quiet():
        import torch_geometric.datasets

    base = getattr(torch_geometric.datasets, str(info.pyg_class))
    members = {
        "raw_dir": property(lambda _: str(raw)),
        "log": property(lambda _: False, lambda _, value: None),  # noqa: ARG005
        "save": _keep,
        "load": _use_kept,
    } | members
    options: dict[str, Any] = {"name": info.pyg_name} if info.pyg_name else {}
    with quiet():
        return type(base.__name__, (base,), members)(str(scratch), **options)


def _do_nothing(self: Any, *_: Any) -> None:
    """Replaces PyG's processing of downloaded files, which would unpickle them."""


def _keep(self: Any, data_list: list[Any], path: str) -> None:  # noqa: ARG001
    """Replaces PyG's ``save``. It keeps the data in memory instead of writing a file."""
    self.kept = data_list[0]


def _use_kept(self: Any, path: str, data_cls: Any = None) -> None:  # noqa: ARG001
    self.data, self.slices = self.kept, None


def read_node_arrays(info: DatasetInfo, folder: Path) -> Arrays:
    """One graph as arrays: CSR structure, labels, and features (sparse) if there are any.

    Raises:
        ValueError: The files cannot be read or differ from the catalogue.
    """
    with reporting_folder(info, folder):
        rows, cols, features, labels = _read_graph(info, folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphWarning)  # the catalogue and the graph's notes state the changes
        graph = build_graph(rows, cols, None, len(labels), directed=info.directed, labels=labels)
    arrays: Arrays = {"indptr": graph.indptr, "indices": graph.indices, "labels": np.asarray(graph.labels)}
    arrays["notes"] = np.array(graph.notes, dtype=np.str_)
    if features is not None:
        arrays |= {f"features_{part}": getattr(features, part) for part in ("data", "indices", "indptr")}
        arrays["features_shape"] = np.array(features.shape)
    width = 0 if features is None else features.shape[1]
    _check(info, folder, nodes=graph.num_nodes, edges=graph.num_edges, features=width, classes=_count(graph.labels))
    return arrays


def read_graph_set_arrays(info: DatasetInfo, folder: Path) -> Arrays:
    """A set of graphs as concatenated arrays, with the number of nodes and edges of each graph.

    Raises:
        ValueError: The files cannot be read or differ from the catalogue.
    """
    with reporting_folder(info, folder):
        arrays = read_tu_arrays(folder, str(info.pyg_name))
    _check_set(info, folder, arrays)
    with reporting_folder(info, folder):
        check_arrays(arrays)
    return arrays


def read_bench_arrays(info: DatasetInfo, folder: Path) -> Arrays:
    """The benchmark of Bianchi et al. as arrays, as in `read_graph_set_arrays`. It prefers the larger file."""
    full = folder / str(info.full_file)
    graphs = read_bench(full if full.is_file() else folder / info.raw_files[0])
    coo = [adjacency.tocoo() for _, adjacency, _, _ in graphs]
    arrays = {
        "num_nodes": np.array([matrix.shape[0] for matrix in coo]),
        "num_edges": np.array([matrix.nnz for matrix in coo]),
        "edge_index": np.concatenate([np.stack([m.row, m.col]) for m in coo], axis=1).astype(np.int32),
        "x": np.concatenate([features for _, _, features, _ in graphs]),
        "y": np.array([label for _, _, _, label in graphs], dtype=np.int64),
        "split": np.array([SPLITS.index(split) for split, _, _, _ in graphs], dtype=np.int8),
        "num_attributes": np.array(0),
    }
    if not full.is_file():
        _check_set(info, folder, arrays)
    with reporting_folder(info, folder):
        check_arrays(arrays)
    return arrays


def _read_graph(info: DatasetInfo, folder: Path) -> tuple[Any, Any, sp.csr_array | None, Any]:
    """Rows, columns, features and classes of one graph."""
    if info.pyg_class == "Planetoid":
        return read_planetoid(folder, str(info.pyg_name))
    if info.raw_files[0].endswith(".npz"):
        return read_attributed_npz(folder / info.raw_files[0])
    data = _read_with_pyg(info, folder)[0]
    return *data.edge_index.numpy(), None, data.y.numpy()


def _read_with_pyg(info: DatasetInfo, folder: Path) -> Any:
    with tempfile.TemporaryDirectory(prefix="hoscpool-") as scratch:
        return open_with_pyg(info, folder, Path(scratch))


@contextmanager
def reporting_folder(info: DatasetInfo, folder: Path) -> Iterator[None]:
    """Turn any error of a reader on a damaged file into a `ValueError` with the folder and the reason."""
    try:
        yield
    except ImportError:
        raise
    except Exception as error:  # PyG's readers fail in many ways
        raise ValueError(
            f"dataset {info.name!r}: the raw files in {folder} could not be read "
            f"({type(error).__name__}: {error}); they may be damaged"
        ) from error


def _check_set(info: DatasetInfo, folder: Path, arrays: Arrays) -> None:
    width = arrays["x"].shape[1] - int(arrays["num_attributes"]) if "x" in arrays else 0
    counts = {"graphs": len(arrays["y"]), "nodes": int(arrays["num_nodes"].sum()), "features": width}
    _check(info, folder, **counts, edges=int(arrays["num_edges"].sum()) // 2, classes=_count(arrays["y"]))


def _check(info: DatasetInfo, folder: Path, **found: int) -> None:
    """Compare with the catalogue, because a truncated file can often be read without an error."""
    wrong = [
        f"{value:,} {what} (expected {getattr(info, what):,})"
        for what, value in found.items()
        if value != getattr(info, what)
    ]
    if wrong:
        raise ValueError(
            f"dataset {info.name!r}: the raw files in {folder} hold {', '.join(wrong)}; "
            "they are damaged or of another version"
        )


def _count(labels: Any) -> int:
    return len(np.unique(labels))
