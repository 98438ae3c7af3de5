"""NumPy files: everything that NumPy writes is read as NumPy reads it, and no header is trusted."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hoscpool.graph.readers import opening
from hoscpool.graph.readers.numpy_files import read_arrays, read_npy

ARRAYS = [
    np.arange(6.0).reshape(2, 3),
    np.asfortranarray(np.arange(6, dtype=np.int16).reshape(2, 3)),
    np.array(5, dtype=">i8"),
    np.zeros((0, 4), dtype=np.float32),
    np.array(["ä", "bc"]),
    np.array([b"csr"]),
    np.array([True, False]),
    np.array([1 + 2j]),
    np.array([], dtype=np.int64),
]


def _npy(dtype: str, shape: str, body: bytes = b"") -> bytes:
    header = f"{{'descr': {dtype}, 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + body


@pytest.mark.parametrize("array", ARRAYS, ids=str)
@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_arrays_come_back(array: Any, version: tuple[int, int], tmp_path: Path) -> None:
    with (tmp_path / "x.npy").open("wb") as file:
        np.lib.format.write_array(file, array, version)
    found = read_npy(tmp_path / "x.npy")
    np.testing.assert_array_equal(found, array)
    assert found.dtype == array.dtype
    assert found.shape == array.shape
    assert found.flags.writeable


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_archives_come_back(save: Any, tmp_path: Path) -> None:
    save(tmp_path / "x.npz", a=ARRAYS[0], b=ARRAYS[4])
    found = read_arrays(tmp_path / "x.npz")
    np.testing.assert_array_equal(found["a"], ARRAYS[0])
    assert found["b"].tolist() == ["ä", "bc"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (_npy("'<f8'", "(100000000000,)"), "the header says 100,000,000,000 values of 8 bytes, but 0 bytes follow"),
        (_npy("'<f8'", "(1,)", b"\0" * 9), "but 9 bytes follow"),
        (_npy("'|V0'", "(4, 1000000000000)"), "expected numbers or text"),
        (_npy("'|O'", "(1,)", b"\0" * 8), "pickled objects"),
        (_npy("'<U0'", "(9,)"), "expected numbers or text"),
        (_npy("'<M8[s]'", "(1,)", b"\0" * 8), "dates"),
        (_npy("[('a', '<i8')]", "(1,)", b"\0" * 8), "records"),
        (_npy("'<f8'", "(-1,)"), "the header is not that"),
        (_npy("'<f8'", "(True,)"), "the header is not that"),
        (_npy("'<f8'", "(1or,)"), "the header is not that"),
        (_npy(r"'\h'", "(1,)"), "expected numbers or text"),
        (_npy("'<f8'", "(" + "1," * 40 + ")"), "40 dimensions; expected at most 32"),
        (_npy("'<f8'", "(" * 3000), "the header is not that"),
        (_npy("'<f8'", "(" + "1, " * 9000 + ")"), "expected at most 10,000"),
        (b"\x93NUMPY\x09\x00", "does not begin like"),
        (b"\x93NUM", "does not begin like"),
    ],
)  # fmt: skip
def test_no_header_is_trusted(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "x.npy").write_bytes(content)
    with pytest.raises(ValueError, match=f"x.npy: .*{message}"):
        read_npy(tmp_path / "x.npy")
    with zipfile.ZipFile(tmp_path / "x.npz", "w") as archive:
        archive.writestr("part.npy", content)
    with pytest.raises(ValueError, match=f"x.npz: .*array 'part': .*{message}"):
        read_arrays(tmp_path / "x.npz")


def test_an_archive_does_not_unpack_beyond_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    np.savez_compressed(tmp_path / "x.npz", a=np.zeros(100_000))
    monkeypatch.setattr(opening, "ALWAYS", 700_000)
    with pytest.raises(ValueError, match=r"x\.npz: unpacks to more than .*HOSCPOOL_MAX_UNPACKED"):
        read_arrays(tmp_path / "x.npz")


def test_other_compressions_are_refused_unread(tmp_path: Path) -> None:
    out = io.BytesIO()
    np.save(out, np.zeros(9))
    with zipfile.ZipFile(tmp_path / "x.npz", "w", zipfile.ZIP_BZIP2) as archive:  # its unpacking has no limit
        archive.writestr("a.npy", out.getvalue())
    with pytest.raises(ValueError, match="not compressed as NumPy does"):
        read_arrays(tmp_path / "x.npz")


def test_a_member_that_is_shorter_than_it_says(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", a=np.arange(9))
    raw = (tmp_path / "x.npz").read_bytes()
    (tmp_path / "x.npz").write_bytes(raw.replace(np.arange(9).tobytes(), np.arange(1, 10).tobytes()))
    with pytest.raises(ValueError, match=r"x\.npz: cannot be read as a NumPy archive.*CRC"):
        read_arrays(tmp_path / "x.npz")
