from __future__ import annotations

from pathlib import Path

import pytest

from experiments.made_up import make_record
from hoscpool.experiments import Results, Store
from hoscpool.experiments.tables import attempts, best_attempt, choose_mu

METHODS = {"mincut": "mincut", "hp-1": "hp-1-mu-0", "hp-2": "hp-2-mu-0", "hosc": "hosc-mu-0"}


def add(store: Store, dataset: str, scores: dict[str, float], hard: float = 0.0) -> None:
    for seed in range(2):
        for method, score in scores.items():
            store.append(make_record("clustering", dataset, method, seed, {"nmi": score, "hard_objective": hard}))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def test_the_reading_with_most_numbers_near_wins(store: Store) -> None:
    """Published for Syn1: MinCutPool .043, HP-1 .041, HP-2 and HoscPool 1."""
    add(store, "syn1", {"mincut": 0.0, "hp-1": 0.0, "hp-2": 0.9, "hosc": 0.9})
    add(store, "syn1-r95", dict(zip(METHODS.values(), (0.01, 0.2, 0.96, 0.97), strict=True)))
    found = attempts(Results(store.folder), "syn1")
    assert len(found) == 9 * 3
    complete = [(attempt.dataset, attempt.mu, attempt.seeds) for attempt in found if attempt.is_complete]
    assert complete == [("syn1", 0.1, 2), ("syn1-r95", 0.0, 2)]
    best = best_attempt(found)
    assert best is not None
    assert (best.dataset, best.mu, best.near) == ("syn1-r95", 0.0, ["mincut", "hp-2", "hosc"])


def test_an_incomplete_attempt_never_wins(store: Store) -> None:
    add(store, "syn1-r95", {"hp-2-mu-0": 1.0, "hosc-mu-0": 1.0, "mincut": 0.04})
    assert best_attempt(attempts(Results(store.folder), "syn1")) is None
    assert [attempt.scores for attempt in attempts(Results(store.folder), "cora")] == [{}, {}, {}]


def test_mu_is_chosen_by_the_objective_and_by_the_classes(store: Store) -> None:
    for name, score, hard in (("hosc-mu-0", 0.3, -0.4), ("hosc", 0.5, -0.6), ("hosc-mu-1", 0.7, -0.5)):
        assert choose_mu(Results(store.folder), "cora", "hosc").unseen is None
        add(store, "cora", {name: score}, hard)
    choice = choose_mu(Results(store.folder), "cora", "hosc")
    assert (choice.unseen, choice.by_labels) == (0.1, 1.0)
    assert choice.by_mu[0.0].mean == pytest.approx(0.3)
