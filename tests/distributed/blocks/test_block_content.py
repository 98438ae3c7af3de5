"""Blocks, orders, degrees and names that were altered on purpose, with the right checksums, are refused by name."""

from __future__ import annotations

import json
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from block_cases import edit, graph_named
from hoscpool.distributed import build_blocks, open_blocks


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_blocks(graph_named("random"), tmp_path_factory.mktemp("blocks") / "whole", num_ranges=3).folder


@pytest.fixture
def folder(built: Path, tmp_path: Path) -> Path:
    return shutil.copytree(built, tmp_path / "copy")


def forge(folder: Path, name: str, change: Callable[[Any], object]) -> None:
    """Change an array, and give the manifest the checksum of the new file."""
    array = np.load(folder / name)
    change(array)
    np.save(folder / name, array)
    edit(folder, lambda c: c["files"][name].__setitem__(1, zlib.crc32((folder / name).read_bytes())))


ROWS = [26, 18, 16]
"""Nodes of the ranges of the folder."""
FORGED: dict[str, tuple[str, Callable[[Any], object], str]] = {
    "an index far away": ("block-0-1.npy", lambda a: a.__setitem__(-1, 2**31 - 1), "the edges of a block"),
    "a negative index": ("block-0-1.npy", lambda a: a.__setitem__(-1, -1), "the edges of a block"),
    "an edge twice": ("block-1-2.npy", lambda a: a[ROWS[1] + 1 :].fill(5), "the edges of a block"),
    "a pointer far away": ("block-0-1.npy", lambda a: a.__setitem__(1, 2**31 - 1), "the edges of a block"),
    "a pointer that goes back": ("block-0-1.npy", lambda a: a.__setitem__(2, -5), "the edges of a block"),
    "the first pointer": ("block-0-1.npy", lambda a: a.__setitem__(0, -1), "the edges of a block"),
    "the last pointer": ("block-0-1.npy", lambda a: a.__setitem__(ROWS[0], a[ROWS[0]] - 1), "the edges of a block"),
    "an edge to itself": ("block-1-1.npy", lambda a: a.__setitem__(ROWS[1] + 1, 0), "the edges of a block"),
    "a node twice": ("order.npy", lambda a: a.__setitem__(0, a[1]), "every node once"),
    "a node far away": ("order.npy", lambda a: a.__setitem__(0, 10**6), "every node once"),
    "a degree": ("degree.npy", lambda a: a.__setitem__(0, a[0] + 1), "the degrees of the nodes"),
}


@pytest.mark.parametrize("case", FORGED)
def test_what_compiled_code_trusts_is_checked_whatever_the_checksums_say(case: str, folder: Path) -> None:
    name, change, message = FORGED[case]
    assert open_blocks(folder).shape.nodes.tolist() == ROWS
    forge(folder, name, change)
    graph = open_blocks(folder)
    graph.verify()
    with pytest.raises(ValueError, match=rf"{name}: does not hold {message}; build the blocks again"):
        graph.motif_adjacency("triangle").to_matrix()


@pytest.mark.parametrize("content", [[], ["a"] * 59, [[]] * 60, {"a": 1}])
def test_names_that_do_not_fit(content: Any, folder: Path) -> None:
    (folder / "names.json").write_text(text := json.dumps(content))
    sizes = [len(text), zlib.crc32(text.encode())]
    edit(folder, lambda c: c.update(names="names.json", files=c["files"] | {"names.json": sizes}))
    with pytest.raises(ValueError, match=r"names\.json: does not hold a name for each of 60 nodes"):
        open_blocks(folder).names  # noqa: B018
