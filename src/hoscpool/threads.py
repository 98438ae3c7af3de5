"""How many threads the libraries of linear algebra may use."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

WORTH_THREADS = 8192
"""Rows of a training step from which on more threads gain time.

Measured with two threads on two free cores: no gain on Karate, MUTAG, Proteins, Cora and Photo (34 to 7,650 rows), a
fifth to a quarter on DD, PubMed, CS and Reddit-B (9,000 to 20,000). Where other programs use the cores too, threads
wait for one another, and what does not gain takes 3 to 70 times as long.
"""


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Hold torch and the libraries of linear algebra to one thread."""
    import torch
    from threadpoolctl import threadpool_limits

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with threadpool_limits(limits=1):
            yield
    finally:
        torch.set_num_threads(before)


def threads_for(rows: int) -> contextlib.AbstractContextManager[None]:
    """Hold them to one thread where a step has too few rows to gain from more; else leave them as they are."""
    return one_thread() if rows < WORTH_THREADS else contextlib.nullcontext()
