"""Which state of the code made a record: its version stays the same while a release is worked on."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from pathlib import Path

from hoscpool.experiments.cell import HASH_LENGTH

LAYERS = ("graph", "motifs", "objectives", "nn", "cluster", "classify", "metrics", "datasets")
"""The packages that compute; how results are run and shown does not change them."""


@cache
def code_fingerprint() -> str:
    """Twelve digits that stand for the sources of the packages that compute."""
    return fingerprint(Path(str(files("hoscpool"))), LAYERS)


def fingerprint(root: Path, folders: tuple[str, ...]) -> str:
    """The same of the Python files in some folders, whatever the system's order of files and ends of lines are."""
    digest = hashlib.sha256()
    for path in sorted(path for folder in folders for path in (root / folder).rglob("*.py")):
        text = path.read_text(encoding="utf-8")  # every end of a line is read as \n
        digest.update(f"{path.relative_to(root).as_posix()}\0{text}\0".encode())
    return digest.hexdigest()[:HASH_LENGTH]
