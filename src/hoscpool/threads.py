"""How many threads the libraries of linear algebra may use."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

WORTH_THREADS = 8192
"""Rows of a training step from which on more threads gain time.

Measured with two threads on two free cores: no gain on Karate, Syn1 and Cora (34 to 2,708 rows), 2 to 8 % on PubMed
(19,717). Where two other programs use the cores too, threads wait for one another: a fit of Karate or Syn1 took 5 to
75 times as long.
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
