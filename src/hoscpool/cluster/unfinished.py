"""Unfinished fits on disk: what their folder must fit to, and the runs of a search."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import torch

from hoscpool.cluster.engine import Clusters, HalfWay, RunOutcome
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
    if model.checkpoint is None:
        return Checkpoints(None, "", seeds)
    given = model.get_params(deep=False) | {"schedule": _describe_schedule(model.schedule, motifs)}
    parameters = {name: value for name, value in given.items() if name not in _NOT_IN_KEY}
    return Checkpoints(model.checkpoint, repr((parameters, graph.fingerprint, *solver)), seeds)


def _describe_schedule(schedule: Any, motifs: dict[str, float]) -> Any:
    """A description of a schedule that is the same in every process. A function gives its name and eleven values."""
    if not callable(schedule):
        return schedule
    named = schedule if hasattr(schedule, "__qualname__") else type(schedule)
    values = [motif_weights(motifs, schedule, tenth / 10) for tenth in range(11)]
    return f"{named.__module__}.{named.__qualname__}", values


class SavedRuns:
    """The runs of the multilevel solver on disk; see `Memory`.

    Args:
        checkpoints: The folder.
        mus: The weights μ in the order in which they are tried.
        n_init: Runs with each of them.
        num_nodes: N.
        k: K.
        lanes: Number of matrices.
    """

    def __init__(
        self, checkpoints: Checkpoints, mus: tuple[float, ...], n_init: int, num_nodes: int, k: int, lanes: int
    ) -> None:
        self.checkpoints, self.mus, self.n_init = checkpoints, mus, n_init
        self.num_nodes, self.k, self.lanes = num_nodes, k, lanes

    def recall(self, mu: float, number: int) -> RunOutcome | None:
        """The outcome of a run that an earlier attempt finished, or ``None``.

        Raises:
            ValueError: The files were changed, or belong to another fit.
        """
        checkpoint = self._of(mu, number)
        if (found := checkpoint.find()) is None or "depth" in found[1]:
            return None
        assert checkpoint.path is not None
        tensors, content = found
        with refusing(checkpoint.path.with_suffix(".json")):
            labels = tensors["labels"].numpy()
            _check(labels, self.num_nodes, self.k)
            maps, sizes = self._levels(tensors, content)
            value, least_volume, seconds = (float(content[name]) for name in ("value", "least_volume", "seconds"))
            if not np.isfinite([value, least_volume, seconds]).all():
                raise ValueError("a number is not finite")
            return RunOutcome(int(content["seed"]), labels, value, least_volume, maps, sizes, seconds)

    def keep(self, mu: float, number: int, outcome: RunOutcome) -> None:
        """Write the outcome of a run."""
        content = {name: getattr(outcome, name) for name in ("seed", "value", "least_volume", "level_sizes", "seconds")}
        self._write(mu, number, {"labels": outcome.labels, **_named("level", outcome.levels)}, content)

    def resume(self, mu: float, number: int) -> HalfWay | None:
        """How far an earlier attempt came with a run, or ``None``.

        Raises:
            ValueError: The files were changed, or belong to another fit.
        """
        checkpoint = self._of(mu, number)
        if (found := checkpoint.find()) is None or "depth" not in found[1]:
            return None
        assert checkpoint.path is not None
        tensors, content = found
        with refusing(checkpoint.path.with_suffix(".json")):
            maps, sizes = self._levels(tensors, content)
            depth, random = int(content["depth"]), dict(content["random"])
            np.random.default_rng().bit_generator.state = random  # refuses what is no state
            if not 0 <= depth <= len(maps):
                raise ValueError("the depth does not fit the levels")
            if "labels" not in tensors:
                return HalfWay(maps, None, None, depth, random)
            labels = tensors["labels"].numpy()
            _check(labels, sizes[depth], self.k)
            state = part(tensors, "clusters.")
            clusters = Clusters(*(state[name].numpy() for name in Clusters._fields))
            self._check_clusters(clusters, labels)
            return HalfWay(maps, labels, clusters, depth, random)

    def pause(self, mu: float, number: int, state: HalfWay) -> None:
        """Write how far a run is."""
        sizes = [len(communities) for communities in state.maps]
        content = {"depth": state.depth, "random": state.random, "level_sizes": [*sizes, self._coarsest(state)]}
        arrays = _named("level", state.maps)
        if state.labels is not None and state.clusters is not None:
            arrays |= {"labels": state.labels}
            arrays |= {f"clusters.{name}": array for name, array in state.clusters._asdict().items()}
        self._write(mu, number, arrays, content)

    def _coarsest(self, state: HalfWay) -> int:
        return int(state.maps[-1].max(initial=-1)) + 1 if state.maps else self.num_nodes

    def _levels(
        self, tensors: dict[str, torch.Tensor], content: dict[str, Any]
    ) -> tuple[tuple[npt.NDArray[np.int32], ...], tuple[int, ...]]:
        """The maps between levels, and the numbers of nodes."""
        levels = part(tensors, "level.")
        maps = tuple(levels[str(depth)].numpy() for depth in range(len(levels)))
        sizes = tuple(int(size) for size in content["level_sizes"])
        if len(sizes) != len(maps) + 1 or sizes[0] != self.num_nodes:
            raise ValueError("the levels do not fit the graph")
        for depth, communities in enumerate(maps):
            _check(communities, sizes[depth], sizes[depth + 1])
        return maps, sizes

    def _check_clusters(self, clusters: Clusters, labels: npt.NDArray[np.int32]) -> None:
        """Compiled code takes the state of the clusters as it is."""
        wanted = {"inside": (self.k, self.lanes), "volume": (self.k, self.lanes)}
        for name, array in zip(Clusters._fields, clusters, strict=True):
            kind = np.int64 if name == "counts" else np.float64
            if array.shape != wanted.get(name, (self.k,)) or array.dtype != kind or not np.isfinite(array).all():
                raise ValueError("the clusters do not fit the graph")
        if not np.array_equal(clusters.counts, np.bincount(labels, minlength=self.k)):
            raise ValueError("the clusters do not fit the labels")

    def _write(self, mu: float, number: int, arrays: dict[str, Any], content: dict[str, Any]) -> None:
        checkpoint = self._of(mu, number)
        checkpoint.remember({name: torch.from_numpy(np.array(array)) for name, array in arrays.items()}, content)
        checkpoint.flush()

    def _of(self, mu: float, number: int) -> Checkpoint:
        return self.checkpoints.of_run(self.mus.index(mu) * self.n_init + number)


def _named(name: str, arrays: Iterable[Any]) -> dict[str, Any]:
    return {f"{name}.{number}": array for number, array in enumerate(arrays)}


def _check(labels: npt.NDArray[Any], length: int, count: int) -> None:
    if (
        labels.dtype != np.int32
        or labels.shape != (length,)
        or (length and not 0 <= labels.min() <= labels.max() < count)
    ):
        raise ValueError("the labels do not fit the graph")
