from __future__ import annotations

import os
import pickle
import pickletools
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from hoscpool.datasets.pickled_arrays import Made, decode_array, decode_csr, decode_neighbours, decode_objects, describe

RECONSTRUCT: Any = np.empty(0).__reduce__()[0]


class Pickled:
    """Pickled as a call of anything with anything."""

    def __init__(self, *parts: Any) -> None:
        self.parts = parts

    def __reduce__(self) -> tuple[Any, ...]:
        return self.parts


def dtype(code: str, state: tuple[Any, ...] = (3, "<", None, None, None, -1, -1, 0)) -> Any:
    return Pickled(np.dtype, (code, False, True), state)


def array(shape: Any, kind: Any, content: Any, base: Any = np.ndarray) -> Any:
    return Pickled(RECONSTRUCT, (base, (0,), b"b"), (1, shape, kind, False, content))


def found(obj: Any, protocol: int = 2) -> Any:
    return describe(pickle.dumps(obj, protocol))


@pytest.mark.parametrize("protocol", [2, 3, 4])
@pytest.mark.parametrize(
    "expected",
    [
        np.arange(6, dtype=np.int64).reshape(2, 3),
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.array([True, False]),
        np.array([1.5, -2.5], dtype=">f8"),
        np.array([200, 255], dtype=np.uint8),
        np.zeros((0, 4), dtype=np.float32),
    ],
)
def test_arrays_are_as_numpy_reads_them(expected: Any, protocol: int) -> None:
    decoded = decode_array(found(expected, protocol))
    np.testing.assert_array_equal(decoded, expected)
    assert decoded.dtype == expected.dtype.newbyteorder("=")


@pytest.mark.parametrize("protocol", [2, 3, 4])
def test_matrices_objects_and_neighbours(protocol: int) -> None:
    matrix = sp.csr_matrix(np.eye(3, 5, k=1, dtype=np.float32))
    objects = np.empty(2, dtype=object)
    objects[:] = [matrix, matrix]
    for entry in decode_objects(found(objects, protocol)):
        np.testing.assert_array_equal(decode_csr(entry).toarray(), matrix.toarray())
    near = {0: [1, 2], 1: [0], 2: [], 300: [70_000]}
    for pickled in (near, defaultdict(list, near)):
        rows, cols = decode_neighbours(found(pickled, protocol))
        assert (rows.tolist(), cols.tolist()) == ([0, 0, 1, 300], [1, 2, 0, 70_000])


def test_the_text_of_python_2() -> None:
    head = b"\x80\x02cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85U\x01b\x87R(K\x01K\x02\x85"
    kind = b"cnumpy\ndtype\nU\x02i2K\x00K\x01\x87R(K\x03U\x01<NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb"
    decoded = decode_array(describe(head + kind + b"\x89U\x04\x01\x00\xff\x7ftb."))
    assert (decoded.tolist(), decoded.dtype.name) == ([1, 32767], "int16")


def test_nothing_named_is_imported_or_called(tmp_path: Path) -> None:
    victim = tmp_path / "made-by-the-pickle"
    described = found(Pickled(os.mkdir, (str(victim),)))
    assert isinstance(described, Made)
    assert described.name.endswith(".mkdir")
    assert not victim.exists()
    for decode in (decode_array, decode_objects, decode_csr, decode_neighbours):
        with pytest.raises(ValueError, match=r"expected .*, got \w+\.mkdir"):
            decode(described)
    assert isinstance(describe(b"cno_such_module\nthing\n)R."), Made)


FIELDS = ("a",), {"a": (np.dtype("O"), 0)}
HOSTILE: dict[str, Any] = {
    "records over pointers": array((1,), dtype("V8", (3, "|", None, *FIELDS, 8, 1, 0)), b"A" * 8),
    "numbers with fields": array((1,), dtype("f8", (3, "<", None, *FIELDS, 8, 1, 0)), b"A" * 8),
    "arrays in arrays": array((1,), dtype("f8", (3, "<", (np.dtype("O"), (9,)), None, None, 8, 1, 0)), b"A" * 8),
    "objects over bytes": array((1,), dtype("O8"), b"A" * 8),
    "objects": array((1,), dtype("O8"), [1]),
    "text": array((1,), dtype("U2"), b"A" * 8),
    "times": array((1,), dtype("M8"), b"A" * 8),
    "a type of one letter": array((1,), dtype("f"), b"A" * 8),
    "a type that is a list": array((1,), Pickled(np.dtype, ([("a", "O")],)), b"A" * 8),
    "a type without state": array((1,), np.dtype, b"A" * 8),
    "no order": array((1,), dtype("f8", (3,)), b"A" * 8),
    "fewer bytes than the shape": array((1000,), dtype("f8"), b"A" * 8),
    "more bytes than the shape": array((1,), dtype("f8"), b"A" * 80),
    "negative shape": array((-1,), dtype("f8"), b"A" * 8),
    "fractions as shape": array((1.0,), dtype("f8"), b"A" * 8),
    "a shape that overflows": array((2**62, 8), dtype("f8"), b"A" * 8),
    "a list as shape": array([1], dtype("f8"), b"A" * 8),
    "a class derived from arrays": array((1,), dtype("f8"), b"A" * 8, np.matrix),
    "a call as content": array((1,), dtype("f8"), Pickled(os.getenv, ("HOME",))),
    "another encoding": array((1,), dtype("f8"), Pickled(__import__("_codecs").encode, ("A" * 8, "zlib"))),
    "no state": Pickled(RECONSTRUCT, (np.ndarray, (0,), b"b")),
    "no arguments": Pickled(RECONSTRUCT, ()),
    "a short state": Pickled(RECONSTRUCT, (np.ndarray, (0,), b"b"), (1, (1,))),
    "a number": 7,
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE)
@pytest.mark.parametrize("protocol", [2, 4])
def test_hostile_arrays(case: str, protocol: int) -> None:
    with pytest.raises(ValueError, match="expected"):
        decode_array(found(HOSTILE[case], protocol))
    if case != "objects":
        with pytest.raises(ValueError, match="expected"):
            decode_objects(found(HOSTILE[case], protocol))


