"""NumPy's ``.npy`` and ``.npz`` files. The size of an array is compared with the file before memory is taken for it.

NumPy's own reader trusts the header of an array, and takes memory for whatever it claims.
"""

from __future__ import annotations

import math
import re
import zipfile
from collections.abc import Container
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from hoscpool.graph.readers.opening import FileFormatError, check_unpacked, reporting

Arrays = dict[str, npt.NDArray[Any]]

MAGIC = b"\x93NUMPY"
MAX_HEADER = 10_000
MAX_DIMENSIONS = 32
_ENTRIES = {
    "descr": r"'?([^',]*)",
    "fortran_order": "(True|False)",
    "shape": r"\(((?:[0-9]{1,19}L?(?:, *[0-9]{1,19}L?)*,?)?)\)",
}
"""The header is text that looks like Python. Python's own parser would print warnings about damaged text."""
_TYPE = re.compile(r"[<>|=]?(b1|[iu][1248]|f(2|4|8|16)|c(8|16|32)|[US][1-9][0-9]{0,9})")


def read_npy(path: Path) -> npt.NDArray[Any]:
    """The array in an ``.npy`` file.

    Raises:
        ValueError: The file is damaged or contains pickles.
    """
    with reporting(path, "a NumPy array"), path.open("rb") as stream:
        return read_stream(stream, path.stat().st_size)


def map_array(path: Path) -> npt.NDArray[Any]:
    """The array in an ``.npy`` file, which stays on disk: only what is looked at is read.

    Raises:
        ValueError: The file is damaged or contains pickles.
    """
    with reporting(path, "a NumPy array"), path.open("rb") as stream:
        shape, is_fortran, dtype, start = read_header(stream)
        count, kind = _checked(shape, dtype, path.stat().st_size - start)
        if not count:  # an empty file cannot be mapped
            return np.empty(shape, kind)
        return np.memmap(path, kind, "r", start, shape, "F" if is_fortran else "C")


def read_arrays(path: Path, only: Container[str] | None = None) -> Arrays:
    """All arrays of an ``.npz`` archive, or those with some names.

    Raises:
        ValueError: The archive is damaged, contains pickles, or unpacks to more than `unpacking_limit`.
    """
    with path.open("rb") as stream:
        start = stream.read(len(MAGIC))
    if start == MAGIC:
        raise FileFormatError(path, "expected a NumPy archive (.npz), got a single array (.npy)")
    if not start.startswith(b"PK"):
        raise FileFormatError(path, "is not a NumPy archive; write it with scipy.sparse.save_npz or numpy.savez")
    with reporting(path, "a NumPy archive"), zipfile.ZipFile(path) as archive:
        members = check_members(path, archive)
        named = [(info.filename.removesuffix(".npy"), info) for info in members]
        return {name: _read_member(archive, info) for name, info in named if only is None or name in only}


def check_members(path: Path, archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """The arrays in an archive, before any of them is unpacked.

    Raises:
        ValueError: Together they unpack to more than `unpacking_limit`, or are compressed as NumPy never does.
    """
    members = [info for info in archive.infolist() if info.filename.endswith(".npy")]
    if any(info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for info in members):
        raise FileFormatError(path, "is not compressed as NumPy does it; write it with numpy.savez_compressed")
    check_unpacked(path, sum(info.file_size for info in members), "unpacks to")
    return members


def _read_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> npt.NDArray[Any]:
    try:
        with archive.open(info) as stream:
            return read_stream(stream, info.file_size)
    except ValueError as error:
        raise ValueError(f"array {info.filename.removesuffix('.npy')!r}: {error}") from None


def read_stream(stream: IO[bytes], size: int) -> npt.NDArray[Any]:
    """The array in a stream of this many bytes.

    Raises:
        ValueError: It does not hold numbers or text, or its size is not the one in its header.
    """
    shape, is_fortran, dtype, start = read_header(stream)
    array = np.empty(*_checked(shape, dtype, size - start))
    view, filled = memoryview(array.view(np.uint8)), 0  # type: ignore[arg-type]
    while filled < len(view):
        block = stream.read(min(1 << 24, len(view) - filled))
        if not block:
            raise ValueError(f"it ends after {filled:,} of {len(view):,} bytes")
        view[filled : filled + len(block)] = block
        filled += len(block)
    return array.reshape(shape, order="F" if is_fortran else "C")


def _checked(shape: tuple[int, ...], dtype: np.dtype[Any] | None, size: int) -> tuple[int, np.dtype[Any]]:
    """The number of values and their type, if they are what follows the header."""
    if dtype is None:
        raise ValueError("expected numbers or text, got pickled objects, dates or records, which are never read")
    count = math.prod(shape)
    if count * dtype.itemsize != size:
        raise ValueError(f"the header says {count:,} values of {dtype.itemsize:,} bytes, but {size:,} bytes follow")
    return count, dtype


def read_header(stream: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any] | None, int]:
    """Shape, order and type of an array, and where its content begins. The type of objects is ``None``.

    Raises:
        ValueError: It is not the header of an array.
    """
    start = stream.read(8)
    width = {1: 2, 2: 4, 3: 4}.get(start[6] if len(start) == 8 else 0)
    if not start.startswith(MAGIC) or width is None:
        raise ValueError("it does not begin like a NumPy array")
    length = int.from_bytes(stream.read(width), "little")
    if length > MAX_HEADER:
        raise ValueError(f"the header has {length:,} bytes; expected at most {MAX_HEADER:,}")
    text = stream.read(length).decode("latin1")
    found = {name: re.search(rf"'{name}': *{value}", text) for name, value in _ENTRIES.items()}
    if any(match is None for match in found.values()):
        raise ValueError("the header is not that of a NumPy array")
    kind, order, sizes = (match[1] for match in found.values() if match)
    shape = tuple(int(size) for size in re.findall("[0-9]+", sizes))
    if len(shape) > MAX_DIMENSIONS:
        raise ValueError(f"the header has {len(shape)} dimensions; expected at most {MAX_DIMENSIONS}")
    return shape, order == "True", np.dtype(kind) if _TYPE.fullmatch(kind) else None, 8 + width + length
