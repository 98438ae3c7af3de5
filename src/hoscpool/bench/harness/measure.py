"""Measures contenders in turns, takes the best of several runs, and checks that their answers agree."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from hoscpool.bench.harness.cases import Case, CaseResult, Outcome
from hoscpool.bench.harness.contender_process import TimeLimitError, Worker, WorkerError
from hoscpool.support.errors import DatasetNotFoundError

Report = Callable[[str], None]
Step = Callable[[Outcome, Any], None]
OURS_LIMIT = 1800.0
"""Limit in seconds for one call of our own. It is large, so that our own side is never skipped as too slow."""
BURST, MAX_BURST = 0.1, 10
"""A contender with short calls runs several times in its turn: for about this many seconds, and at most this often."""


@dataclass(frozen=True)
class Settings:
    """How to measure.

    Attributes:
        repeats: Number of rounds after the warm-up.
        budget: Seconds for the rounds of one contender. A slow one gets fewer rounds.
            It is skipped if one call takes longer.
    """

    repeats: int = 5
    budget: float = 60.0


def measure(case: Case, settings: Settings, report: Report, open_worker: Callable[..., Any] = Worker) -> CaseResult:
    """Measure one case: prepare all, warm up each, run them in turns, and compare their answers with ours.

    Args:
        case: What to measure.
        settings: How to measure.
        report: Called with a few words about the next step.
        open_worker: Starts the process of a contender, from the contender and the workload.
    """
    report(f"{case.title}: loading")
    try:
        workload = case.load()
    except DatasetNotFoundError as error:
        return CaseResult(case, note=f"no data: {error}")
    result = CaseResult(case, [Outcome(one, clock=case.clock) for one in case.contenders], case.facts(workload))
    with ExitStack() as stack:
        team = _Team(case, settings, report)
        for outcome in result.outcomes:
            if outcome.contender.is_installed:
                worker = open_worker(outcome.contender, workload)
                stack.callback(worker.close)
                team.members.append((outcome, worker))
            else:
                outcome.status, outcome.note = "not installed", outcome.contender.installation
        team.measure()
        result.facts |= team.compare(workload)
    return result


class _Team:
    """The contenders of one case with their processes, ours first, and the steps of the measurement."""

    def __init__(self, case: Case, settings: Settings, report: Report) -> None:
        self.case = case
        self.repeats = settings.repeats
        self.budget = settings.budget if case.budget is None else case.budget
        self.report = report
        self.members: list[tuple[Outcome, Any]] = []

    def measure(self) -> None:
        """Prepare, warm up, and run all rounds."""
        self._round("preparing", lambda _, worker: worker.wait_until_ready())
        self._round("warm-up", self._warm_up)
        for number in range(self.repeats):
            self._round(f"run {number + 1} of {self.repeats}", self._run)

    def compare(self, workload: Any) -> dict[str, Any]:
        """Compare all answers with ours, and judge them. Returns the facts that our answer gives about the workload."""
        (ours, worker), *peers = self.members
        reference: list[Any] = []

        def judge(outcome: Outcome, answer: Any) -> None:
            if self.case.judge is None:
                return
            try:
                outcome.measures = self.case.judge(workload, answer)
            except ValueError as error:
                outcome.status, outcome.note = "failed", str(error)

        def take(outcome: Outcome, worker: Any) -> None:
            reference.append(worker.answer())
            judge(outcome, reference[0])

        self._attempt(ours, worker, "answer", take)
        if not reference:
            return {}

        def check(outcome: Outcome, worker: Any) -> None:
            answer = worker.answer()
            judge(outcome, answer)
            differs = self.case.compare(reference[0], answer) if outcome.contender.compared else None
            if differs:
                outcome.status, outcome.note = "differs", differs

        for outcome, worker in peers:
            self._attempt(outcome, worker, "answer", check)
        return self.case.summarise(reference[0])

    def _round(self, what: str, step: Step) -> None:
        for outcome, worker in self.members:
            self._attempt(outcome, worker, what, step)

    def _attempt(self, outcome: Outcome, worker: Any, what: str, step: Step) -> None:
        """One step of one contender, unless it has dropped out."""
        if outcome.status != "ok":
            return
        self.report(f"{self.case.title}: {outcome.contender.name}, {what}")
        try:
            step(outcome, worker)
        except WorkerError as error:
            outcome.status = "skipped" if isinstance(error, TimeLimitError) else "failed"
            outcome.note = str(error)

    def _warm_up(self, outcome: Outcome, worker: Any) -> None:
        limit = self._limit(outcome)
        if outcome.contender.compiles:
            worker.call(limit)
        outcome.runs.append(worker.call(limit, with_memory=True))
        outcome.memory = outcome.runs[0].memory

    def _run(self, outcome: Outcome, worker: Any) -> None:
        """The turn of one contender: one call, or several short ones, while its budget lasts."""
        expected = outcome.runs[0].seconds
        for _ in range(max(1, min(MAX_BURST, int(BURST / max(expected, 1e-6))))):
            if (len(outcome.runs) + 1) * expected <= self.budget:
                outcome.runs.append(worker.call(2 * self._limit(outcome)))

    def _limit(self, outcome: Outcome) -> float:
        return OURS_LIMIT if outcome.contender is self.case.contenders[0] else self.budget
