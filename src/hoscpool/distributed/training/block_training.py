"""Training on a graph in blocks: every rank reads its own rows, and nobody ever has the whole graph."""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
import torch

from hoscpool.cluster import (
    Coarse,
    HoscClustering,
    Result,
    Settings,
    Solution,
    best_of,
    make_network,
    method_motifs,
    resolve_settings,
)
from hoscpool.distributed.blocks import BlockGraph
from hoscpool.distributed.counting import count_on_blocks
from hoscpool.distributed.training.halo import HaloAdjacency, spread
from hoscpool.distributed.training.node_ranges import NodeRanges, equal_work
from hoscpool.distributed.training.rank_run import GroupRun
from hoscpool.distributed.training.ranks import RankError, Ranks
from hoscpool.distributed.training.spread_objective import SpreadObjective
from hoscpool.graph import map_array
from hoscpool.support.progress import FitBar
from hoscpool.support.seeding import draw_seeds
from hoscpool.support.threads import one_thread
from hoscpool.training import Checkpoints, begun_seeds

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class OwnPart:
    """What a rank has of a graph in blocks.

    Attributes:
        matrices: Its rows of A as ``"edge"``, and of every A_M.
        x: Its rows of the features, or a constant.
        ranges: Who has which nodes, in the order of the source of the blocks; only on the leader.
    """

    matrices: dict[str, HaloAdjacency]
    x: torch.Tensor
    ranges: NodeRanges | None


def fit_blocks(model: HoscClustering, graph: BlockGraph, ranks: Ranks, features: Any = None) -> HoscClustering:
    """Train on a graph in blocks. All ranks call this together; arguments as in `fit`.

    Raises:
        ValueError: The model asks for something that needs the whole graph at one place.
    """
    settings, motifs = _checked(model, graph)
    k = int(model.n_clusters)
    drawn = begun_seeds(model.checkpoint, model.random_state, draw_seeds(model.random_state, 1 + settings.n_init))
    seeds: list[int] = ranks.share(drawn)
    with one_thread():
        part = read_part(graph, motifs, ranks, features)
        parameters = {name: value for name, value in model.get_params(deep=False).items() if name not in _NOT_IN_KEY}
        checkpoints = Checkpoints(model.checkpoint, repr((parameters, graph.key)), seeds)
        cuts = {name: part.matrices[name] for name in motifs}
        objective = SpreadObjective(model.method, cuts, motifs, model.mu, model.volume, settings.schedule)
        runs = []
        for number, seed in enumerate(seeds[1:]):  # as in a fit in memory, where the first is for the starts
            verbose = model.verbose if ranks.leads else 0
            with FitBar(verbose, settings.max_epochs) as bar:
                runs.append(_run(number, seed, model, part, objective, settings, ranks, checkpoints, bar))
        kept = best_of(runs)
        coarse = _coarsen(kept, part, ranks, k)
    if ranks.leads:
        solution = Solution(kept, runs, motifs, coarse, 0.0, k, None, False)
        names = graph.names
        model._keep(solution, graph.key, None if isinstance(names, range) else [str(name) for name in names])
        model.solver_, model.solver_reason_ = "network", "the graph is in blocks"
    return model


_NOT_IN_KEY = ("random_state", "verbose", "n_jobs", "checkpoint", "solver")


def read_part(graph: BlockGraph, motifs: dict[str, float], ranks: Ranks, features: Any = None) -> OwnPart:
    """The rows of this rank. The leader counts motifs that are not counted yet."""
    for name in [name for name in motifs if name != "edge"]:
        if ranks.leads:
            try:
                count_on_blocks(graph, name, on_edges=True)
            except BaseException as error:  # the others wait for the counts
                with suppress(RankError):
                    ranks.release(str(error) or type(error).__name__)
                raise
        ranks.share()
    degree = np.empty(graph.num_nodes, dtype=np.int64)
    degree[graph.order] = graph.degree
    ranges = NodeRanges(np.arange(graph.num_nodes), equal_work(1 + degree, ranks.size))
    begin, end = (int(bound) for bound in ranges.bounds[ranks.rank : ranks.rank + 2])
    rows = {name: _rows(graph, name, begin, end) for name in dict.fromkeys(("edge", *motifs))}
    if features is None:
        x = np.ones((end - begin, 1), dtype=np.float32)
    else:
        table = map_array(Path(features)) if isinstance(features, str | Path) else features
        if len(table) != graph.num_nodes:
            raise ValueError(f"features: expected {graph.num_nodes:,} rows, one for every node, got {len(table):,}")
        x = np.array(table[begin:end], dtype=np.float32)
    return OwnPart(spread(rows, ranges.bounds, ranks), torch.from_numpy(x), ranges if ranks.leads else None)


