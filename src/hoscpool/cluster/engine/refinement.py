"""Moves of single nodes until no one lowers the objective."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hoscpool.cluster.engine.kernels.node_moves import improve, make_moves, make_scratch, want_moves
from hoscpool.cluster.engine.kernels.tables import Clusters, Level
from hoscpool.cluster.engine.level import PARTS, Labels, block_of, work_of
from hoscpool.cluster.engine.problem import Problem
from hoscpool.support.threads import RangeWorker, run_ranges

VISITS = 20
"""Most visits for every node, on average."""
Nodes = npt.NDArray[np.int32]


def refine(problem: Problem, level: Level, labels: Labels, order: Nodes, state: Clusters | None = None) -> Clusters:
    """Move nodes while F falls; every cluster keeps a node.

    A long queue is worked off in blocks: threads look for the nodes of a block that would gain by a move, then those
    move one after another if they still gain. A short queue is worked off node by node.

    Args:
        problem: The objective.
        level: The graph.
        labels: Cluster of every node; changed here.
        order: Order of the first visits.
        state: The state of the same clusters on a coarser level, if it is known: only the number of nodes differs.

    Returns:
        The state of the clusters.
    """
    if state is None:
        clusters = problem.measure(level, labels)
    else:
        clusters = Clusters(*(part.copy() for part in state))._replace(counts=np.bincount(labels, minlength=problem.k))
    if problem.k > 1:
        visits, queue = VISITS * len(labels), order.copy()
        while len(queue) >= block_of(level) and visits > 0:
            visits -= len(queue)
            queue = _one_round(problem, level, labels, clusters, queue)
        waiting = np.empty(len(labels), np.int32)
        waiting[: len(queue)] = queue
        scratch = make_scratch(len(problem.alphas), problem.k)
        is_waiting = np.zeros(len(labels), np.bool_)
        improve(problem.rule, level, labels, clusters, waiting, is_waiting, len(queue), visits, *scratch)
    return clusters


def _one_round(problem: Problem, level: Level, labels: Labels, clusters: Clusters, queue: Nodes) -> Nodes:
    """Visit every node of a queue; returns those to visit next."""
    rule, waiting = problem.rule, np.zeros(len(labels), np.bool_)
    waiting[queue] = True
    later, length = np.empty(len(labels), np.int32), 0
    own, block = make_scratch(len(rule.alphas), problem.k), block_of(level)
    for first in range(0, len(queue), block):
        nodes = queue[first : first + block]
        wants = _who_gains(problem, level, labels, clusters, nodes)
        length = make_moves(rule, level, labels, clusters, nodes, wants, waiting, later, length, *own)
        own[1][:] = -1
    return later[:length].copy()


def _who_gains(
    problem: Problem, level: Level, labels: Labels, clusters: Clusters, nodes: Nodes
) -> npt.NDArray[np.bool_]:
    """Which of the nodes would gain by a move as things stand."""
    wants = np.empty(len(nodes), np.bool_)

    def worker() -> RangeWorker:
        scratch = make_scratch(len(problem.alphas), problem.k)

        def look(start: int, stop: int) -> None:
            want_moves(problem.rule, level, labels, clusters, nodes, start, stop, wants, *scratch)

        return look

    run_ranges(worker, work_of(level, nodes), PARTS, problem.n_threads)
    return wants
