"""A classifier that all ranks train together, by torch's DistributedDataParallel."""

from __future__ import annotations

import copy
import threading
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn.parallel import DistributedDataParallel

from hoscpool.classify import Prediction, Run
from hoscpool.distributed.training.rank_run import GroupCheckpoint, GroupSteps
from hoscpool.distributed.training.ranks import Ranks
from hoscpool.nn import GraphBatch
from hoscpool.support.progress import FitBar
from hoscpool.training import Checkpoint, Ending

Indices = npt.NDArray[np.int64]


TRIAL = 4
"""Number of graphs on which we look which parameters are used."""


class GroupClassifierRun(Run):
    """A `Run` whose batches are shared out: every rank has a part of each batch.

    The batches are those of one process. A rank's loss counts as much as its part of the batch, so the mean over the
    ranks is the loss of the whole batch, and so is its gradient.

    Args:
        ranks: The processes.
        parts: The arguments of `Run`.
    """

    def __init__(self, ranks: Ranks, *parts: Any) -> None:
        self.ranks, self.group = ranks, GroupSteps(ranks, threading.Event())
        self._weight, self._seen = 1.0, 0
        super().__init__(*parts)
        unused = self._leaves_parameters_out()
        self._spread = DistributedDataParallel(self.network, process_group=ranks.group, find_unused_parameters=unused)

    def complete(self, checkpoint: Checkpoint, bar: FitBar, name: str = "") -> Ending:
        """Train to the end, on all ranks. Arguments as in `Loop.complete`."""
        with self.group.noting_interrupts():
            return super().complete(GroupCheckpoint(self.ranks, checkpoint if self.ranks.leads else None), bar, name)

    def train_epoch(self) -> dict[str, float]:
        """One pass over the training graphs. Returns mean losses and accuracy over all ranks."""
        if self.group.is_over:
            raise KeyboardInterrupt
        self._seen = 0
        means = super().train_epoch()
        values = self._seen * torch.tensor([*means.values(), 1.0], dtype=torch.float64)
        *sums, seen, wish = self.ranks.sum(torch.cat([values, self.group.wish().double()])).tolist()
        self.group.is_over = wish > 0
        return {name: value / seen for name, value in zip(means, sums, strict=True)}

    def _leaves_parameters_out(self) -> bool:
        """Whether some parameters get no gradient, as in a pool whose last scores are not used."""
        trial = copy.deepcopy(self.network)
        found = trial(self._batch(self.train_part, np.arange(min(TRIAL, len(self.train_part.classes))))[0])
        (found.logits.sum() + found.loss).backward()
        return any(parameter.grad is None for parameter in trial.parameters())

    def _own_batches(self, batches: list[Indices]) -> list[Indices]:
        return batches[self.ranks.rank :: self.ranks.size]

    def _own_graphs(self, places: Indices) -> Indices:
        own = np.array_split(places, self.ranks.size)[self.ranks.rank]
        self._weight = self.ranks.size * len(own) / len(places)
        if not len(own):  # DistributedDataParallel waits for every rank, so this one computes something that counts 0
            own = places[:1]
        self._seen += len(own)
        return own

    def _predict(self, graph: GraphBatch) -> Prediction:
        found: Prediction = self._spread(graph)
        return found

    def _backward(self, loss: Tensor) -> None:
        super()._backward(self._weight * loss)

    def _all_found(self, found: list[tuple[Tensor, Tensor]]) -> list[tuple[Tensor, Tensor]]:
        return [pair for part in self.ranks.gather(found) for pair in part]
