"""A folder of blocks is opened only if it is whole, of this version, and as it was built."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from block_cases import edit, graph_named
from hoscpool.distributed import build_blocks, is_blocks, open_blocks
from hoscpool.distributed.blocks.block_folder import MANIFEST


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_blocks(graph_named("random"), tmp_path_factory.mktemp("blocks") / "whole", num_ranges=3).folder


@pytest.fixture
def folder(built: Path, tmp_path: Path) -> Path:
    return shutil.copytree(built, tmp_path / "copy")


def cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-4])


DAMAGE: dict[str, tuple[Callable[[Path], object], str]] = {
    "half built": (lambda f: (f / MANIFEST).unlink(), "is no folder of blocks, or its build did not finish"),
    "another version": (
        lambda f: edit(f, lambda c: c.update(version=99)),
        r"was built by another version of HoscPool \(format 99, expected 1\)",
    ),
    "another manifest": (
        lambda f: edit(f, lambda c: c.update(format="x")),
        "is not the manifest of a folder of blocks",
    ),
    "no text": (lambda f: (f / MANIFEST).write_bytes(b"\xff\xfe{"), "is damaged"),
    "no JSON": (lambda f: cut_off(f / MANIFEST), "is damaged"),
    "a list": (lambda f: (f / MANIFEST).write_text("[]"), "is damaged"),
    "too few ranges": (lambda f: edit(f, lambda c: c["cuts"].pop(1)), "is damaged"),
    "words for numbers": (lambda f: edit(f, lambda c: c.update(num_edges="many")), "is damaged"),
    "a file that is not listed": (lambda f: edit(f, lambda c: c["files"].pop("order.npy")), "does not list order.npy"),
    "a file that is gone": (lambda f: (f / "block-0-2.npy").unlink(), r"block-0-2\.npy: is not there"),
    "a file cut off": (
        lambda f: cut_off(f / "block-0-1.npy"),
        r"has [\d,]+ bytes, expected [\d,]+: the folder was altered",
    ),
}


@pytest.mark.parametrize("case", DAMAGE)
def test_a_damaged_folder(case: str, folder: Path) -> None:
    damage, message = DAMAGE[case]
    damage(folder)
    with pytest.raises(ValueError, match=f"{message}.*build the blocks again"):
        open_blocks(folder)


def test_a_changed_byte_is_found_by_its_checksum(folder: Path) -> None:
    open_blocks(folder).verify()
    path = folder / "degree.npy"
    path.write_bytes(path.read_bytes()[:-1] + b"\x01")
    with pytest.raises(ValueError, match=r"degree\.npy: was altered since it was built; build the blocks again"):
        open_blocks(folder).verify()


@pytest.mark.parametrize("key", ["../../../away", "*", "", "0123", 5])
def test_a_key_that_leads_elsewhere(key: Any, folder: Path) -> None:
    edit(folder, lambda c: c.update(key=key))
    with pytest.raises(ValueError, match=r"manifest\.json: is damaged"):
        open_blocks(folder)


def test_files_that_lead_elsewhere(folder: Path) -> None:
    edit(folder, lambda c: c["files"].update({"../../away": [1, 1]}))
    with pytest.raises(ValueError, match=r"lists '\.\./\.\./away', which is no part"):
        open_blocks(folder)


def test_a_claim_beyond_the_file(folder: Path) -> None:
    def claim(content: dict[str, Any]) -> None:
        content["edges"][0][1] += 10**12
        content["num_edges"] += 10**12

    edit(folder, claim)
    with pytest.raises(ValueError, match=r"claims more than block-0-1\.npy can hold"):
        open_blocks(folder)


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no such folder of blocks"):
        open_blocks(tmp_path / "nothing")


def test_what_is_a_folder_of_blocks(folder: Path, tmp_path: Path) -> None:
    assert [is_blocks(some) for some in (folder, str(folder), tmp_path, "karate", 5, None)] == [
        True,
        True,
        *[False] * 4,
    ]
