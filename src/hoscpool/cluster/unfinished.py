"""Unfinished fits on disk: what their folder must fit to, and the finished runs of a search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import torch

from hoscpool.cluster.engine import RunOutcome
from hoscpool.cluster.inputs import fingerprint
from hoscpool.graph import Graph
from hoscpool.objectives import motif_weights
from hoscpool.training import Checkpoint, Checkpoints, part, refusing

if TYPE_CHECKING:
    from hoscpool.cluster.hosc_clustering import HoscClustering

_NOT_IN_KEY = ("random_state", "verbose", "n_jobs", "checkpoint", "solver")


def checkpoints_of(
    model: HoscClustering, graph: Graph, motifs: dict[str, float], seeds: list[int], *solver: str
) -> Checkpoints:
    """The folder of unfinished runs. Its key is everything that the result depends on, without the seeds."""
    given = model.get_params(deep=False) | {"schedule": _describe_schedule(model.schedule, motifs)}
    parameters = {name: value for name, value in given.items() if name not in _NOT_IN_KEY}
    return Checkpoints(model.checkpoint, repr((parameters, fingerprint(graph), *solver)), seeds)


def _describe_schedule(schedule: Any, motifs: dict[str, float]) -> Any:
    """A description of a schedule that is the same in every process. A function gives its name and eleven values."""
    if not callable(schedule):
        return schedule
    named = schedule if hasattr(schedule, "__qualname__") else type(schedule)
    values = [motif_weights(motifs, schedule, tenth / 10) for tenth in range(11)]
    return f"{named.__module__}.{named.__qualname__}", values


class FinishedRuns:
    """The finished runs of the multilevel solver on disk; see `Memory`. A run that was cut short is repeated.

    Args:
        checkpoints: The folder.
        mus: The weights μ in the order in which they are tried.
        n_init: Runs with each of them.
        num_nodes: N.
        k: K.
    """

    def __init__(self, checkpoints: Checkpoints, mus: tuple[float, ...], n_init: int, num_nodes: int, k: int) -> None:
        self.checkpoints, self.mus, self.n_init = checkpoints, mus, n_init
        self.num_nodes, self.k = num_nodes, k

    def recall(self, mu: float, number: int) -> RunOutcome | None:
        """The outcome of a run of an earlier attempt, or ``None``.

        Raises:
            ValueError: The files were changed, or belong to another fit.
        """
        checkpoint = self._of(mu, number)
        if (found := checkpoint.find()) is None:
            return None
        assert checkpoint.path is not None
        tensors, content = found
        with refusing(checkpoint.path.with_suffix(".json")):
            labels, levels = tensors["labels"].numpy(), part(tensors, "level.")
            _check(labels, self.num_nodes, self.k)
            maps = [levels[str(depth)].numpy() for depth in range(len(levels))]
            sizes = tuple(int(size) for size in content["level_sizes"])
            for depth, communities in enumerate(maps):
                _check(communities, sizes[depth], sizes[depth + 1])
            return RunOutcome(
                int(content["seed"]), labels, float(content["value"]), float(content["least_volume"]), tuple(maps),
                sizes, float(content["seconds"]),
            )  # fmt: skip

    def keep(self, mu: float, number: int, outcome: RunOutcome) -> None:
        """Write the outcome of a run."""
        checkpoint = self._of(mu, number)
        arrays = {"labels": outcome.labels} | {f"level.{depth}": level for depth, level in enumerate(outcome.levels)}
        content = {name: getattr(outcome, name) for name in ("seed", "value", "least_volume", "level_sizes", "seconds")}
        checkpoint.remember({name: torch.from_numpy(np.array(array)) for name, array in arrays.items()}, content)
        checkpoint.flush()

    def _of(self, mu: float, number: int) -> Checkpoint:
        return self.checkpoints.of_run(self.mus.index(mu) * self.n_init + number)


def _check(labels: npt.NDArray[Any], length: int, count: int) -> None:
    if (
        labels.dtype != np.int32
        or labels.shape != (length,)
        or (length and not 0 <= labels.min() <= labels.max() < count)
    ):
        raise ValueError("the labels do not fit the graph")
