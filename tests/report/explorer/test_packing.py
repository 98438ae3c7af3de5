from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from hoscpool.report.explorer.packing import pack, smallest_unsigned


def test_what_is_packed_can_be_read_at_the_stated_places() -> None:
    arrays: dict[str, npt.NDArray[Any]] = {
        "a": np.array([1, 2, 3], np.uint8),
        "b": np.array([[0.5, -1]], np.float32),
        "c": np.zeros(0, np.int32),
    }
    data = zlib.decompress(base64.b64decode(pack(arrays, {"names": ["Ann", "</script>"]})))
    length = int.from_bytes(data[:4], "little")
    header = json.loads(data[4 : 4 + length])
    assert header["texts"] == {"names": ["Ann", "</script>"]}
    for name, array in arrays.items():
        place = header["arrays"][name]
        start = 4 + length + place["start"]
        assert start % array.itemsize == 0
        found = np.frombuffer(data[start : start + array.nbytes], place["type"]).reshape(place["shape"])
        np.testing.assert_array_equal(found, array)


def test_types_without_a_javascript_array_are_refused() -> None:
    with pytest.raises(ValueError, match=r"a: expected one of .*, got float64"):
        pack({"a": np.zeros(2)}, {})


@pytest.mark.parametrize(("most", "kind"), [(0, "uint8"), (255, "uint8"), (256, "uint16"), (65_536, "uint32")])
def test_the_smallest_type(most: int, kind: str) -> None:
    assert smallest_unsigned(np.array([0, most])).dtype == kind
    assert smallest_unsigned(np.array([], dtype=np.int64)).dtype == "uint8"
