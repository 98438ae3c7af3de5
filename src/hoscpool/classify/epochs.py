"""One training: batches, the loss of task and pools, and the best epoch on the validation graphs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.optim.lr_scheduler import ReduceLROnPlateau

from hoscpool.classify.architecture import Settings
from hoscpool.classify.data.graph_set import GraphSet, mixed_batches, sorted_batches
from hoscpool.classify.divergence import DivergenceError, check_finite
from hoscpool.classify.pooling_network import PoolingNetwork, Prediction
from hoscpool.nn import set_progress
from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.support.timing import Stopwatch
from hoscpool.training.flat_adam import FlatAdam

DECAY = 0.5
State = dict[str, Tensor]


@dataclass
class Progress:
    """How far a training is; all that is needed to go on with it, besides the tensors.

    Attributes:
        epoch: Epochs done.
        best_accuracy: Validation accuracy of the best epoch.
        best_loss: Its validation loss, by which epochs of the same accuracy are told apart.
        best_epoch: How many epochs were done when it was reached.
        history: Losses and accuracies, a number an epoch.
        wall: Seconds that the epochs took on the clock.
        cpu: The same of the processor.
    """

    epoch: int = 0
    best_accuracy: float = -1.0
    best_loss: float = float("inf")
    best_epoch: int = 0
    history: dict[str, list[float]] = field(default_factory=dict)
    wall: float = 0.0
    cpu: float = 0.0

    @property
    def time(self) -> Stopwatch:
        """What the epochs took."""
        return Stopwatch(self.wall, self.cpu)


@dataclass(frozen=True)
class Part:
    """Graphs with their classes, numbered from 0."""

    graphs: GraphSet
    classes: npt.NDArray[np.int64]


class Run:
    """A network in training: L = L_s + Σ over the pools of (L_mc + μ L_o), one pass over the training graphs an epoch.

    Args:
        network: The network; it holds the parameters of the best epoch after `finish`.
        train: What it learns from.
        validation: What epochs are compared on: accuracy, then cross-entropy.
        settings: Learning rate, epochs, patience, batch size.
        random_state: Seed of the batches.
    """

    def __init__(
        self, network: PoolingNetwork, train: Part, validation: Part, settings: Settings, random_state: int
    ) -> None:
        self.network, self.train_part, self.settings, self.random_state = network, train, settings, random_state
        self.progress = Progress()
        self.optimizer = FlatAdam(network, settings.learning_rate)
        self.scheduler = ReduceLROnPlateau(self.optimizer, factor=DECAY, patience=settings.decay_patience)
        self.best = _copy(network)
        batches = sorted_batches(validation.graphs.sizes, settings.batch_size)
        self._validation = [self._batch(validation, places) for places in batches]

    def train(self, after_epoch: Callable[[Run], None] = lambda _: None) -> None:
        """Go on until the epochs or the patience run out.

        Raises:
            DivergenceError: A loss or a gradient is not finite.
        """
        while not self.is_done:
            with Stopwatch() as watch:
                self._epoch()
            self.progress.wall += watch.wall
            self.progress.cpu += watch.cpu
            after_epoch(self)

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to do."""
        p, s = self.progress, self.settings
        return p.epoch >= s.max_epochs or p.epoch - p.best_epoch >= s.patience

    def finish(self) -> None:
        """Put the best epoch's parameters in place."""
        self.network.load_state_dict(self.best)
        self.optimizer.release()
        self.network.eval()

    def train_epoch(self) -> dict[str, float]:
        """One pass over the training graphs; mean losses and accuracy on the way."""
        p, limit = self.progress, max(self.settings.max_epochs - 1, 1)
        set_progress(self.network, min(p.epoch / limit, 1.0))
        part, rng = self.train_part, np.random.RandomState([self.random_state, p.epoch])
        self.network.train()
        sums = _Sums()
        for number, places in enumerate(mixed_batches(part.graphs.sizes, self.settings.batch_size, rng)):
            graph, target = self._batch(part, places)
            sums.add(*self._step(graph, target, number), target)
        return sums.means()

    def _epoch(self) -> None:
        p, means = self.progress, self.train_epoch()
        accuracy, loss = self._validate()
        self._note(means, accuracy, loss)
        p.epoch += 1
        if (accuracy, -loss) > (p.best_accuracy, -p.best_loss):
            p.best_accuracy, p.best_loss, p.best_epoch, self.best = accuracy, loss, p.epoch, _copy(self.network)
        self.scheduler.step(loss)

    def _batch(self, part: Part, places: npt.NDArray[np.int64]) -> tuple[GraphBatch, Tensor]:
        s = self.settings
        graph = part.graphs.batch(places, s.motif_names, s.structural_features, s.merge_depth)
        return graph, torch.from_numpy(part.classes[places])

    def _step(self, graph: GraphBatch, target: Tensor, number: int) -> tuple[Prediction, Tensor]:
        self.optimizer.zero_grad()
        found = self.network(graph)
        task = nn.functional.cross_entropy(found.logits, target)
        loss = task + found.loss
        loss.backward()
        norm = self.optimizer.clip(self.settings.clip)
        check_finite(loss, norm, task, found, self.network, self.progress.epoch, number)
        self.optimizer.step()
        return found, task.detach()

    def _validate(self) -> tuple[float, float]:
        self.network.eval()
        with torch.no_grad():
            found = [(self.network(graph).logits, target) for graph, target in self._validation]
        logits, target = (torch.cat(parts) for parts in zip(*found, strict=True))
        loss = float(nn.functional.cross_entropy(logits, target))
        if not np.isfinite(loss):
            raise DivergenceError(f"epoch {self.progress.epoch + 1}: the loss on the validation graphs is {loss}")
        return float((logits.argmax(dim=1) == target).double().mean()), loss

    def _note(self, means: dict[str, float], accuracy: float, loss: float) -> None:
        rate = self.optimizer.param_groups[0]["lr"]
        values = {**means, "validation_accuracy": accuracy, "validation_loss": loss, "learning_rate": rate}
        for name, value in values.items():
            self.progress.history.setdefault(name, []).append(value)


class _Sums:
    """Losses and hits of an epoch, kept as they come and looked at once, at its end."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._values: list[Tensor] = []  # of all batches, one after the other
        self._logits: list[Tensor] = []
        self._targets: list[Tensor] = []

    def add(self, found: Prediction, task: Tensor, target: Tensor) -> None:
        """One batch more."""
        values = {"task_loss": task, "pooling_loss": found.loss.detach()}
        for level, out in enumerate(found.pools, start=1):
            values |= {f"pool{level}.{name}": value.detach() for name, value in out.losses.items()}
        self._names = list(values)
        self._values += values.values()
        self._logits.append(found.logits.detach())
        self._targets.append(target)

    def means(self) -> dict[str, float]:
        """Means over the graphs, by name."""
        hits = torch.cat(self._logits).argmax(dim=1) == torch.cat(self._targets)
        graphs = torch.tensor([len(target) for target in self._targets], dtype=torch.float64)
        table = torch.stack(self._values).double().view(len(graphs), -1)  # a row a batch
        means = (graphs @ table / graphs.sum()).tolist()
        return {"train_accuracy": float(hits.double().mean()), **dict(zip(self._names, means, strict=True))}


def _copy(network: nn.Module) -> State:
    return {name: value.detach().clone() for name, value in network.state_dict().items()}
