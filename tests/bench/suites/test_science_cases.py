"""The cases of ``bench science``: answers agree on small graphs, and everything can be sent to another process."""

from __future__ import annotations

import argparse
import pickle

import numpy as np
import pytest

from hoscpool.bench.graphs.generators import powerlaw_cluster
from hoscpool.bench.harness.cases import Case
from hoscpool.bench.peers import network_science as peers
from hoscpool.bench.suites import science_cases
from hoscpool.bench.suites.science_suite import add_arguments, cases
from hoscpool.graph import Graph, as_graph

QUICK = [case for task in science_cases.TASKS.values() for case in task(True, 1)]


def small(case: Case) -> Graph:
    if "directed" in case.on:
        return science_cases.made_graph(40, directed=True)
    if "local" in case.task:
        return science_cases.labelled_graph("planted")
    return powerlaw_cluster(40, 4)


@pytest.mark.parametrize("case", QUICK, ids=lambda case: case.task)
def test_contenders_agree(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(science_cases, "SAMPLES", 10)
    monkeypatch.setattr(science_cases, "SEEDS", 3)
    graph, answers = small(case), []
    for contender in case.contenders:
        if not contender.is_installed:
            continue
        result = contender.answer(graph, contender.run(contender.prepare(graph)))
        answers.append(result)
        if contender.compared:
            assert case.compare(answers[0], result) is None
    assert case.summarise(answers[0]) is not None


def test_a_wrong_answer_is_noticed() -> None:
    case = QUICK[0]
    graph = small(case)
    ours = case.contenders[0].answer(graph, case.contenders[0].run(graph))
    assert case.compare(ours, ours + 1) is not None


def test_everything_can_be_sent() -> None:
    every = [case for task in science_cases.TASKS.values() for case in task(False, 2)]
    for case in [*every, science_cases.large_case()]:
        pickle.loads(pickle.dumps((case.contenders, case.load)))


def test_plain_page_rank_finds_a_community() -> None:
    graph = science_cases.labelled_graph("planted")
    assert graph.labels is not None
    members = peers.plain_page_rank(graph, 7)
    assert (graph.labels[members] == graph.labels[7]).mean() > 0.5
    two = as_graph(np.kron(np.eye(2), np.ones((4, 4)) - np.eye(4)))
    assert sorted(peers.plain_page_rank(two, 5).tolist()) == [4, 5, 6, 7]


def test_options() -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    args = parser.parse_args(["--tasks", "orbits,profile", "--large"])
    args.quick, args.threads = True, (1,)
    assert [case.task for case in cases(args)] == ["node orbits", "profile, 100 samples", "local cluster"]
    args.tasks = "orbit"
    with pytest.raises(ValueError, match="expected some of orbits"):
        list(cases(args))
