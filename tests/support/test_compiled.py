from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numba
import pytest

import hoscpool
from hoscpool.support.compiled import compiled

PACKAGE = Path(hoscpool.__file__).parent


def add_one(x: int) -> int:
    return x + 1


def test_machine_code_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    function = compiled()(add_one)
    assert function(1) == 2
    assert list(tmp_path.rglob("*.nbi"))


def test_without_a_folder_it_is_compiled_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.core.caching.CacheImpl, "_locator_classes", [])
    with pytest.warns(UserWarning, match="compiled code cannot be kept.*set NUMBA_CACHE_DIR"):
        function = compiled(fastmath=True)(add_one)
    assert function(1) == 2
    assert function.targetoptions["nogil"]
    assert function.targetoptions["fastmath"]


def test_every_kernel_is_compiled_this_way() -> None:
    direct = re.compile(r"\b(?:numba\.|import )n?jit\b")
    found = [str(path) for path in PACKAGE.rglob("*.py") if direct.search(path.read_text(encoding="utf-8"))]
    assert found == [str(PACKAGE / "support" / "compiled.py")]


@pytest.fixture
def read_only_copy() -> Iterator[Path]:
    """A folder that everybody can read and nobody can write, with the package in it."""
    folder = Path(tempfile.mkdtemp())
    shutil.copytree(PACKAGE, folder / "hoscpool", ignore=shutil.ignore_patterns("__pycache__"))
    folders = [folder, *(path for path in folder.rglob("*") if path.is_dir())]
    for path in folders:
        path.chmod(0o555)
    yield folder
    for path in folders:
        path.chmod(0o755)
    shutil.rmtree(folder)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="users and modes of POSIX")
def test_neither_package_nor_home_is_writable(read_only_copy: Path) -> None:
    """As in a container whose user owns nothing."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(read_only_copy), "PYTHONPATH": str(read_only_copy)}
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("root writes everywhere, and setpriv, which could take that right away, is missing")
    obey_modes = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    run = [*obey_modes, sys.executable, "-m", "hoscpool", "cluster", "karate", "-k", "2"]
    done = subprocess.run(
        run, env=environment, cwd=read_only_copy, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.count("compiled code cannot be kept") == 1, done.stderr
    assert not list(read_only_copy.rglob("__pycache__"))
