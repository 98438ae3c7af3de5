"""The course of a measurement, with contenders that only pretend to work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hoscpool.bench.harness.cases import Case, CaseResult, Contender, Outcome, Target
from hoscpool.bench.harness.contender_process import Run, TimeLimitError, WorkerError
from hoscpool.bench.harness.measure import BURST, OURS_LIMIT, Settings, measure
from hoscpool.support.errors import DatasetNotFoundError


class FakeWorker:
    """Takes the scripted times and gives the scripted answer; everything is logged."""

    log: list[str]
    limits: dict[str, float]
    closed: list[str]
    times: dict[str, list[float]]
    answers: dict[str, Any]

    def __init__(self, contender: Contender, workload: Any) -> None:
        assert workload == "the workload"
        self.name = contender.name

    def wait_until_ready(self) -> None:
        self.log.append(f"{self.name} ready")

    def call(self, limit: float, *, with_memory: bool = False) -> Run:
        self.log.append(f"{self.name} memory" if with_memory else self.name)
        self.limits[self.name] = limit
        script = self.times[self.name]
        seconds = script.pop(0) if len(script) > 1 else script[0]
        if seconds > limit:
            raise TimeLimitError(f"> {limit:.0f} s")
        return Run(seconds, seconds, 1000 if with_memory else None)

    def answer(self) -> Any:
        answer = self.answers[self.name]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self) -> None:
        self.closed.append(self.name)


Script = Callable[..., type[FakeWorker]]


@pytest.fixture
def script() -> Script:
    def make(times: dict[str, list[float]], answers: dict[str, Any] | None = None) -> type[FakeWorker]:
        given = {name: [1, 2, 3] for name in times} | (answers or {})
        members = {"log": [], "limits": {}, "closed": [], "times": times, "answers": given}
        return type("Scripted", (FakeWorker,), members)

    return make


def contender(name: str, **options: Any) -> Contender:
    return Contender(name, run=len, **options)


def case(*contenders: Contender, **options: Any) -> Case:
    return Case("count", "toy", lambda: "the workload", contenders, **options)


def run(the_case: Case, worker: type[FakeWorker], repeats: int = 3, budget: float = 60.0) -> CaseResult:
    return measure(the_case, Settings(repeats, budget), lambda _: None, worker)


def test_contenders_take_turns_after_a_warm_up(script: Script) -> None:
    worker = script({"ours": [0.5], "a": [0.5], "b": [0.5]})
    run(case(contender("ours"), contender("a"), contender("b")), worker, repeats=2)
    turns = ["ours", "a", "b"]
    assert worker.log == [f"{name} ready" for name in turns] + [f"{name} memory" for name in turns] + turns + turns
    assert sorted(worker.closed) == sorted(turns)


def test_the_best_run_counts(script: Script) -> None:
    worker = script({"ours": [9.0, 1.5, 1.25, 2.0], "a": [9.0, 5.0, 6.0, 7.0]})
    result = run(case(contender("ours"), contender("a")), worker)
    ours, peer = result.outcomes
    assert [r.seconds for r in ours.runs] == [9.0, 1.5, 1.25, 2.0]
    assert result.ratio(peer) == 5.0 / 1.25
    assert result.ratio(ours) is None
    assert peer.memory == 1000


def test_short_calls_come_in_bursts(script: Script) -> None:
    worker = script({"ours": [BURST / 4], "a": [1.0]})
    result = run(case(contender("ours"), contender("a")), worker, repeats=2)
    assert worker.log[-10:] == (["ours"] * 4 + ["a"]) * 2
    assert [len(outcome.runs) for outcome in result.outcomes] == [9, 3]


def test_a_compiling_contender_is_called_once_more_before_memory_is_measured(script: Script) -> None:
    worker = script({"ours": [30.0, 1.0]})
    result = run(case(contender("ours", compiles=True)), worker, repeats=1)
    assert worker.log == ["ours ready", "ours", "ours memory", "ours"]
    assert [r.seconds for r in result.outcomes[0].runs] == [1.0, 1.0]


def test_a_slow_peer_gets_fewer_runs(script: Script) -> None:
    worker = script({"ours": [1.0], "a": [4.0]})
    result = run(case(contender("ours"), contender("a")), worker, repeats=5, budget=10.0)
    assert [len(outcome.runs) for outcome in result.outcomes] == [6, 2]


def test_there_may_be_time_for_the_warm_up_only(script: Script) -> None:
    worker = script({"ours": [99.0]})
    result = run(case(contender("ours")), worker, budget=10.0)
    assert [r.seconds for r in result.outcomes[0].runs] == [99.0]


def test_a_peer_beyond_the_budget_is_skipped_and_ours_is_not(script: Script) -> None:
    worker = script({"ours": [100.0], "a": [100.0], "b": [1.0]})
    result = run(case(contender("ours"), contender("a"), contender("b")), worker, budget=60.0)
    assert [(o.status, o.note) for o in result.outcomes] == [("ok", ""), ("skipped", "> 60 s"), ("ok", "")]
    assert result.ratio(result.outcomes[1]) is None
    assert worker.log.count("a") == 0
    assert worker.limits["ours"] >= OURS_LIMIT


def test_a_case_can_have_a_budget_of_its_own(script: Script) -> None:
    worker = script({"ours": [1.0], "a": [100.0]})
    result = run(case(contender("ours"), contender("a"), budget=150.0), worker, budget=60.0)
    assert result.outcomes[1].status == "ok"


def test_a_different_answer_is_shown_with_its_time(script: Script) -> None:
    worker = script({"ours": [1.0], "a": [2.0]}, {"a": [1, 2, 4]})
    result = run(case(contender("ours"), contender("a")), worker)
    peer = result.outcomes[1]
    assert (peer.status, peer.note) == ("differs", "differs in 1 of 3 values (sum 7, ours 6)")
    assert peer.best is not None


def test_an_answer_that_cannot_be_read_is_a_failure(script: Script) -> None:
    worker = script({"ours": [1.0], "a": [2.0]}, {"a": WorkerError("ValueError: not symmetric")})
    result = run(case(contender("ours"), contender("a")), worker)
    assert (result.outcomes[1].status, result.outcomes[1].note) == ("failed", "ValueError: not symmetric")


def test_without_our_answer_nothing_is_compared(script: Script) -> None:
    worker = script({"ours": [1.0], "a": [2.0]}, {"ours": WorkerError("lost")})
    result = run(case(contender("ours"), contender("a"), summarise=lambda _: {"triangles": 1}), worker)
    assert [o.status for o in result.outcomes] == ["failed", "ok"]
    assert result.facts == {}


def test_a_peer_that_is_not_installed_is_listed(script: Script) -> None:
    worker = script({"ours": [1.0]})
    missing = contender("a", module="a_module_that_is_not_there", package="a-package")
    result = run(case(contender("ours"), missing), worker)
    assert (result.outcomes[1].status, result.outcomes[1].note) == ("not installed", "pip install a-package")
    assert "a" not in worker.closed


def test_missing_data_are_noted(script: Script) -> None:
    def load() -> Any:
        raise DatasetNotFoundError("toy is not here")

    result = run(Case("count", "toy", load, (contender("ours"),)), script({"ours": [1.0]}))
    assert result.outcomes == []
    assert result.note == "no data: toy is not here"


def test_facts_come_from_the_workload_and_from_our_answer(script: Script) -> None:
    the_case = case(contender("ours"), facts=lambda w: {"length": len(w)}, summarise=lambda a: {"total": sum(a)})
    assert run(the_case, script({"ours": [1.0]})).facts == {"length": 12, "total": 6}


@pytest.mark.parametrize(
    ("target", "reached"),
    [
        (Target(), None),
        (Target(ratio=4), True),
        (Target(ratio=5), False),
        (Target(seconds=4), True),
        (Target(seconds=3), False),
        (Target(memory=1000), True),
        (Target(memory=999), False),
        (Target(ratio=4, memory=999), False),
    ],
)
def test_targets(script: Script, target: Target, reached: bool | None) -> None:
    result = run(case(contender("ours"), contender("a", target=target)), script({"ours": [1.0], "a": [4.0]}))
    assert result.is_reached(result.outcomes[1]) is reached


def test_a_peer_that_answers_something_else_is_not_compared(script: Script) -> None:
    answers = {"other": [9], "broken": WorkerError("a loss is not finite")}
    worker = script({"ours": [0.5], "other": [0.5], "broken": [0.5]}, answers)
    peers = [contender(name, compared=False) for name in ("other", "broken")]
    result = run(case(contender("ours"), *peers), worker, repeats=1)
    assert [outcome.status for outcome in result.outcomes] == ["ok", "ok", "failed"]


def test_a_peer_to_be_installed_without_its_dependencies(script: Script) -> None:
    missing = contender("a", module="not_there", package="peer", with_dependencies=False)
    result = run(case(contender("ours"), missing), script({"ours": [0.5]}), repeats=1)
    assert result.outcomes[1].note == "pip install --no-deps peer"


def test_answers_are_judged_and_a_bad_one_fails(script: Script) -> None:
    def judge(workload: Any, answer: Any) -> dict[str, float]:
        if len(answer) != 3:
            raise ValueError("expected 3 labels")
        return {"K": len(set(answer)), "length": len(workload)}

    answers = {"a": [1, 1, 1], "short": [1]}
    worker = script({"ours": [1.0], "a": [1.0], "short": [1.0]}, answers)
    peers = [contender(name, compared=False) for name in answers]
    ours, a, short = run(case(contender("ours", compared=False), *peers, judge=judge), worker).outcomes
    assert ours.measures == {"K": 3, "length": 12}
    assert a.measures == {"K": 1, "length": 12}
    assert (short.status, short.note, short.measures) == ("failed", "expected 3 labels", {})


def test_the_clock_of_the_case_decides() -> None:
    runs = [Run(1.0, 0.9), Run(2.0, 0.5)]
    by_wall = Outcome(contender("a"), runs=runs)
    by_cpu = Outcome(contender("a"), runs=runs, clock="cpu_seconds")
    assert (by_wall.time, by_cpu.time) == (1.0, 0.5)
    assert by_cpu.best == runs[1]
    slow = Outcome(contender("b"), runs=[Run(9.0, 2.0)], clock="cpu_seconds")
    assert CaseResult(case(by_cpu.contender, slow.contender), [by_cpu, slow]).ratio(slow) == 4
    assert not slow.is_disturbed
