"""Compares what contenders answer."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from hoscpool.bench.harness.contender_process import Run


def difference(ours: Any, theirs: Any) -> str | None:
    """How two answers (arrays, numbers or strings) differ, in a few words; ``None`` when they are equal.

    Examples:
        >>> difference([1, 2, 3], [1, 2, 4])
        'differs in 1 of 3 values (sum 7, ours 6)'
    """
    a, b = np.asarray(ours), np.asarray(theirs)
    if a.shape != b.shape:
        return f"differs in shape: {b.shape}, ours {a.shape}"
    unequal = int(np.count_nonzero(a != b))
    if not unequal:
        return None
    sums = f" (sum {b.sum()}, ours {a.sum()})" if np.issubdtype(a.dtype, np.number) else ""
    return f"differs in {unequal:,} of {a.size:,} values{sums}"


UNDISTURBED = 0.85
"""The least share of its time that a run spends on a processor when nothing else runs."""

Status = Literal["ok", "differs", "skipped", "failed", "not installed"]


def unchanged(value: Any) -> Any:
    """The preparation of a contender that needs none."""
    return value


def result_itself(_workload: Any, result: Any) -> Any:
    """The answer of a contender whose result can be compared as it is."""
    return result


@dataclass(frozen=True)
class Target:
    """What a measurement is meant to reach; ``None`` where nothing is asked.

    Attributes:
        ratio: How many times faster than this contender ours is to be.
        seconds: The longest time.
        memory: The most bytes beyond the input.
    """

    ratio: float | None = None
    seconds: float | None = None
    memory: float | None = None


@dataclass(frozen=True)
class Contender:
    """One way to do the work of a case. All functions must be importable by name: they run in another process.

    Attributes:
        name: The name in tables, unique in its case.
        run: What is timed: takes what ``prepare`` returned.
        prepare: Converts the workload to the contender's own structure; not timed.
        answer: Turns the workload and the result into something that can be compared; not timed.
        module: The module that must be importable, or ``None``.
        package: What to install to get that module; also for the list of versions.
        with_dependencies: Whether to install what the package asks for as well.
        threads: Number of threads it is held to.
        compiles: Whether its first call compiles, so that the second is the warm-up.
        target: What the measurement is meant to reach.
        compared: Whether its answer is the same thing as ours, so that the two are compared.
        remark: What a reader of its row has to know.
    """

    name: str
    run: Callable[[Any], Any]
    prepare: Callable[[Any], Any] = unchanged
    answer: Callable[[Any, Any], Any] = result_itself
    module: str | None = None
    package: str | None = None
    with_dependencies: bool = True
    threads: int = 1
    compiles: bool = False
    target: Target = Target()
    compared: bool = True
    remark: str = ""

    @property
    def is_installed(self) -> bool:
        """Whether its module can be imported."""
        return self.module is None or importlib.util.find_spec(self.module) is not None

    @property
    def installation(self) -> str:
        """The command that installs it."""
        return f"pip install {'' if self.with_dependencies else '--no-deps '}{self.package}"


def _no_facts(_: Any) -> dict[str, Any]:
    return {}


@dataclass(frozen=True)
class Case:
    """A workload and those who do it.

    Attributes:
        task: What is done.
        on: On what it is done.
        load: Gives the workload, or raises `DatasetNotFoundError`.
        contenders: Ours first (it must be installed), then the peers.
        facts: Describes the workload for the table, such as numbers of nodes and edges.
        summarise: Describes our answer for the table, such as the number of triangles.
        compare: Says in a few words how a peer's answer differs from ours; ``None`` when it does not.
        budget: Seconds for the rounds of one contender, in place of the common setting.
    """

    task: str
    on: str
    load: Callable[[], Any]
    contenders: tuple[Contender, ...]
    facts: Callable[[Any], dict[str, Any]] = _no_facts
    summarise: Callable[[Any], dict[str, Any]] = _no_facts
    compare: Callable[[Any, Any], str | None] = difference
    budget: float | None = None

    @property
    def title(self) -> str:
        """Task and workload, for headings."""
        return f"{self.task}, {self.on}"


@dataclass
class Outcome:
    """What was measured of one contender.

    Attributes:
        contender: Who.
        status: Whether there is a valid measurement, or else what came in between.
        note: The reason in a few words.
        runs: The calls, the warm-up first; the first call of a contender that compiles is not among them.
        memory: Peak bytes beyond the input, in the warm-up.
    """

    contender: Contender
    status: Status = "ok"
    note: str = ""
    runs: list[Run] = field(default_factory=list)
    memory: int | None = None

    @property
    def best(self) -> Run | None:
        """The fastest run."""
        return min(self.runs, key=lambda run: run.seconds, default=None)

    @property
    def is_disturbed(self) -> bool:
        """Whether even the fastest run had to wait for a processor: its time says little."""
        return self.best is not None and self.best.cpu_seconds < UNDISTURBED * self.best.seconds


@dataclass
class CaseResult:
    """What was measured of one case, ours first; no outcomes and a note if the workload is not there."""

    case: Case
    outcomes: list[Outcome] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)
    note: str = ""

    def ratio(self, outcome: Outcome) -> float | None:
        """How many times slower than ours a contender is; ``None`` for ours itself, or if either has no time."""
        ours = self.outcomes[0]
        if outcome is ours or ours.best is None or outcome.best is None:
            return None
        return outcome.best.seconds / ours.best.seconds

    def is_reached(self, outcome: Outcome) -> bool | None:
        """Whether the contender's target is reached; ``None`` if there is none or it cannot be told."""
        target, best, ratio = outcome.contender.target, outcome.best, self.ratio(outcome)
        checks: list[bool] = []
        if target.ratio is not None and ratio is not None:
            checks.append(ratio >= target.ratio)
        if target.seconds is not None and best is not None:
            checks.append(best.seconds <= target.seconds)
        if target.memory is not None and outcome.memory is not None:
            checks.append(outcome.memory <= target.memory)
        return all(checks) if checks else None
