"""What every rank of the tests runs: all checks of one number of ranks in one process. Rank 0 writes what it found."""

from __future__ import annotations

import dataclasses
import json
import os
import sys
import threading
import time
import warnings
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import scipy.sparse as sp
import torch
from sklearn.base import clone

import hoscpool as hp
from hoscpool.cluster import Objective, Run, as_input, as_operator, make_network, motif_matrices, resolve_settings
from hoscpool.cluster.presets import PRESETS
from hoscpool.distributed import RankError, fit, follow, join, leading, part_ways
from hoscpool.distributed.training import rank_run
from hoscpool.distributed.training.node_ranges import NodeRanges
from hoscpool.graph import Graph
from hoscpool.support.progress import FitBar
from hoscpool.training import Checkpoint, current_team

NODES = 60
MOTIFS = {"edge": 0.4, "triangle": 0.4, "clique4": 0.2}


def planted(features: bool = False, weighted: bool = False) -> Graph:
    """Three groups; the last ten nodes are isolated."""
    rng = np.random.default_rng(0)
    group = np.arange(NODES) % 3
    joined = np.triu(rng.random((NODES, NODES)) < np.where(group[:, None] == group, 0.5, 0.05), 1)
    joined[50:] = joined[:, 50:] = False
    weights = np.where(joined, rng.random((NODES, NODES)) + 0.5, 0) if weighted else joined.astype(float)
    graph = hp.as_graph(sp.csr_array(weights + weights.T))
    x = (rng.normal(size=(NODES, 8)) + 2 * np.eye(3, 8)[group]).astype(np.float32)
    return dataclasses.replace(graph, features=x) if features else graph


def words(graph: Graph) -> Graph:
    """The same graph with sparse counts of words."""
    rng = np.random.default_rng(1)
    table = rng.poisson(0.1 + np.repeat(np.eye(3)[np.arange(NODES) % 3], 20, axis=1))
    return dataclasses.replace(graph, features=sp.csr_array(table.astype(np.float32)))


def cuts(size: int) -> dict[str, list[int]]:
    """Ranges that are hard: where every rank's nodes begin."""
    step = NODES // size
    return {
        "even": [step * r for r in range(size)] + [NODES],
        "one node": [0, 1] + [NODES] * (size - 1),
        "nobody": [0, 0] + [NODES] * (size - 1),  # rank 0 has no node, and neither have the last ones
        "no edges": [0] + [50] * (size - 1) + [NODES],  # the last rank has the isolated nodes
    }


def one_epoch(
    bounds: list[int] | None, graph: Graph, motifs: dict[str, float], method: str, levels: tuple[int, ...]
) -> Any:
    """Loss, gradients and S after one epoch, with the team if there are bounds, else in this process alone."""
    settings = resolve_settings("paper", {"max_epochs": 1, "warm_epochs": 0})
    settings = dataclasses.replace(settings, warm_epochs=2, clip=1e9)
    operators = {name: as_operator(matrix) for name, matrix in motif_matrices(graph, motifs).items()}
    adjacency = operators.get("edge") or as_operator(graph.adjacency)
    objective = Objective(method, operators, motifs, 0.3)
    x = as_input(np.ones((NODES, 1), np.float32) if graph.features is None else graph.features)
    network = make_network(x.shape[1], 8, (*levels, 3), message_passing=True, random_state=0)
    target = [torch.arange(NODES) % k for k in (*levels, 3)]
    parts = (network, x, adjacency, objective, settings, lambda: target, threading.Event())
    if bounds is None:
        run = Run(*parts)
    else:
        team: Any = current_team()
        order = np.random.default_rng(2).permutation(50).tolist() + list(range(50, NODES))
        team._cut = lambda _: NodeRanges(np.array(order), np.array(bounds))
        team._placed = None
        run = team.clustering_run(*parts)
    run.complete(Checkpoint(), FitBar(0, 1))
    gradients = [parameter.grad.clone() for parameter in network.parameters() if parameter.grad is not None]
    return [torch.tensor(run.progress.history["loss"]), *gradients, *run.result()]


