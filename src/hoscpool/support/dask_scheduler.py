"""The connection to the scheduler of a Dask cluster."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from hoscpool.support.errors import MissingDependencyError

ANSWER = 10.0
"""Seconds in which a scheduler must answer."""


@contextlib.contextmanager
def dask_client(scheduler: Any) -> Iterator[Any]:
    """The client of a scheduler, which is given by its address or as a client.

    Raises:
        MissingDependencyError: Dask is not installed.
        ConnectionError: The scheduler does not answer, or the address is not one.
    """
    if not isinstance(scheduler, str):
        yield scheduler
        return
    try:
        from distributed import Client
    except ImportError as error:
        raise MissingDependencyError("distributed", "distributed", "work on a Dask cluster") from error
    # Made in two steps, so that a client that fails can be closed here. If the garbage collector closed it while the
    # next one starts, it would wait for that one for ever.
    client = Client.__new__(Client)
    try:
        client.__init__(scheduler, timeout=ANSWER)  # type: ignore[misc]
    except Exception as error:  # every way to transport messages has errors of its own
        with contextlib.suppress(Exception):
            client.close()  # type: ignore[no-untyped-call]
        reason = (str(error).strip() or "no answer").splitlines()[0][:300]
        raise ConnectionError(
            f"scheduler: {scheduler or 'an empty address'} does not answer ({reason}); expected an address such as "
            "tcp://host:8786; check it, or start a scheduler with the command dask scheduler"
        ) from None
    with client:
        yield client
