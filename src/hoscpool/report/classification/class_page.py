"""The page of a graph classification."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hoscpool.report.clustering.cluster_figures import clusters_figure, coarse_figure, loss_figure, nodes_to_draw
from hoscpool.report.page import Page

if TYPE_CHECKING:
    from hoscpool.classify import SplitResult
    from hoscpool.classify.evaluation.study import Study
    from hoscpool.report.classification.class_files import Classification

MAX_SUPERNODES = 60
"""A coarsened graph is drawn up to this number of supernodes."""


def write_classification_page(path: Path, result: Classification) -> Path:
    """Accuracies, what the pools do, the training of the kept model, and one graph at all levels."""
    study = result.study
    tuned = any(row.trials for row in study.results)
    page = Page(f"{result.name}: graph classification with {result.parameters['pooling']} pooling")
    page.text(
        f"{result.num_graphs:,} graphs, stratified splits 80/10/10. Test accuracy {study.summary}. In every split the "
        f"epoch {'and some settings were' if tuned else 'was'} chosen by the validation graphs. The test "
        "graphs were used once, at the end."
    )
    _show_splits(page, study)
    if tuned:
        _show_trials(page, study)
    _show_pools(page, study)
    _show_training(page, result)
    _draw_levels(page, result)
    page.heading("Settings")
    page.table(
        ("setting", "value"), [[name, str(value)] for name, value in result.parameters.items() if name != "verbose"]
    )
    return page.write(path)


def _show_splits(page: Page, study: Study) -> None:
    columns = ("split", "test accuracy", "validation accuracy", "kept epoch", "epochs", "ended by", "seconds")
    page.table(columns, [
        [str(row.split + 1), f"{row.accuracy:.4f}", f"{row.validation_accuracy:.4f}", str(row.best_epoch),
         str(row.epochs), row.stopped, f"{row.seconds:.0f}"] for row in study.results
    ])  # fmt: skip


def _show_trials(page: Page, study: Study) -> None:
    page.heading("What was chosen by the validation graphs")
    trials = ("split", "tried", "validation accuracy", "validation loss", "")
    page.table(trials, [row for result in study.results for row in _trial_rows(result)])


def _show_pools(page: Page, study: Study) -> None:
    from hoscpool.report.classification.class_files import POOL_COLUMNS, pool_rows

    if rows := pool_rows(study):
        page.heading("What the pools do")
        page.text(
            "On the test graphs, mean over the splits. Clusters: supernodes that the pool offers. Used: supernodes "
            "that are the first choice of at least one node. Distinct rows: different rows of the assignment, that is, "
            "how many kinds of nodes the pool can see. Entropy of the assignment: 0 is certain, 1 is uniform. Balance "
            "of the sizes: 1 is even, 0 means all nodes in one supernode. Largest: share of the nodes in the largest "
            "supernode. Kept: share of the nodes that are in any supernode. Verdict: collapsed means that fewer than "
            "a quarter of the possible clusters are used; undecided means an entropy above 0.95."
        )
        page.table(POOL_COLUMNS, rows)


def _trial_rows(result: SplitResult) -> list[list[str]]:
    from hoscpool.report.classification.class_files import describe_choice

    return [
        [str(result.split + 1), describe_choice(trial["parameters"]), f"{trial['validation_accuracy']:.4f}",
         "–" if trial["validation_loss"] is None else f"{trial['validation_loss']:.4f}",
         "chosen" if trial["parameters"] == result.chosen else ""]
        for trial in result.trials
    ]  # fmt: skip


def _show_training(page: Page, result: Classification) -> None:
    history = result.study.model.history_
    if not history:
        return
    page.heading(f"Training, split {result.study.split + 1}")
    accuracies = {name: history[name] for name in ("train_accuracy", "validation_accuracy")}
    losses = {name: history[name] for name in ("task_loss", "validation_loss", "pooling_loss")}
    page.figures(loss_figure(accuracies, "Accuracy", "accuracy"), loss_figure(losses, "Losses"))


def _draw_levels(page: Page, result: Classification) -> None:
    if not result.levels:
        return
    page.heading("One test graph, coloured by supernode, and its coarsened graphs")
    nodes, notice = nodes_to_draw(result.graph)
    if notice:
        page.text(notice)
    for number, level in enumerate(result.levels, start=1):
        figures = [clusters_figure(result.graph, level.labels, nodes, f"Pool {number}: nodes by supernode")]
        if level.num_supernodes <= MAX_SUPERNODES:
            figures.append(coarse_figure(_links(level.adjacency), level.sizes, f"Pool {number}: coarsened graph"))
        page.figures(*figures)


def _links(
    adjacency: np.ndarray[tuple[int, int], np.dtype[np.float32]],
) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    return np.maximum(adjacency, adjacency.T)
