from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from hoscpool import as_graph


class Bomb:
    """Unpickling this leaves a file behind."""

    def __init__(self, target: Path) -> None:
        self.target = target

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.target,)


def test_pickles_are_never_opened(tmp_path: Path) -> None:
    target = tmp_path / "exploded"
    bomb = np.array([Bomb(target)], dtype=object)
    np.savez(tmp_path / "g.npz", data=bomb, indices=bomb, indptr=bomb, shape=bomb, format=np.array("csr"))
    with pytest.raises(ValueError, match="pickled objects"):
        as_graph(tmp_path / "g.npz")
    (tmp_path / "p.npz").write_bytes(pickle.dumps(Bomb(target)))
    with pytest.raises(ValueError, match="is not a NumPy archive; write it with"):
        as_graph(tmp_path / "p.npz")
    assert not target.exists()


@pytest.mark.parametrize("indices", [[5, 0], [-7, 0], [1 << 30, 0]])
@pytest.mark.parametrize("form", ["csr", "csc"])
def test_index_arrays_out_of_range(form: str, indices: list[int], tmp_path: Path) -> None:
    parts: dict[str, Any] = {
        "indices": np.array(indices, dtype=np.int32),
        "indptr": np.array([0, 1, 2], dtype=np.int32),
    }
    np.savez(tmp_path / "g.npz", format=np.array(form), shape=np.array([2, 2]), data=np.ones(2), **parts)
    with pytest.raises(ValueError, match="index"):
        as_graph(tmp_path / "g.npz")


def test_pointers_out_of_range(tmp_path: Path) -> None:
    parts: dict[str, Any] = {"indices": np.array([1, 0]), "indptr": np.array([0, 900, 2])}
    np.savez(tmp_path / "g.npz", format=np.array("csr"), shape=np.array([2, 2]), data=np.ones(2), **parts)
    with pytest.raises(ValueError, match=r"g\.npz"):
        as_graph(tmp_path / "g.npz")


def test_complex_matrices_are_refused(tmp_path: Path) -> None:
    sp.save_npz(tmp_path / "g.npz", sp.csr_array(np.array([[0, 1j], [1j, 0]])))
    with pytest.raises(ValueError, match="got complex dtype"):
        as_graph(tmp_path / "g.npz")


@pytest.mark.parametrize("form", ["csr", "coo"])
def test_a_few_bytes_do_not_claim_billions_of_nodes(form: str, tmp_path: Path) -> None:
    size = 2**31 - 1 if form == "coo" else 5_000_000
    matrix = sp.coo_array(([1.0], ([0], [1])), shape=(size, size)).asformat(form)
    sp.save_npz(tmp_path / "g.npz", matrix)
    with pytest.raises(ValueError, match=r"g\.npz: claims to have [0-9,]+ nodes.*HOSCPOOL_MAX_UNPACKED"):
        as_graph(tmp_path / "g.npz")


def test_complex_values_are_refused(tmp_path: Path) -> None:
    sp.save_npz(tmp_path / "g.npz", sp.csr_array([[0, 1j], [1j, 0]]))
    with pytest.raises(ValueError, match=r"g\.npz: .*data: expected real numbers, got complex"):
        as_graph(tmp_path / "g.npz")
