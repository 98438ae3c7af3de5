from __future__ import annotations

from pathlib import Path

import pytest

import hoscpool
from hoscpool.experiments.running.fingerprint import NOT_COMPUTING, code_fingerprint, fingerprint


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in (("graph/a.py", "1\n2\n"), ("graph/deep/b.py", "3\n"), ("cli/c.py", "4\n"), ("graph/d.txt", "5")):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "content", "changes"),
    [
        ("graph/a.py", b"1\n3\n", True),
        ("graph/deep/b.py", b"3\n\n", True),
        ("graph/new.py", b"", True),
        ("new/e.py", b"", True),
        ("top.py", b"", True),
        ("graph/cli/c.py", b"", True),
        ("graph/a.py", b"1\r\n2\r\n", False),
        ("cli/c.py", b"other", False),
        ("graph/d.txt", b"other", False),
    ],
)
def test_it_changes_with_the_sources_that_compute(root: Path, name: str, content: bytes, changes: bool) -> None:
    before = fingerprint(root, ("cli",))
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_bytes(content)
    assert (fingerprint(root, ("cli",)) != before) is changes


def test_names_count(root: Path) -> None:
    before = fingerprint(root, ("cli",))
    (root / "graph" / "a.py").rename(root / "graph" / "z.py")
    assert fingerprint(root, ("cli",)) != before


def test_of_this_code() -> None:
    assert len(code_fingerprint()) == 12
    for layer in NOT_COMPUTING:
        assert (Path(hoscpool.__file__).parent / layer / "__init__.py").exists()
