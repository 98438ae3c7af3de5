"""Remarks of the pools on single batches, which say nothing about a dataset."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from hoscpool.errors import GraphWarning


@contextmanager
def quiet_pools() -> Iterator[None]:
    """Run pools without their remarks; the estimator says once what concerns all graphs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphWarning)
        yield
