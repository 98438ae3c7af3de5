"""A clustering run that all ranks train together, and its checkpoint."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from hoscpool.cluster import Run, log_of
from hoscpool.distributed.training.node_ranges import NodeRanges
from hoscpool.distributed.training.ranks import Ranks
from hoscpool.support.progress import FitBar
from hoscpool.training import Checkpoint, Ending, Loop, resume, snapshot


class GroupCheckpoint(Checkpoint):
    """A checkpoint that the leader reads and writes. The others get the state from it, however many they are.

    Args:
        ranks: The processes.
        file: The checkpoint; only the leader has one.
    """

    def __init__(self, ranks: Ranks, file: Checkpoint | None) -> None:
        super().__init__()
        self.ranks, self.file = ranks, file

    def keep(self, run: Loop) -> None:
        """Remember the state at the end of an epoch."""
        if self.file is not None:
            self.file.keep(run)

    def flush(self) -> None:
        """Write the state at the end of the last complete epoch."""
        if self.file is not None:
            self.file.flush()

    def restore(self, run: Loop) -> bool:
        """Restore a training on all ranks. Returns whether there was one."""
        if self.file is None:
            state = self.ranks.share()
            if state is not None:
                resume(run, *state)
            return state is not None
        found = self.file.restore(run)
        self.ranks.share((*snapshot(run),) if found else None)
        return found


class GroupSteps:
    """What runs of several ranks share: gradients are summed once, and Ctrl-C at the leader ends the run everywhere.

    Args:
        ranks: The processes.
        stop: When this is set on the leader, all ranks stop together.
    """

    def __init__(self, ranks: Ranks, stop: threading.Event) -> None:
        self.ranks, self.stop, self.is_over = ranks, stop, False

    def add_gradients(self, network: nn.Module) -> None:
        """The sum of all gradients on every rank, and whether to stop, by one all-reduce."""
        parameters = list(network.parameters())
        missing = [parameter for parameter in parameters if parameter.grad is None]
        for parameter in missing:
            parameter.grad = torch.zeros_like(parameter)
        gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
        flat = torch.cat([gradient.reshape(-1) for gradient in gradients] + [self.wish()])
        total = self.ranks.sum(flat)
        self.is_over = bool(total[-1])
        sizes = [gradient.numel() for gradient in gradients]
        for gradient, part in zip(gradients, torch.split(total[:-1], sizes), strict=True):
            gradient.copy_(part.view_as(gradient))

    def of_leader(self, value: float) -> float:
        """The leader's number on every rank, so that all decide alike."""
        return float(self.ranks.sum(torch.tensor(value if self.ranks.leads else 0.0, dtype=torch.float64)))

    def wish(self) -> Tensor:
        """1 if the leader wants to stop, ``[1]``."""
        return torch.tensor([float(self.ranks.leads and self.stop.is_set())])

    @contextmanager
    def noting_interrupts(self) -> Iterator[None]:
        """Inside the block Ctrl-C only sets ``stop``: all ranks must leave the loop in the same epoch."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGINT, lambda *_: self.stop.set())
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


class GroupRun(Run):
    """A `Run` of which every rank has the rows of its nodes. The losses and gradients are those of one process.

    Args:
        ranks: The processes.
        ranges: Who has which nodes; only the leader needs the order.
        num_nodes: Number of nodes on all ranks.
        parts: The arguments of `Run`: its input, A and objective for the own nodes; the leader's ``warm_labels`` are
            those of all nodes.
    """

    def __init__(self, ranks: Ranks, ranges: NodeRanges | None, num_nodes: int, *parts: Any) -> None:
        super().__init__(*parts)
        self.ranks, self.ranges, self.num_nodes = ranks, ranges, num_nodes
        self.group = GroupSteps(ranks, self._stop)

    def complete(self, checkpoint: Checkpoint, bar: FitBar, name: str = "") -> Ending:
        """Train to the end, on all ranks. Arguments as in `Loop.complete`."""
        with self.group.noting_interrupts():
            return super().complete(GroupCheckpoint(self.ranks, checkpoint if self.ranks.leads else None), bar, name)

    def begin(self) -> None:
        """Fit the network to the leader's cheap clustering, if there is one."""
        if not self.settings.warm_epochs:
            return
        labels = self.warm_labels() if self.ranks.leads else []
        count = self.ranks.share(len(labels))
        targets = [self._deal(labels[level] if self.ranks.leads else None) for level in range(count)]
        if targets:
            self.warm_up(targets)

    def result(self) -> list[Tensor]:
        """S of every level for all nodes, on the leader; nothing on the others."""
        parts = [self.ranks.collect(level.numpy()) for level in self.assignments()]
        if self.ranges is None:
            return []
        return [torch.from_numpy(self.ranges.restore(part)) for part in parts]

    def describe(self) -> str:
        """The loss in words. The other ranks do not take part in this."""
        return f"loss {self.progress.history['loss'][-1]:+.4f} on {self.ranks.size} ranks"

    def _deal(self, labels: Tensor | None) -> Tensor:
        parts = None if labels is None or self.ranges is None else self.ranges.deal(labels.numpy())
        return torch.from_numpy(np.asarray(self.ranks.deal(parts), dtype=np.int64))

    def _misfit(self, s: Tensor, target: Tensor) -> Tensor:
        return nn.functional.nll_loss(log_of(s), target, reduction="sum") / self.num_nodes

    def _complete_gradients(self) -> None:
        self.group.add_gradients(self.network)

    def _check_stop(self) -> None:
        if self.group.is_over:
            raise KeyboardInterrupt

    def _objective(self, losses: Sequence[Any]) -> float:
        return self.group.of_leader(super()._objective(losses))
