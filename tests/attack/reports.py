"""What an attack is given, and what it reports."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Budget:
    """How long an attack may take, and where it may write.

    Attributes:
        seconds: When this time is over, the attack stops.
        seed: Seed of everything random.
        folder: An empty folder of this attack. Crashes are kept in it.
    """

    seconds: float
    seed: int
    folder: Path
    _started: float = field(default_factory=time.monotonic)

    @property
    def left(self) -> float:
        """Seconds until the end."""
        return self.seconds - (time.monotonic() - self._started)


@dataclass
class Report:
    """What an attack tried, and what failed.

    Attributes:
        tried: Number of trials by kind.
        failures: One sentence for every kind of failure: what was done, what was promised, what happened.
    """

    tried: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Attack:
    """One attack of the command.

    Attributes:
        name: Its name on the command line.
        summary: What it does, in a few words.
        share: Its part of the whole time, compared with the shares of the others.
        run: The attack.
    """

    name: str
    summary: str
    share: float
    run: Callable[[Budget], Report]
