"""Decode arrays from pickles by hand. Nothing that a pickle names is imported, called or created.

Two old datasets are published as pickles, and unpickling a file can run any code. This module only reads a pickle. An
object in it becomes a description (`Made`), and arrays and CSR matrices are decoded from descriptions. All other
objects are refused.
"""

from __future__ import annotations

import math
import pickletools
import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import csr_from_parts
from hoscpool.support.errors import ignoring


@dataclass(eq=False)
class Made:
    """The description of a class, a function, or the object that a call of it would create.

    Attributes:
        name: The full name of the class or function.
        arguments: The arguments of the call, or ``None`` without a call.
        state: The state to set after the call.
        items: The items to add after the call.
    """

    name: str
    arguments: Any = None
    state: Any = None
    items: dict[Any, Any] = field(default_factory=dict)


def describe(pickled: bytes) -> Any:
    """The content of a pickle: numbers, text, bytes, lists, tuples, dicts, and `Made` for all other objects.

    Text of Python 2 is read as Latin-1, one character per byte.

    Raises:
        ValueError: It is damaged, or has instructions that arrays do not need.
    """
    reader = _Reader()
    try:
        with ignoring(DeprecationWarning, "invalid escape sequence"):  # in text that is refused a moment later
            for opcode, argument, _ in pickletools.genops(pickled):
                if opcode.name == "STOP":
                    return reader.stack.pop()
                reader.step(opcode.name, argument)
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"the pickle is damaged ({type(error).__name__}: {error})") from None
    raise ValueError("the pickle is damaged (it has no end)")  # pragma: no cover (pickletools says so itself)


_SKIPPED = {"PROTO", "FRAME"}
_VALUES = {"BININT", "BININT1", "BININT2", "LONG1", "BINFLOAT", "BINSTRING", "SHORT_BINSTRING", "BINUNICODE",
           "SHORT_BINUNICODE", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8"}  # fmt: skip
_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False, "EMPTY_TUPLE": ()}
_TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}


class _Reader:
    """The stack machine that runs a pickle, without the instructions that call functions."""

    def __init__(self) -> None:
        self.stack: list[Any] = []
        self._marks: list[int] = []
        self._memo: dict[int, Any] = {}

    def step(self, name: str, argument: Any) -> None:
        if name in _VALUES:
            self.stack.append(argument)
        elif name in _CONSTANTS:
            self.stack.append(_CONSTANTS[name])
        elif name in _TUPLES:
            self.stack.append(tuple(self._take(_TUPLES[name])))
        elif name in ("BINPUT", "LONG_BINPUT", "MEMOIZE"):
            self._memo[len(self._memo) if argument is None else argument] = self.stack[-1]
        elif name in ("BINGET", "LONG_BINGET"):
            self.stack.append(self._memo[argument])
        elif name not in _SKIPPED:
            step = getattr(self, f"_{name.lower()}", None)
            if step is None:
                raise ValueError(f"the pickle has the instruction {name}, which arrays do not need")
            step(argument)

    def _take(self, count: int) -> list[Any]:
        if count > len(self.stack):
            raise IndexError("its stack is empty")
        taken = self.stack[len(self.stack) - count :]
        del self.stack[len(self.stack) - count :]
        return taken

    def _take_to_mark(self) -> list[Any]:
        return self._take(len(self.stack) - self._marks.pop())

    def _mark(self, _: None) -> None:
        self._marks.append(len(self.stack))

    def _empty_list(self, _: None) -> None:
        self.stack.append([])

    def _empty_dict(self, _: None) -> None:
        self.stack.append({})

    def _tuple(self, _: None) -> None:
        self.stack.append(tuple(self._take_to_mark()))

    def _append(self, _: None) -> None:
        self._extend(self._take(1))

    def _appends(self, _: None) -> None:
        self._extend(self._take_to_mark())

    def _extend(self, values: list[Any]) -> None:
        target = self.stack[-1]
        if not isinstance(target, list):
            raise TypeError("it appends to something that is not a list")
        target.extend(values)

    def _setitem(self, _: None) -> None:
        self._update(self._take(2))

    def _setitems(self, _: None) -> None:
        self._update(self._take_to_mark())

    def _update(self, values: list[Any]) -> None:
        target = self.stack[-1]
        items = target.items if isinstance(target, Made) else target
        if not isinstance(items, dict):
            raise TypeError("it sets items of something that is not a dict")
        items.update(zip(values[::2], values[1::2], strict=True))

    def _global(self, name: str) -> None:
        self.stack.append(Made(name.replace(" ", ".")))

    def _stack_global(self, _: None) -> None:
        self.stack.append(Made(".".join(self._take(2))))

    def _reduce(self, _: None) -> None:
        function, arguments = self._take(2)
        if not isinstance(function, Made) or function.arguments is not None or not isinstance(arguments, tuple):
            raise TypeError("it calls something that is not a function")
        self.stack.append(Made(function.name, arguments))

    _newobj = _reduce

    def _build(self, _: None) -> None:
        (state,) = self._take(1)
        if not isinstance(self.stack[-1], Made):
            raise TypeError("it sets the state of something that has none")
        self.stack[-1].state = state


_ARRAYS = ("numpy.core.multiarray._reconstruct", "numpy._core.multiarray._reconstruct")
_MATRICES = ("scipy.sparse.csr.csr_matrix", "scipy.sparse._csr.csr_matrix")
_NUMBERS = re.compile(r"b1|[iu][1248]|f[248]")


