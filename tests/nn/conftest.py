"""What the tests of layers share: PyG imported without its own warnings, and one thread."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import pytest
import torch

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # PyG uses deprecated parts of torch while it is imported
    import torch_geometric.nn  # noqa: F401


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """These tensors are tiny: on a busy machine a second thread is mostly waited for."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)
