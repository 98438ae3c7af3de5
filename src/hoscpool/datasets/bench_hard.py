"""The benchmark of Bianchi et al.: a published ``.npz`` of pickled arrays, read without trusting the pickle.

The file stores SciPy matrices and arrays of arrays, which NumPy can only read by unpickling, and unpickling a file can
run anything. Here only what rebuilds an array or a CSR matrix is admitted; anything else is refused.
"""

from __future__ import annotations

import pickle
import zipfile
from pathlib import Path
from typing import IO, Any

import numpy as np
import scipy.sparse as sp

SPLITS = ("train", "val", "test")
_PREFIX = {"train": "tr", "val": "val", "test": "te"}


class CsrParts:
    """Receives the attributes of a pickled ``csr_matrix`` without running any of its code."""


def _latin1(text: str, encoding: str) -> bytes:
    """How protocol 2 stores bytes; the real ``_codecs.encode`` would reach every registered codec."""
    if encoding != "latin1":
        raise pickle.UnpicklingError(f"encoding {encoding!r} is not admitted")
    return text.encode("latin1")


_RECONSTRUCT: Any = np.empty(0).__reduce__()[0]  # numpy's own, whatever it is called in this version
_ADMITTED: dict[tuple[str, str], Any] = {
    ("numpy.core.multiarray", "_reconstruct"): _RECONSTRUCT,
    ("numpy._core.multiarray", "_reconstruct"): _RECONSTRUCT,
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): np.dtype,
    ("_codecs", "encode"): _latin1,
    ("scipy.sparse.csr", "csr_matrix"): CsrParts,
    ("scipy.sparse._csr", "csr_matrix"): CsrParts,
}


class ArrayUnpickler(pickle.Unpickler):
    """An unpickler that admits arrays and CSR matrices and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        """What a name in the pickle stands for.

        Raises:
            UnpicklingError: It is neither part of an array nor of a CSR matrix.
        """
        try:
            return _ADMITTED[module, name]
        except KeyError:
            raise pickle.UnpicklingError(f"{module}.{name} is not admitted") from None


def read_bench(path: Path) -> list[tuple[str, sp.csr_array, np.ndarray[Any, Any], int]]:
    """Every graph of the file: its split, adjacency ``[n, n]``, features ``[n, F]`` and class.

    Raises:
        ValueError: The file is damaged, or holds something that is not an array or a CSR matrix.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            return [graph for split in SPLITS for graph in _read_split(archive, split)]
    except (
        zipfile.BadZipFile,
        pickle.UnpicklingError,
        EOFError,
        KeyError,
        TypeError,
        AttributeError,
        ValueError,
    ) as error:
        raise ValueError(f"{path}: not a readable benchmark file ({type(error).__name__}: {error})") from error


def _read_split(archive: zipfile.ZipFile, split: str) -> list[tuple[str, sp.csr_array, np.ndarray[Any, Any], int]]:
    adjacency, features, classes = (
        _read_member(archive, f"{_PREFIX[split]}_{part}.npy") for part in ("adj", "feat", "class")
    )
    return [
        (split, _to_csr(a), np.asarray(x, dtype=np.float32), int(np.argmax(y)))
        for a, x, y in zip(adjacency, features, classes, strict=True)
    ]


def _read_member(archive: zipfile.ZipFile, name: str) -> Any:
    with archive.open(name) as file:
        shape, fortran, dtype = _read_header(file)
        if not dtype.hasobject:
            order = "F" if fortran else "C"
            return np.frombuffer(file.read(), dtype=dtype).reshape(shape, order=order)  # type: ignore[call-overload]
        return ArrayUnpickler(file).load()


def _read_header(file: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    version = np.lib.format.read_magic(file)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    return read(file)


def _to_csr(parts: Any) -> sp.csr_array:
    if not isinstance(parts, CsrParts):
        raise ValueError(f"expected a CSR matrix, got {type(parts).__name__}")
    shape = parts._shape  # type: ignore[attr-defined]
    matrix = sp.csr_array((parts.data, parts.indices, parts.indptr), shape=shape)  # type: ignore[attr-defined]
    matrix.check_format(full_check=True)
    return matrix
