"""What all tests share: where the real data are, and a cache folder of their own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

DATA = os.environ.get("HOSCPOOL_DATA")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs the real data when nobody says where they are."""
    if DATA:
        return
    skip = pytest.mark.skip(reason="needs the raw datasets: set HOSCPOOL_DATA to a folder in PyG's raw layout")
    for item in items:
        if item.get_closest_marker("data"):
            item.add_marker(skip)


@pytest.fixture(scope="session")
def data_root() -> Path:
    """The folder of the real data; only for tests marked ``data``."""
    assert DATA, "a test that uses data_root must be marked `data`"
    root = Path(DATA)
    assert root.is_dir(), f"HOSCPOOL_DATA is not a folder: {root}"
    return root


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the user's cache out of the tests; the workers of one run share a folder, as real processes would."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOSCPOOL_CACHE", str(shared / "hoscpool-cache"))
        yield
