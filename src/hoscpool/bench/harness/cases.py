"""What a benchmark measures: cases, contenders, targets and outcomes, and how answers are compared."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from hoscpool.bench.harness.contender_process import Run


def difference(ours: Any, theirs: Any) -> str | None:
    """How two answers (arrays, numbers or strings) differ, in a few words. ``None`` if they are equal.

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
"""If nothing else runs, a run spends at least this share of its time on a processor."""

Clock = Literal["seconds", "cpu_seconds"]
Status = Literal["ok", "differs", "skipped", "failed", "not installed"]


def unchanged(value: Any) -> Any:
    """The preparation of a contender that needs none."""
    return value


def result_itself(_workload: Any, result: Any) -> Any:
    """The answer of a contender whose result can be compared as it is."""
    return result


@dataclass(frozen=True)
class Target:
    """What a measurement should reach. ``None`` where there is no target.

    Attributes:
        ratio: How many times faster than this contender we should be.
        seconds: Upper limit of the time.
        memory: Upper limit of the bytes beyond the input.
    """

    ratio: float | None = None
    seconds: float | None = None
    memory: float | None = None


@dataclass(frozen=True)
class Contender:
    """One way to do the work of a case. All functions must be importable, because they run in another process.

    Attributes:
        name: The name in tables, unique in its case.
        run: The timed function. It takes what ``prepare`` returned.
        prepare: Converts the workload to the contender's own structure. Not timed.
        answer: Turns the workload and the result into something that can be compared. Not timed.
        module: The module that must be importable, or ``None``.
        package: The package that provides the module, also for the list of versions.
        with_dependencies: Whether to install the dependencies of the package too.
        threads: Number of threads it may use.
        compiles: Whether its first call compiles. Then the second is the warm-up.
        target: What the measurement should reach.
        compared: Whether its answer means the same as ours, so that the two are compared.
        remark: A note for readers of its row.
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
    """A workload and its contenders.

    Attributes:
        task: The task.
        on: Name of the workload, such as a graph.
        load: Gives the workload, or raises `DatasetNotFoundError`.
        contenders: Ours first (it must be installed), then the peers.
        facts: Describes the workload for the table, such as numbers of nodes and edges.
        summarise: Describes our answer for the table, such as the number of triangles.
        compare: Says in a few words how a peer's answer differs from ours. ``None`` if it does not.
        budget: Seconds for the rounds of one contender, instead of the common setting.
        judge: Checks an answer and measures its quality. Its numbers become columns of the table.
        clock: By which time contenders are compared. ``"cpu_seconds"`` for work on one thread that takes seconds:
            other programs hardly change it.
    """

    task: str
    on: str
    load: Callable[[], Any]
    contenders: tuple[Contender, ...]
    facts: Callable[[Any], dict[str, Any]] = _no_facts
    summarise: Callable[[Any], dict[str, Any]] = _no_facts
    compare: Callable[[Any, Any], str | None] = difference
    budget: float | None = None
    judge: Callable[[Any, Any], dict[str, float]] | None = None
    clock: Clock = "seconds"

    @property
    def title(self) -> str:
        """Task and workload, for headings."""
        return f"{self.task}, {self.on}"


@dataclass
class Outcome:
    """The measurements of one contender.

    Attributes:
        contender: The contender.
        status: ``ok`` if there is a valid measurement, otherwise what went wrong.
        note: The reason in a few words.
        runs: The calls, the warm-up first, without the compiling call of a contender that compiles.
        memory: Peak bytes beyond the input, in the warm-up.
        clock: By which time runs are compared.
        measures: The quality of its answer.
    """

    contender: Contender
    status: Status = "ok"
    note: str = ""
    runs: list[Run] = field(default_factory=list)
    memory: int | None = None
    clock: Clock = "seconds"
    measures: dict[str, float] = field(default_factory=dict)

    @property
    def best(self) -> Run | None:
        """The fastest run."""
        return min(self.runs, key=self._time_of, default=None)

    @property
    def time(self) -> float | None:
        """Its time, by the clock of the case."""
        return None if self.best is None else self._time_of(self.best)

    def _time_of(self, run: Run) -> float:
        return run.seconds if self.clock == "seconds" else run.cpu_seconds

    @property
    def is_disturbed(self) -> bool:
        """Whether even the fastest run had to wait for a processor. Then its wall-clock time says little."""
        return (
            self.clock == "seconds"
            and self.best is not None
            and self.best.cpu_seconds < UNDISTURBED * self.best.seconds
        )


@dataclass
class CaseResult:
    """The measurements of one case, ours first. Without the workload there is only a note."""

    case: Case
    outcomes: list[Outcome] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)
    note: str = ""

    def ratio(self, outcome: Outcome) -> float | None:
        """How many times slower than ours a contender is. ``None`` for ours itself, or if a time is missing."""
        ours = self.outcomes[0]
        if outcome is ours or ours.time is None or outcome.time is None:
            return None
        return outcome.time / ours.time

    def is_reached(self, outcome: Outcome) -> bool | None:
        """Whether the contender's target is reached. ``None`` without a target or without a measurement."""
        target, seconds, ratio = outcome.contender.target, outcome.time, self.ratio(outcome)
        checks: list[bool] = []
        if target.ratio is not None and ratio is not None:
            checks.append(ratio >= target.ratio)
        if target.seconds is not None and seconds is not None:
            checks.append(seconds <= target.seconds)
        if target.memory is not None and outcome.memory is not None:
            checks.append(outcome.memory <= target.memory)
        return all(checks) if checks else None
