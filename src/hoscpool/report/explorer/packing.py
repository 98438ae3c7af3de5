"""Arrays and texts as one compressed text, which a page unpacks without any request."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

KINDS = {"int8", "uint8", "int16", "uint16", "int32", "uint32", "float32"}
"""The types for which JavaScript has an array."""


def pack(arrays: Mapping[str, npt.NDArray[Any]], texts: Mapping[str, Any]) -> str:
    """One base64 text: the length of a JSON header, the header, and the arrays, compressed by zlib.

    Args:
        arrays: Arrays of the types in `KINDS`, by name.
        texts: Anything that JSON can hold, by name.

    Raises:
        ValueError: JavaScript has no array of this type.
    """
    places, parts, offset = {}, [], 0
    for name, array in arrays.items():
        if str(array.dtype) not in KINDS:
            raise ValueError(f"{name}: expected one of {', '.join(sorted(KINDS))}, got {array.dtype}")
        data = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
        data += b"\0" * (-len(data) % 4)  # JavaScript wants every array at a multiple of its item's size
        places[name] = {"type": str(array.dtype), "shape": list(array.shape), "start": offset}
        parts.append(data)
        offset += len(data)
    header = json.dumps({"arrays": places, "texts": texts}, allow_nan=False, separators=(",", ":")).encode()
    header += b" " * (-len(header) % 4)
    whole = b"".join([len(header).to_bytes(4, "little"), header, *parts])
    return base64.b64encode(zlib.compress(whole, 6)).decode("ascii")


def smallest_unsigned(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Whole numbers ≥ 0 in the smallest type that holds them."""
    most = int(values.max(initial=0))
    return values.astype(np.uint8 if most < 2**8 else np.uint16 if most < 2**16 else np.uint32)
