"""A run: it warms up on labels, gets better, keeps its best epoch, and stops when it should."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from hoscpool.cluster.assignment_net import make_network
from hoscpool.cluster.inputs import as_operator, motif_matrices
from hoscpool.cluster.objective import Objective, method_motifs
from hoscpool.cluster.presets import resolve_settings
from hoscpool.cluster.run import Run
from hoscpool.graph import Graph


def make(graph: Graph, sizes: tuple[int, ...] = (3,), schedule: Any = "constant", **given: Any) -> Run:
    settings = resolve_settings("paper", {"max_epochs": 30, "learning_rate": 1e-2, "warm_epochs": 60, **given})
    motifs = method_motifs("hosc", None)
    operators = {name: as_operator(matrix) for name, matrix in motif_matrices(graph, motifs).items()}
    objective = Objective("hosc", operators, motifs, schedule=schedule)
    network = make_network(5, 16, sizes, message_passing=True, random_state=0)
    return Run(network, torch.tensor(graph.features), operators["edge"], objective, settings)


def test_warming_up_reproduces_labels_at_every_level(cliques: Graph) -> None:
    run = make(cliques, sizes=(3, 2))
    truth = torch.arange(24) // 8
    run.warm_up([truth, truth.clamp(max=1)])
    run.finish()
    first, second = run.assignments()
    assert torch.equal(first.argmax(1), truth)
    assert torch.equal(second.argmax(1), truth.clamp(max=1))


def test_the_best_epoch_is_kept(cliques: Graph) -> None:
    run = make(cliques)
    run.train()
    objectives = run.progress.history["objective"]
    assert run.progress.best == min(objectives) < objectives[0]
    run.finish()
    losses = run.objective.losses(run.assignments()[-1])
    assert float(run.objective.total(losses)) == pytest.approx(run.progress.best, abs=1e-6)


def test_epochs_are_compared_on_constant_weights(cliques: Graph) -> None:
    run = make(cliques, schedule="adaptive")
    run.train()
    history = run.progress.history
    assert history["loss"][0] != history["objective"][0]
    expected = [(e + t) / 2 + 0.1 * o for e, t, o in zip(history["edge"], history["triangle"],
                                                        history["orthogonality"], strict=True)]  # fmt: skip
    assert history["objective"] == pytest.approx(expected, abs=1e-5)


def test_patience_ends_a_run(cliques: Graph) -> None:
    run = make(cliques, learning_rate=1e-12, max_epochs=500, patience=7)
    run.train()
    assert run.progress.epoch < 40


def test_no_epochs_is_fine(cliques: Graph) -> None:
    run = make(cliques, max_epochs=0)
    run.train()
    run.finish()
    last = run.assignments()[-1]
    assert last.shape == (24, 3)
    assert run.progress.best == pytest.approx(float(run.objective.total(run.objective.losses(last))))