def _rows(graph: BlockGraph, motif: str, begin: int, end: int) -> sp.csr_array:
    """The rows from ``begin`` to ``end`` of a motif adjacency, from one block after the other."""
    kept = []
    for rows, cols, counts in _edges(graph) if motif == "edge" else count_on_blocks(graph, motif, on_edges=True):
        for one, other in ((rows, cols), (cols, rows)):
            own = np.flatnonzero((one >= begin) & (one < end))
            kept.append((one[own] - begin, other[own], counts[own].astype(np.float32)))
    parts = zip(*kept, strict=True) if kept else ([np.empty(0, np.int64)], [np.empty(0, np.int64)], [np.empty(0)])
    places, others, values = (np.concatenate(part) for part in parts)
    matrix = sp.csr_array(sp.coo_array((values, (places, others)), shape=(end - begin, graph.num_nodes)))
    matrix.sort_indices()
    return matrix


def _edges(graph: BlockGraph) -> Any:
    """The edges of one block after the other, in the numbers of the source."""
    cuts = graph.shape.cuts
    for a, b in graph.pairs:
        block = graph.block(a, b)
        rows = np.repeat(np.arange(len(block.indptr) - 1), np.diff(block.indptr)) + cuts[a]
        targets = np.asarray(block.indices, dtype=np.int64) + cuts[b]
        yield graph.order[rows], graph.order[targets], np.ones(len(targets), dtype=np.int64)


def _run(
    number: int,
    seed: int,
    model: HoscClustering,
    part: OwnPart,
    objective: SpreadObjective,
    settings: Settings,
    ranks: Ranks,
    checkpoints: Checkpoints,
    bar: FitBar,
) -> Result:
    """One run from one seed, on all ranks."""
    k = int(model.n_clusters)
    network = make_network(part.x.shape[1], settings.hidden, (k,), message_passing=True, random_state=seed)
    nodes = 0 if part.ranges is None else len(part.ranges.order)
    parts = network, part.x, part.matrices["edge"], objective, settings, tuple, threading.Event()
    run = GroupRun(ranks, part.ranges, ranks.share(nodes), *parts)
    run.complete(checkpoints.of_run(number), bar, f"run {number + 1}: ")
    own = run.assignments()
    hard = objective.hard(own[-1].argmax(dim=1), k)
    return Result("raw", None, network, run.result() if ranks.leads else (run.result(), own)[1], run.progress, hard,
                  number=number)  # fmt: skip


def _coarsen(kept: Result, part: OwnPart, ranks: Ranks, k: int) -> Coarse:
    """SᵀAS of the labels for every matrix, summed over the ranks."""
    labels = kept.levels[-1].argmax(dim=1)
    own = labels if part.ranges is None else labels[: int(part.ranges.bounds[1])]
    s = torch.nn.functional.one_hot(own, k).to(torch.float32)
    found = {name: ranks.sum((s.T @ matrix.multiply(s)).double()).numpy() for name, matrix in part.matrices.items()}
    return Coarse(found, ranks.sum(s.sum(dim=0).double()).numpy())


def _checked(model: HoscClustering, graph: BlockGraph) -> tuple[Settings, dict[str, float]]:
    settings = resolve_settings(model.preset, model.get_params(deep=False))
    wrong = {
        "preset": not settings.message_passing,
        "starts": settings.starts != ("raw",),
        "solver": model.solver == "multilevel",
        "levels": bool(model.levels),
        "n_clusters": not isinstance(model.n_clusters, int) or not 1 <= model.n_clusters <= graph.num_nodes,
        "feature_weight": bool(settings.feature_weight),
    }
    if any(wrong.values()):
        name = next(name for name, is_wrong in wrong.items() if is_wrong)
        raise ValueError(
            f"{name}: a graph in blocks is trained with preset='paper' and a whole number of clusters, because other "
            f"settings need the whole graph at one place; got {name}={getattr(model, name)!r}"
        )
    return settings, method_motifs(model.method, model.motifs)
