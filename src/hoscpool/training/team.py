"""Several processes that train together, as the fits see them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol


class Team(Protocol):
    """What a fit hands over to a team. The process that leads it calls these methods; the others take part.

    Attributes:
        size: Number of processes.
    """

    size: int

    def clustering_run(self, *parts: Any) -> Any:
        """A `cluster.Run` that all processes train. Arguments as there."""

    def classifier_run(self, *parts: Any) -> Any:
        """A `classify.Run` that all processes train. Arguments as there."""

    def smooth(self, adjacency: Any, x: Any, hops: Any) -> Any:
        """The result of `cluster.views.smoothing.smooth`."""


_TEAM: ContextVar[Team | None] = ContextVar("team", default=None)


def current_team() -> Team | None:
    """The team that fits of this thread train with; ``None``: this process trains alone."""
    return _TEAM.get()


@contextmanager
def working_with(team: Team) -> Iterator[None]:
    """Inside the block, fits train with this team."""
    token = _TEAM.set(team)
    try:
        yield
    finally:
        _TEAM.reset(token)


def number_of_ranks() -> int:
    """How many processes train a fit of this thread together."""
    team = current_team()
    return 1 if team is None else team.size