def check_epochs(ranks: Any) -> dict[str, float]:
    """The largest difference of loss, gradients and S from one process, for every kind of range and of graph."""
    cases: dict[str, tuple[Any, ...]] = {
        "features": (planted(True), MOTIFS, "hosc", ()),
        "no features, weights, no edge motif": (planted(weighted=True), {"triangle": 1.0}, "hosc", ()),
        "sparse features, two levels": (words(planted()), MOTIFS, "hosc", (6,)),
        "diffpool": (planted(True), {"edge": 1.0}, "diffpool", ()),
        "dmon": (planted(True), {"edge": 1.0}, "dmon", ()),
        "mincut": (planted(True), {"edge": 1.0}, "mincut", ()),
    }
    if not ranks.leads:
        follow(ranks)
        return {}
    found = {}
    with leading(ranks):
        alone = {name: one_epoch(None, *case) for name, case in cases.items()}
        for place, bounds in cuts(ranks.size).items():
            for name, case in cases.items():
                if place == "even" or name in list(cases)[:3]:
                    pairs = zip(one_epoch(bounds, *case), alone[name], strict=True)
                    found[f"{place}: {name}"] = max(float((a - b).abs().max()) for a, b in pairs)
    return found


def check_fits(ranks: Any) -> dict[str, Any]:
    """Whole fits beside those of one process."""
    models: dict[str, tuple[Any, Any]] = {
        "paper": (hp.HoscClustering(3, MOTIFS, preset="paper", random_state=0, max_epochs=20), planted(True)),
        "smoothed, then trained": (hp.HoscClustering(3, random_state=0, max_epochs=5), planted(True)),
        "closed form": (hp.HoscClustering(3, random_state=0), words(planted())),
        "spectral starts": (hp.HoscClustering(3, random_state=0, max_epochs=5, n_init=1), planted()),
        "links alone": (hp.HoscClustering(3, random_state=0, n_init=1), planted()),
        "multilevel": (hp.HoscClustering(3, random_state=0, solver="multilevel"), planted()),
    }
    found = {}
    short = dataclasses.replace(PRESETS["robust"], warm_epochs=5, max_epochs=5)  # given ones leave out the block model
    for name, (model, graph) in models.items():
        with patch.dict(PRESETS, {"robust": short} if name == "links alone" else {}):
            fit(model, graph if ranks.leads or name == "paper" else None)
            alone = clone(model).fit(graph) if ranks.leads else model
        same = bool((alone.labels_ == model.labels_).all())
        found[name] = {"labels": same, "difference": float(np.abs(alone.assignment_ - model.assignment_).max())}
        found[name]["everywhere"] = len(set(ranks.gather(model.labels_.tobytes()))) == 1
    return found


def check_classifier() -> dict[str, float]:
    """A classifier's history beside that of one process; the last batch has one graph."""
    import networkx as nx
    from torch_geometric.utils import from_networkx

    graphs = [from_networkx(make(n)) for n in range(4, 20) for make in (nx.cycle_graph, nx.complete_graph)]
    for number, graph in enumerate(graphs):
        graph.y = number % 2
    model = hp.GraphClassifier(max_epochs=3, random_state=0, batch_size=5)
    fit(model, graphs[:21], validation=graphs[21:])
    alone = clone(model).fit(graphs[:21], validation=graphs[21:])
    names = ("validation_loss", "validation_accuracy", "learning_rate")
    asap = fit(hp.GraphClassifier("asap", max_epochs=1, random_state=0), graphs)  # some of its parameters are not used
    found = {name: float(np.abs(np.subtract(alone.history_[name], model.history_[name])).max()) for name in names}
    return {**found, "asap": float(len(asap.history_["task_loss"]))}