@pytest.mark.parametrize(
    ("part", "value", "message"),
    [
        ("indptr", np.array([0, 10**9, 0]), "never decrease"),
        ("indptr", np.array([0.0, 1.0, 2.0]), "vector of integers"),
        ("indices", np.array([0, 2]), "expected indices from 0 to 1"),
        ("data", np.ones(5), "expected 5, one for every value"),
        ("data", np.ones((2, 1)), "expected a matrix"),
        ("_shape", (2, 2, 2), "a shape of at most two whole numbers"),
        ("_shape", (2,), "expected a matrix"),
        ("_shape", (9, 2), "expected 10 pointers"),
        ("indices", "text", "expected a NumPy array, got str"),
    ],
)
def test_hostile_matrices(part: str, value: Any, message: str) -> None:
    matrix = sp.csr_matrix(np.eye(2))
    state = {**vars(matrix), part: value}
    with pytest.raises(ValueError, match=message):
        decode_csr(found(Pickled(sp.csr_matrix, (), state)))
    del state[part]
    with pytest.raises(ValueError, match=r"expected a CSR matrix, got scipy\.sparse"):
        decode_csr(found(Pickled(sp.csr_matrix, (), state)))


@pytest.mark.parametrize(
    "near", [{0: 1}, {0: [1.5]}, {"0": [1]}, {0: [True]}, {0: [-1]}, {0: [2**40]}, [1], {0: [[1]]}]
)
def test_hostile_neighbours(near: Any) -> None:
    with pytest.raises(ValueError, match="expected"):
        decode_neighbours(found(near))


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\x80\x02",
        b".",
        b"\x80\x02}",
        b"\xff.",
        b"\x85.",
        b"t.",
        b"h\x05.",
        b"K\x01K\x02a.",
        b"K\x01K\x02K\x03s.",
        b"](K\x01u.",
        b"}(K\x01u.",
        b"}]K\x01s.",
        b"K\x01)R.",
        b"cos\nsystem\nK\x01R.",
        b"K\x01K\x02b.",
        b"K\x01K\x02\x93.",
        b"0.",
        b"(S'true'\nios\nsystem\n.",
        b"\x8e" + b"\xff" * 8 + b".",
        b"Pabc\n.",
        b"\x82\x01.",
    ],
)
def test_damaged_pickles(payload: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        describe(payload)


@pytest.mark.filterwarnings("ignore:invalid escape sequence")
def test_no_alteration_does_more_than_raise(tmp_path: Path) -> None:
    """Every byte of a pickle in turn exchanged: a matrix or a `ValueError`, never anything else."""
    original = bytearray(pickle.dumps(sp.csr_matrix(np.eye(3, dtype=np.float32)), 2))
    generator = np.random.default_rng(0)
    for place in range(len(original)):
        for value in generator.integers(0, 256, size=8).tolist():
            altered = bytes(original[:place]) + bytes([value]) + bytes(original[place + 1 :])
            try:
                decode_csr(describe(altered)).tocsc().sum_duplicates()
            except ValueError:
                continue
    assert not list(tmp_path.iterdir())


def test_the_opcodes_of_no_other_name_are_admitted() -> None:
    """Names of methods and of instructions must not meet by chance."""
    from hoscpool.datasets import pickled_arrays

    methods = {name[1:] for name in vars(pickled_arrays._Reader) if name.startswith("_") and not name.startswith("__")}
    admitted = {code.name for code in pickletools.opcodes if code.name.lower() in methods}
    assert admitted == {"MARK", "EMPTY_LIST", "EMPTY_DICT", "TUPLE", "APPEND", "APPENDS", "SETITEM", "SETITEMS",
                        "GLOBAL", "STACK_GLOBAL", "REDUCE", "NEWOBJ", "BUILD"}  # fmt: skip


def test_one_list_does_not_stand_for_the_neighbours_of_many_nodes() -> None:
    near = list(range(10))
    with pytest.raises(ValueError, match="a list of its own for every node"):  # 1 MB could stand for 10¹⁰ arcs
        decode_neighbours(found(dict.fromkeys(range(10), near)))


def test_damaged_text_gives_no_warning_of_python() -> None:
    with pytest.raises(ValueError, match="ascii"):
        describe(b"S'\\\x8c'\n.")
