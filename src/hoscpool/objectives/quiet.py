"""Torch's remarks on its own sparse tensors, which a user of a layer can do nothing about."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quiet_sparse() -> Iterator[None]:
    """Build sparse tensors without "beta state" and "invariant checks" warnings."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sparse CSR tensor support is in beta")
        warnings.filterwarnings("ignore", message="Sparse invariant checks are implicitly disabled")
        yield