def check_blocks(ranks: Any, folder: Path) -> dict[str, Any]:
    """A fit on a graph in blocks beside the fit on the graph in memory."""
    graph = planted(True)
    if ranks.leads:
        hp.distributed.build_blocks(graph, folder / "blocks", num_ranges=3)
        np.save(folder / "x.npy", np.asarray(graph.features))
    ranks.share()
    model = hp.HoscClustering(3, MOTIFS, preset="paper", random_state=0, max_epochs=20, n_init=2)
    fit(model, folder / "blocks", features=folder / "x.npy")
    alone = clone(model).fit(graph)
    difference = float(np.abs(alone.assignment_ - model.assignment_).max())
    try:
        fit(hp.HoscClustering(3), folder / "blocks")
    except ValueError as error:
        refused = str(error)
    try:
        fit(hp.HoscClustering(3, {"star4": 1.0}, preset="paper"), folder / "blocks")
    except (ValueError, RankError) as error:
        uncounted = ranks.gather(f"{type(error).__name__}: {error}")
    return {
        "difference": difference,
        "labels": bool((alone.labels_ == model.labels_).all()),
        "objective": abs(alone.objective_ - model.objective_),
        "coarse": max(float(np.abs(alone.coarse_.matrices[m] - model.coarse_.matrices[m]).max()) for m in MOTIFS),
        "kept": alone.kept_run_ == model.kept_run_,
        "refused": refused,
        "uncounted": uncounted,
    }


def check_errors(ranks: Any) -> dict[str, Any]:
    """The sentences about ranks that do not fit together."""
    found = {}
    for name, model, graph in (
        ("parameters", hp.HoscClustering(3, random_state=ranks.rank), planted()),
        ("data", hp.HoscClustering(3, random_state=0), planted(weighted=ranks.leads)),
        ("leader", hp.HoscClustering(99, random_state=0), planted()),
        ("schedule", hp.HoscClustering(3, schedule=lambda p: {"edge": 1.0, "triangle": p}, random_state=0), planted()),
    ):
        try:
            fit(model, graph)
        except (ValueError, RankError) as error:
            found[name] = ranks.gather(f"{type(error).__name__}: {error}")
    return found


def resumed(folder: Path) -> Any:
    """A longer fit with a checkpoint."""
    return hp.HoscClustering(3, preset="paper", random_state=0, max_epochs=40, checkpoint=folder), planted(True)


def die(kind: str, folder: Path) -> None:
    """Fit until rank 1 ends, or hangs, in the fifth epoch."""
    ranks = join(3 if kind == "hang" else 60)
    assert ranks is not None
    epochs = {} if kind == "hang" else check_epochs(ranks)
    usual = rank_run.GroupRun._epoch

    def epoch(run: Any) -> None:
        if ranks.rank == 1 and run.progress.epoch == 5:
            time.sleep(8) if kind == "hang" else os._exit(7)
        usual(run)

    rank_run.GroupRun._epoch = epoch  # type: ignore[method-assign, assignment]
    model, graph = resumed(folder)
    begin = time.monotonic()
    try:
        fit(model, graph)
    except RankError as error:
        print(json.dumps({"epochs": epochs, "error": str(error), "seconds": time.monotonic() - begin}))
        sys.stdout.flush()
    os._exit(3)  # a clean farewell would wait for the other rank


def main(kind: str, folder: Path) -> None:
    """Run the checks that ``kind`` names."""
    warnings.simplefilter("ignore")
    if kind in ("die", "hang"):
        die(kind, folder)
    ranks = join(60)
    assert ranks is not None
    found: dict[str, Any] = {"epochs": check_epochs(ranks)}
    if kind == "all":
        found |= {"fits": check_fits(ranks), "classifier": check_classifier(), "errors": check_errors(ranks)}
        found["blocks"] = check_blocks(ranks, folder)
    if kind == "resume":
        model, graph = resumed(folder / "saved")
        model = fit(model, graph)
        found["labels"], found["history"] = model.labels_.tolist(), model.history_["loss"]
    if ranks.leads:
        (folder / "found.json").write_text(json.dumps(found))
    part_ways()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
