"""Writing a motif adjacency matrix to a file, whole or not at all."""

from __future__ import annotations

import csv
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
import scipy.io
import scipy.sparse as sp

_DELIMITERS = {".csv": ",", ".tsv": "\t", ".txt": " "}
FORMATS = (".npz", ".mtx", *_DELIMITERS)


def check_target(path: Path) -> None:
    """See that a file of that name can be written, before any work is done.

    Raises:
        ValueError: The extension is not known.
        OSError: The folder does not exist or cannot be written.
    """
    if path.suffix not in FORMATS:
        raise ValueError(f"output: cannot write {path.name!r}; valid extensions: {', '.join(FORMATS)}")
    if path.is_dir():
        raise IsADirectoryError(f"output: {path} is a folder; give the name of a file")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"output: the folder {path.parent} does not exist; create it first")
    if not os.access(path.parent, os.W_OK):
        raise PermissionError(f"output: the folder {path.parent} cannot be written")


def write_matrix(path: Path, matrix: sp.csr_array, node_names: Sequence[Any] | None) -> list[Path]:
    """Write the matrix; returns the files written.

    An edge list has one line per unordered pair, under the user's node names. The matrix formats number the nodes
    from 0 (``.mtx`` from 1); with node names the list of them goes into a second file beside it.
    """
    check_target(path)
    if path.suffix in _DELIMITERS:
        _write_whole(path, lambda file: _write_edges(file, matrix, node_names, _DELIMITERS[path.suffix]), text=True)
        return [path]
    if path.suffix == ".npz":
        _write_whole(path, lambda file: sp.save_npz(file, matrix))
    else:
        _write_whole(path, lambda file: scipy.io.mmwrite(file, matrix, symmetry="symmetric"))
    if node_names is None:
        return [path]
    names = path.with_suffix(".nodes.csv")
    _write_whole(names, lambda file: _write_names(file, node_names), text=True)
    return [path, names]


def _write_edges(file: IO[Any], matrix: sp.csr_array, node_names: Sequence[Any] | None, delimiter: str) -> None:
    upper = sp.triu(matrix, k=1).tocoo()
    names = np.arange(matrix.shape[0]).tolist() if node_names is None else node_names
    writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
    writer.writerow(["source", "target", "weight"])
    for i, j, value in zip(upper.row.tolist(), upper.col.tolist(), upper.data.tolist(), strict=True):
        writer.writerow([names[i], names[j], value])


def _write_names(file: IO[Any], node_names: Sequence[Any]) -> None:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["index", "node"])
    writer.writerows(enumerate(node_names))


def _write_whole(path: Path, write: Callable[[IO[Any]], None], text: bool = False) -> None:
    """Write beside the target and rename: a reader, or a crash, never sees half a file."""
    options: dict[str, Any] = {"mode": "w", "encoding": "utf-8", "newline": ""} if text else {"mode": "wb"}
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False, **options) as file:
        temporary = Path(file.name)
        try:
            write(file)
        except BaseException:
            temporary.unlink()
            raise
    temporary.chmod(0o666 & ~_umask())
    temporary.replace(path)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
