"""Wall-clock time and processor time of a piece of work."""

from __future__ import annotations

import time


class Stopwatch:
    """Measures a ``with`` block.

    Examples:
        >>> with Stopwatch() as watch:
        ...     _ = sum(range(1000))
        >>> sorted(watch.seconds)
        ['cpu', 'wall']
    """

    def __init__(self, wall: float = 0.0, cpu: float = 0.0) -> None:
        self.wall, self.cpu = wall, cpu

    def __enter__(self) -> Stopwatch:
        self._wall, self._cpu = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_: object) -> None:
        self.wall, self.cpu = time.perf_counter() - self._wall, time.process_time() - self._cpu

    def __add__(self, other: Stopwatch) -> Stopwatch:
        return Stopwatch(self.wall + other.wall, self.cpu + other.cpu)

    @property
    def seconds(self) -> dict[str, float]:
        """Both times, as they stand in a record."""
        return {"wall": round(self.wall, 3), "cpu": round(self.cpu, 3)}