def decode_array(found: Any) -> npt.NDArray[Any]:
    """Decode an array of numbers from the result of `describe`.

    Raises:
        ValueError: It is something else, or the number of bytes does not match the shape.
    """
    shape, kind, is_fortran, content = _array_state(found)
    dtype, raw = _decode_dtype(kind), _decode_bytes(content)
    if math.prod(shape) * dtype.itemsize != len(raw):
        raise ValueError(f"expected {math.prod(shape)} numbers of type {dtype}, got {len(raw)} bytes")
    if not raw:
        return np.zeros(shape, dtype)
    order: Any = "F" if is_fortran else "C"
    return np.frombuffer(raw, dtype).reshape(shape, order=order).astype(dtype.newbyteorder("="))


def decode_objects(found: Any) -> list[Any]:
    """The entries of a one-dimensional array of objects. They are not yet decoded.

    Raises:
        ValueError: It is something else.
    """
    shape, kind, _, content = _array_state(found)
    if not isinstance(content, list) or _code(kind) not in ("O8", "O4", "O") or shape != (len(content),):
        raise ValueError("expected a one-dimensional array of objects, got another array")
    return content


def decode_csr(found: Any) -> sp.csr_array:
    """Decode a CSR matrix from the result of `describe`.

    Raises:
        ValueError: It is something else, or its index arrays are inconsistent.
    """
    state = found.state if isinstance(found, Made) and found.name in _MATRICES else None
    if not isinstance(state, dict) or not {"data", "indices", "indptr", "_shape"} <= state.keys():
        raise ValueError(f"expected a CSR matrix, got {_name_of(found)}")
    data, indices, indptr = (decode_array(state[part]) for part in ("data", "indices", "indptr"))
    return csr_from_parts(data, indices, indptr, _decode_shape(state["_shape"]))


def decode_neighbours(found: Any) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Rows and columns of the arcs in a dict of lists, or in a ``defaultdict(list)``.

    Raises:
        ValueError: It is something else, or a node is not a whole number.
    """
    items = found.items if isinstance(found, Made) and found.name == "collections.defaultdict" else found
    if not isinstance(items, dict) or not all(isinstance(near, list) for near in items.values()):
        raise ValueError(f"expected a dict of lists of nodes, got {_name_of(found)}")
    if len({id(near) for near in items.values()}) < len(items):  # a few bytes could stand for billions of arcs
        raise ValueError("expected a list of its own for every node, got one list for several nodes")
    nodes = [*items, *(node for near in items.values() for node in near)]
    if not all(type(node) is int and 0 <= node < 2**31 for node in nodes):
        raise ValueError("expected whole numbers as nodes, got something else")
    counts = [len(near) for near in items.values()]
    return np.repeat(np.array(nodes[: len(items)], np.int64), counts), np.array(nodes[len(items) :], np.int64)


def _array_state(found: Any) -> tuple[tuple[int, ...], Any, bool, Any]:
    """Shape, type, order and content of an array."""
    if not isinstance(found, Made) or found.name not in _ARRAYS:
        raise ValueError(f"expected a NumPy array, got {_name_of(found)}")
    if not found.arguments or _name_of(found.arguments[0]) != "numpy.ndarray":
        raise ValueError("expected a plain NumPy array, got a class derived from it")
    if not isinstance(found.state, tuple) or len(found.state) != 5:
        raise ValueError("expected a NumPy array, got an array without content")
    _, shape, kind, is_fortran, content = found.state
    return _decode_shape(shape), kind, bool(is_fortran), content


def _decode_shape(shape: Any) -> tuple[int, ...]:
    if not isinstance(shape, tuple) or len(shape) > 2 or not all(type(size) is int and size >= 0 for size in shape):
        raise ValueError("expected a shape of at most two whole numbers, got another one")
    return shape


def _decode_dtype(kind: Any) -> np.dtype[Any]:
    """A type of plain numbers. It uses only the type code and byte order, because other state can mislead NumPy."""
    code, state = _code(kind), kind.state
    order = state[1] if isinstance(state, tuple) and len(state) > 1 else None
    if not _NUMBERS.fullmatch(code) or order not in ("<", ">", "|", "="):
        raise ValueError(f"expected an array of numbers, got an array of type {code[:20]!r}")
    if any(part is not None for part in state[2:5]):  # used by records and nested arrays
        raise ValueError("expected an array of numbers, got an array of records")
    return np.dtype(f"{order}{code}")


def _code(kind: Any) -> str:
    if not isinstance(kind, Made) or kind.name != "numpy.dtype" or not kind.arguments:
        raise ValueError(f"expected the type of an array, got {_name_of(kind)}")
    code = kind.arguments[0]
    return code if isinstance(code, str) else ""


def _decode_bytes(content: Any) -> bytes:
    """The bytes of an array. They are stored as bytes, as Latin-1 text (Python 2), or as a call (Python 3)."""
    if isinstance(content, Made):
        call = content.name, *(content.arguments or ())
        if call == ("__builtin__.bytes",):
            return b""
        if call[0] == "_codecs.encode" and call[2:] == ("latin1",):
            content = call[1]
    if isinstance(content, str):
        return content.encode("latin1")
    if not isinstance(content, bytes):
        raise ValueError(f"expected the bytes of an array, got {_name_of(content)}")
    return content


def _name_of(found: Any) -> str:
    """The name of an object, for messages."""
    if isinstance(found, Made):
        return "a NumPy array" if found.name in _ARRAYS else found.name
    return type(found).__name__
