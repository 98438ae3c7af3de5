"""Which state of the code made a record: its version stays the same while a release is worked on."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from pathlib import Path

from hoscpool.experiments.running.cell import HASH_LENGTH

NOT_COMPUTING = ("cli", "report", "bench", "experiments")
"""The packages that run and show results and do not change them; every other source counts."""


@cache
def code_fingerprint() -> str:
    """Twelve digits that stand for the sources that compute."""
    return fingerprint(Path(str(files("hoscpool"))), NOT_COMPUTING)


def fingerprint(root: Path, without: tuple[str, ...]) -> str:
    """The same of all Python files but those in some folders, whatever the system's order and ends of lines are."""
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root)
        if name.parts[0] not in without:
            text = path.read_text(encoding="utf-8")  # every end of a line is read as \n
            digest.update(f"{name.as_posix()}\0{text}\0".encode())
    return digest.hexdigest()[:HASH_LENGTH]
