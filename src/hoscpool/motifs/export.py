"""Write a motif adjacency matrix to a file. A file is either complete or not there."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
import scipy.io
import scipy.sparse as sp

from hoscpool.graph import write_rows
from hoscpool.support.files import whole_file

_DELIMITERS = {".csv": ",", ".tsv": "\t", ".txt": " "}
EXACT_FLOAT32 = 1 << 24
"""The largest number up to which every integer is a float32."""
FORMATS = (".npz", ".mtx", *_DELIMITERS)


def check_target(path: Path) -> None:
    """Check that this file can be written. Call it before long work.

    Raises:
        ValueError: The extension is unknown.
        OSError: The folder does not exist or cannot be written.
    """
    if path.suffix not in FORMATS:
        raise ValueError(f"output: cannot write {path.name!r}; valid extensions: {', '.join(FORMATS)}")
    check_place(path)


def check_place(path: Path) -> None:
    """Check that a file can be written here.

    Raises:
        OSError: It is a folder, or its own folder does not exist or cannot be written.
    """
    if path.is_dir():
        raise IsADirectoryError(f"output: {path} is a folder; give the name of a file")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"output: the folder {path.parent} does not exist; create it first")
    if not os.access(path.parent, os.W_OK):
        raise PermissionError(f"output: the folder {path.parent} cannot be written")


def write_matrix(path: Path, matrix: sp.csr_array, node_names: Sequence[Any] | None) -> list[Path]:
    """Write the matrix, and return the paths of the files.

    An edge list has one line per unordered pair, with the user's node names. The matrix formats number the nodes from 0
    (``.mtx`` from 1). If there are node names, a second file lists them.
    """
    check_target(path)
    if path.suffix in _DELIMITERS:
        with whole_file(path, text=True) as file:
            _write_edges(file, matrix, node_names, _DELIMITERS[path.suffix])
        return [path]
    with whole_file(path) as file:
        if path.suffix == ".npz":
            sp.save_npz(file, matrix)
        else:
            scipy.io.mmwrite(file, matrix, symmetry="symmetric")
    if node_names is None:
        return [path]
    names = path.with_suffix(".nodes.csv")
    with whole_file(names, text=True) as file:
        write_rows(file, [("index", "node"), *enumerate(node_names)])
    return [path, names]


def to_torch(matrix: sp.csr_array) -> Any:
    """The matrix as a coalesced sparse tensor. Floats of 32 bits are exact below 2²⁴, so larger counts take 64."""
    import torch

    entries = matrix.tocoo()
    index = torch.from_numpy(np.stack([entries.row, entries.col]).astype(np.int64))
    dtype = torch.float32 if entries.data.max(initial=0) < EXACT_FLOAT32 else torch.float64
    values = torch.from_numpy(entries.data).to(dtype)
    return torch.sparse_coo_tensor(index, values, matrix.shape, check_invariants=False, is_coalesced=True)


def _write_edges(file: IO[Any], matrix: sp.csr_array, node_names: Sequence[Any] | None, delimiter: str) -> None:
    upper = sp.triu(matrix, k=1).tocoo()
    names = np.arange(matrix.shape[0]).tolist() if node_names is None else node_names
    entries = zip(upper.row.tolist(), upper.col.tolist(), upper.data.tolist(), strict=True)
    write_rows(file, [("source", "target", "weight")], delimiter)
    write_rows(file, ((names[i], names[j], value) for i, j, value in entries), delimiter)
