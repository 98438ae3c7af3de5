from __future__ import annotations

import pickle

import numpy as np
import pytest

from hoscpool.bench.harness.cases import Case, CaseResult, Contender, Outcome, Target, difference
from hoscpool.bench.harness.contender_process import Run
from hoscpool.bench.suites import load_suite
from hoscpool.bench.suites.scale_cases import (
    closing_grid,
    counting_case,
    features_case,
    fit_case,
    reading_case,
    scale_cases,
    threads_case,
)


def test_targets_of_the_issue() -> None:
    assert reading_case("10m").contenders[0].target == Target(seconds=15)
    assert fit_case("62m").contenders[0].target == Target(seconds=60, memory=5e9)
    assert features_case("62m").contenders[0].target == Target(seconds=600, memory=12e9)
    assert threads_case("1m").contenders[1].target == Target(ratio=1.6)


def test_order_and_choice() -> None:
    titles = [case.title for case in scale_cases(["100k"], threads=False, features=True)]
    assert titles == [
        "read, 100,000 edges",
        "count triangles, 100,000 edges",
        "fit, 100,000 edges",
        "fit, 100 features, 100,000 edges",
    ]


def test_all_files_hold_the_same_graph() -> None:
    pytest.importorskip("pyarrow")
    case = reading_case("100k")
    files = case.load()
    answers = [one.answer(files, one.run(one.prepare(files))) for one in case.contenders]
    assert difference(answers[0], answers[1]) is difference(answers[0], answers[2]) is None
    assert answers[0][0] == case.facts(files)["edges"]


def test_counts_and_labels_are_checked() -> None:
    counting, fit = counting_case("100k"), fit_case("100k")
    task = counting.load()
    (run,) = counting.contenders
    assert len(run.answer(task, run.run(task))) == 2
    assert fit.judge is not None
    assert fit.judge(task, np.asarray(task.graph.labels)) == {"K": 47, "NMI": pytest.approx(1)}


def test_contenders_can_be_sent_to_a_process() -> None:
    for case in scale_cases(["62m"], threads=True, features=True):
        for contender in case.contenders:
            assert pickle.loads(pickle.dumps(contender)).name == contender.name


def result(task: str, edges: int, seconds: float, memory: int) -> CaseResult:
    contender = Contender("HoscPool", len)
    outcome = Outcome(contender, runs=[Run(seconds, seconds)], memory=memory)
    return CaseResult(Case(task, str(edges), dict, (contender,)), [outcome], {"edges": edges})


def test_growth_is_fitted_from_a_million_edges_on() -> None:
    sizes = {100_000: 5.0, 1_000_000: 1.0, 10_000_000: 10.0}
    results = [result("fit", edges, seconds, 100 * edges) for edges, seconds in sizes.items()]
    ((name, time, at, memory, then),) = closing_grid(results).rows
    assert (name, time, at, memory, then) == ("fit", "1.00", "100 s", "1.00", "10.0 GB")
    pictures = load_suite("scale").pictures(results)
    assert all(picture.startswith("<svg") for picture in pictures.values())


def test_one_size_has_no_growth() -> None:
    assert closing_grid([result("fit", 1_000_000, 1.0, 1)]).rows == []
