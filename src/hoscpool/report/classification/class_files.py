"""The folder of a graph classification: tables, splits, the best model, and a page with pictures."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hoscpool.graph import Graph
from hoscpool.plot import clusters_figure, coarse_figure, loss_figure, nodes_to_draw
from hoscpool.report.folder import Step, write_report_folder
from hoscpool.report.page import Page
from hoscpool.training import number_of_ranks

if TYPE_CHECKING:
    from hoscpool.classify import GraphSet, PoolingLevel, Split, SplitResult, Study

POOL_COLUMNS = ("pool", "clusters", "used", "distinct rows", "entropy", "balance", "largest", "kept", "verdict")


@dataclass(frozen=True)
class Classification:
    """Everything that the report shows.

    Attributes:
        name: Name of the dataset.
        num_graphs: Number of graphs.
        splits: Its splits.
        study: The results of the splits.
        parameters: Parameters of the classifier.
        graph: A test graph of the kept model.
        levels: Its coarsened graphs by the pools of that model.
    """

    name: str
    num_graphs: int
    splits: Sequence[Split]
    study: Study
    parameters: Mapping[str, Any]
    graph: Graph
    levels: Sequence[PoolingLevel]

    @classmethod
    def make(
        cls, name: str, graphs: GraphSet, splits: Sequence[Split], study: Study, parameters: Mapping[str, Any]
    ) -> Classification:
        """All of this, with a test graph of median size to draw."""
        test = graphs[splits[study.split].test]
        middle = int(np.argsort(test.sizes, kind="stable")[len(test) // 2])
        begin = int(test.union.ptr[test.index[middle]])
        graph = test.union.structure.subgraph(np.arange(begin, begin + int(test.sizes[middle])))
        return cls(name, len(graphs), splits, study, parameters, graph, study.model.assignments(test[middle]))


def write_classification(folder: Path, result: Classification, *, force: bool = False) -> list[Path]:
    """Write ``results.csv``, ``splits.json``, ``summary.json``, ``model/`` and ``report.html``, all or none.

    Returns:
        The files. Without Plotly there is no page, and a warning says so.
    """
    steps: list[Step] = [
        lambda path: _write_results(path / "results.csv", result),
        lambda path: (path / "splits.json").write_text(json.dumps(_splits(result))),
        lambda path: result.study.model.save(path / "model"),
    ]
    page = partial(write_classification_page, result=result)
    return write_report_folder(folder, steps, classification_summary(result), page, force=force)


def classification_summary(result: Classification) -> dict[str, Any]:
    """Everything except the graphs, ready for JSON."""
    study = result.study
    settings = {name: value for name, value in result.parameters.items() if name != "verbose"}
    return {
        "kind": "classification",
        "dataset": result.name,
        "graphs": result.num_graphs,
        "accuracy": study.accuracy,
        "standard_deviation": study.spread,
        "splits": len(study.results),
        "ranks": number_of_ranks(),
        "clusters": list(study.model.n_clusters_),
        "settings": settings,
        "pools": study.pool_means(),
        "results": [row.as_dict() for row in study.results],
        "model": {"split": study.split, "folder": "model"},
    }


def pool_rows(study: Study) -> list[list[str]]:
    """The table of `POOL_COLUMNS`: means over the splits."""
    rows = []
    for number, pool in enumerate(study.pool_means()):
        verdicts = [row.pools[number]["verdict"] for row in study.results]
        verdict = max(sorted(set(verdicts)), key=verdicts.count)
        entropy = "–" if pool["entropy"] is None else f"{pool['entropy']:.2f}"
        distinct = "–" if pool["distinct"] is None else f"{pool['distinct']:.1f}"
        rows.append([
            str(number + 1), f"{pool['clusters']:.1f}", f"{pool['live']:.1f}", distinct, entropy,
            f"{pool['balance']:.2f}", f"{pool['largest']:.0%}", f"{pool['kept']:.0%}", verdict,
        ])  # fmt: skip
    return rows


def describe_choice(chosen: Mapping[str, Any]) -> str:
    """The parameters that a search chose, as text.

    Examples:
        >>> describe_choice({"hidden": 64, "skip_readout": True})
        'hidden 64, skip_readout True'
    """
    return ", ".join(f"{name} {value}" for name, value in chosen.items())


def _splits(result: Classification) -> dict[str, Any]:
    parts = [{name: index.tolist() for name, index in split._asdict().items()} for split in result.splits]
    return {"dataset": result.name, "graphs": result.num_graphs, "splits": parts}


def _write_results(path: Path, result: Classification) -> None:
    names = ("split", "accuracy", "validation_accuracy", "epochs", "best_epoch", "stopped", "seconds")
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows([getattr(row, name) for name in names] for row in result.study.results)


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
