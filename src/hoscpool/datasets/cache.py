"""Where datasets are kept, and a cache of processed ones as plain ``.npz`` files. Pickles are not used.

The name of a file holds a digest of the version of the format and of the path, sizes and times of the raw files. So
another data root or a changed file never gives old results. A file gets its name only when it is complete. A file that
cannot be read is built again.
"""

from __future__ import annotations

import hashlib
import os
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import platformdirs
import scipy.sparse as sp

from hoscpool import graph
from hoscpool.datasets.dataset_catalog import DatasetInfo
from hoscpool.graph import MAX_NODES, check_compressed, check_integers, csr_from_parts
from hoscpool.support.errors import DatasetNotFoundError
from hoscpool.support.files import whole_file

FORMAT = 2
Arrays = dict[str, npt.NDArray[Any]]


def cached(
    info: DatasetInfo, folder: Path, build: Callable[[], Arrays], is_sound: Callable[[Arrays], bool] = bool
) -> Arrays:
    """The processed arrays of a raw folder, from the cache if they are there. Otherwise build and store them.

    Args:
        info: The catalogue entry.
        folder: The raw folder.
        build: Reads the raw folder.
        is_sound: Whether arrays from the cache are valid.
    """
    path = cache_folder() / "processed" / f"{info.name}-{_digest(folder)}.npz"
    arrays = read_arrays(path)
    if arrays is None or not is_sound(arrays):
        arrays = build()
        try:
            write_arrays(path, arrays)
        except OSError as error:
            warnings.warn(f"cannot write to the cache ({error}), so {info.name} is built again each time", stacklevel=4)
    return arrays


def read_arrays(path: Path) -> Arrays | None:
    """The arrays of a file, or ``None`` if it is missing or damaged."""
    try:
        return graph.read_arrays(path)
    except (OSError, ValueError):
        return None


def check_arrays(arrays: Arrays) -> None:
    """Check that all indices in the arrays of a dataset are in range, because compiled code trusts them.

    Raises:
        KeyError: An array is missing.
        ValueError: An index is out of range, or the sizes of arrays do not match.
    """
    if "num_nodes" in arrays:
        _check_set(arrays)
        return
    indptr, indices, size = arrays["indptr"], arrays["indices"], len(arrays["labels"])
    check_compressed(indptr, indices, len(indices), size, size)
    features = features_of(arrays)
    if features is not None and features.shape[0] != size:
        raise ValueError(f"features: expected {size:,} rows, one for every node")


def are_sound(arrays: Arrays) -> bool:
    """Whether arrays pass `check_arrays`."""
    try:
        check_arrays(arrays)
    except (KeyError, ValueError):
        return False
    return True


def features_of(arrays: Arrays) -> sp.csr_array | None:
    """The sparse features of a graph, or ``None`` if it has none.

    Raises:
        ValueError: The index arrays are inconsistent.
    """
    if "features_data" not in arrays:
        return None
    data, indices, indptr, shape = (arrays[f"features_{part}"] for part in ("data", "indices", "indptr", "shape"))
    return csr_from_parts(data, indices, indptr, tuple(shape.tolist()))


def _check_set(arrays: Arrays) -> None:
    nodes, edges, index = arrays["num_nodes"], arrays["num_edges"], arrays["edge_index"]
    check_integers("edge_index", index.ravel())
    for name in ("num_nodes", "num_edges"):
        check_integers(name, arrays[name], limit=MAX_NODES)
        if len(arrays[name]) != len(arrays["y"]) or (arrays[name] < 0).any():
            raise ValueError(f"{name}: expected one number for each of the {len(arrays['y']):,} graphs")
    lengths = {"x": nodes.sum(), "edge_attr": edges.sum()}
    if index.shape != (2, edges.sum()) or any(len(arrays[name]) != n for name, n in lengths.items() if name in arrays):
        raise ValueError("expected one entry for every node and edge")
    if (index < 0).any() or (index >= np.repeat(nodes, edges)).any():
        raise ValueError("edge_index: expected every edge within its graph")


def write_arrays(path: Path, arrays: Arrays) -> None:
    """Write a file. It is either complete or not there, even if several processes write it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file, zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():  # np.savez of older versions of NumPy pickles objects
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, allow_pickle=False)


def _digest(folder: Path) -> str:
    parts = [str(FORMAT), str(folder.resolve())]
    for path in sorted(folder.iterdir()):
        status = path.stat()
        parts.append(f"{path.name}:{status.st_size}:{status.st_mtime_ns}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


DATA_VARIABLE = "HOSCPOOL_DATA"
CACHE_VARIABLE = "HOSCPOOL_CACHE"
PathLike = str | os.PathLike[str]


def cache_folder() -> Path:
    """The folder for downloads and processed files: ``HOSCPOOL_CACHE``, or the user's cache folder."""
    chosen = os.environ.get(CACHE_VARIABLE)
    return Path(chosen).expanduser() if chosen else platformdirs.user_cache_path("hoscpool")


def given_data_root(data_root: PathLike | None) -> Path | None:
    """The data root from the argument or from ``HOSCPOOL_DATA``, or ``None`` if the user gave none."""
    chosen = data_root if data_root is not None else os.environ.get(DATA_VARIABLE) or None
    return None if chosen is None else Path(chosen).expanduser().absolute()


def raw_folder(info: DatasetInfo, data_root: PathLike | None = None) -> Path:
    """The folder of the raw files of a dataset."""
    root = given_data_root(data_root) or cache_folder().absolute() / "downloads"
    return root / str(info.folder) / "raw"


def missing_files(info: DatasetInfo, folder: Path) -> list[str]:
    """The raw files of a dataset that are not in the folder."""
    if info.full_file and (folder / info.full_file).is_file():
        return []
    return [name for name in info.raw_files if not (folder / name).is_file()]


def not_found(
    info: DatasetInfo, folder: Path, data_root: PathLike | None, cause: object = None
) -> DatasetNotFoundError:
    """The error for missing files: it names the folder and the files, and says what to do."""
    missing = ", ".join(missing_files(info, folder))
    if given_data_root(data_root) is None:
        why = f"downloading it failed ({cause})" if cause else "it was not downloaded"
        advice = f"check the connection, or set {DATA_VARIABLE} to a folder that holds {info.folder}/raw"
    else:
        origin = f"given by {DATA_VARIABLE}" if data_root is None else "given as data_root"
        why = f"the data root is {origin}"
        advice = f"put the files there, or leave data_root and {DATA_VARIABLE} unset to download them"
    return DatasetNotFoundError(f"dataset {info.name!r}: no {missing} in {folder}; {why}; {advice}")
