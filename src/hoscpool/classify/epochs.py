"""Training of a classifier: batches, the losses of task and pools, and the choice of the best epoch."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from sklearn.exceptions import ConvergenceWarning
from torch import Tensor, nn

from hoscpool.classify.architecture import Settings
from hoscpool.classify.data.disjoint_union import Indices
from hoscpool.classify.data.graph_set import GraphSet, mixed_batches, sorted_batches
from hoscpool.classify.data.labelled_parts import Part
from hoscpool.classify.networks import Network, Prediction, quiet_pools
from hoscpool.nn import GraphBatch, set_progress
from hoscpool.support.errors import GraphWarning
from hoscpool.support.progress import FitBar
from hoscpool.support.threads import one_thread
from hoscpool.training import Checkpoint, DivergenceError, Ending, Loop, Progress, copy_state, current_team

if TYPE_CHECKING:
    from hoscpool.classify.graph_classifier import GraphClassifier

ADVICE = "lower learning_rate or clip, or scale the features"


@dataclass
class ClassifierProgress(Progress):
    """How far a training is. Epochs count from 1 here, so ``best_epoch`` is 0 before the first one.

    Attributes:
        best_accuracy: Validation accuracy of the best epoch.
        best_loss: Its validation loss, which decides between epochs of equal accuracy.
    """

    best_accuracy: float = -1.0
    best_loss: float = float("inf")


class Run(Loop):
    """A network in training on L = L_s + Σ over the pools of (L_mc + μ L_o). An epoch is one pass over the graphs.

    Args:
        network: The network. After `finish` it holds the parameters of the best epoch.
        train: Training graphs.
        validation: Graphs on which epochs are compared: by accuracy, then by cross-entropy.
        settings: Learning rate, epochs, patience, batch size.
        random_state: Seed of the batches.
    """

    network: Network
    settings: Settings
    progress: ClassifierProgress

    def __init__(self, network: Network, train: Part, validation: Part, settings: Settings, random_state: int) -> None:
        optimizer = torch.optim.Adam(network.parameters(), lr=settings.learning_rate, fused=True)
        super().__init__(network, optimizer, settings, ClassifierProgress())
        self.train_part, self.random_state = train, random_state
        batches = self._own_batches(sorted_batches(validation.graphs.sizes, settings.batch_size))
        self._validation = [self._batch(validation, places) for places in batches]

    def finish(self) -> None:
        """Restore the parameters of the best epoch."""
        super().finish()
        self.network.eval()

    def describe(self) -> str:
        """Losses and accuracies in words."""
        last = {name: values[-1] for name, values in self.progress.history.items()}
        accuracy = f"train {last['train_accuracy']:.3f}, validation {last['validation_accuracy']:.3f}"
        best = f"best {self.progress.best_accuracy:.3f} at epoch {self.progress.best_epoch}"
        return f"loss {last['task_loss']:.3f} {last['pooling_loss']:+.3f}, {accuracy} ({best})"

    def train_epoch(self) -> dict[str, float]:
        """One pass over the training graphs. Returns mean losses and accuracy."""
        set_progress(self.network, self.share)
        part, rng = self.train_part, np.random.RandomState([self.random_state, self.progress.epoch])
        self.network.train()
        sums = _Sums()
        for number, places in enumerate(mixed_batches(part.graphs.sizes, self.settings.batch_size, rng)):
            graph, target = self._batch(part, self._own_graphs(places))
            sums.add(*self._step(graph, target, number), target)
        return sums.means()

    def _epoch(self) -> None:
        p, means = self.progress, self.train_epoch()
        accuracy, loss = self._validate()
        better = copy_state(self.network) if (accuracy, -loss) > (p.best_accuracy, -p.best_loss) else None
        rate = self.optimizer.param_groups[0]["lr"]
        measures = {**means, "validation_accuracy": accuracy, "validation_loss": loss, "learning_rate": rate}
        self._end_epoch(loss, measures, better, best_accuracy=accuracy, best_loss=loss, best_epoch=p.epoch + 1)

    def _batch(self, part: Part, places: Indices) -> tuple[GraphBatch, Tensor]:
        s = self.settings
        graph = part.graphs.batch(places, s.motif_names, s.structural_features, s.merge_depth, s.edge_features)
        return graph, torch.from_numpy(part.classes[places])

    def _step(self, graph: GraphBatch, target: Tensor, number: int) -> tuple[Prediction, Tensor]:
        self.optimizer.zero_grad()
        found = self._predict(graph)
        task = nn.functional.cross_entropy(found.logits, target)
        loss = task + found.loss
        self._backward(loss)
        norm = _clip(self.network, self.settings.clip)
        _check_finite(loss, norm, task, found, self.network, self.progress.epoch, number)
        self.optimizer.step()
        return found, task.detach()

    def _own_batches(self, batches: list[Indices]) -> list[Indices]:
        """The batches of validation graphs that this process works on: all. So it is with the next four."""
        return batches

    def _own_graphs(self, places: Indices) -> Indices:
        """The graphs of a training batch that this process works on."""
        return places

    def _predict(self, graph: GraphBatch) -> Prediction:
        """The output of the network in training."""
        found: Prediction = self.network(graph)
        return found

    def _backward(self, loss: Tensor) -> None:
        """The gradient of the whole batch."""
        loss.backward()  # type: ignore[no-untyped-call]

    def _all_found(self, found: list[tuple[Tensor, Tensor]]) -> list[tuple[Tensor, Tensor]]:
        """Logits and classes of all validation graphs."""
        return found

    def _validate(self) -> tuple[float, float]:
        self.network.eval()
        with torch.no_grad():
            found = [(self.network(graph).logits, target) for graph, target in self._validation]
        logits, target = (torch.cat(parts) for parts in zip(*self._all_found(found), strict=True))
        loss = float(nn.functional.cross_entropy(logits, target))
        if not np.isfinite(loss):
            raise DivergenceError(f"epoch {self.progress.epoch + 1}: the loss on the validation graphs is {loss}")
        return float((logits.argmax(dim=1) == target).double().mean()), loss


class _Sums:
    """Collects losses and predictions of an epoch. Their values are read only once, at its end."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._values: list[Tensor] = []  # of all batches in order
        self._logits: list[Tensor] = []
        self._targets: list[Tensor] = []

    def add(self, found: Prediction, task: Tensor, target: Tensor) -> None:
        """Add one batch."""
        values = {"task_loss": task, "pooling_loss": found.loss.detach()}
        for level, out in enumerate(found.pools, start=1):
            values |= {f"pool{level}.{name}": value.detach() for name, value in out.losses.items()}
        self._names = list(values)
        self._values += values.values()
        self._logits.append(found.logits.detach())
        self._targets.append(target)

    def means(self) -> dict[str, float]:
        """Mean losses and the accuracy over the graphs, by name."""
        hits = torch.cat(self._logits).argmax(dim=1) == torch.cat(self._targets)
        graphs = torch.tensor([len(target) for target in self._targets], dtype=torch.float64)
        table = torch.stack(self._values).double().view(len(graphs), -1)  # one row per batch
        means = (graphs @ table / graphs.sum()).tolist()
        return {"train_accuracy": float(hits.double().mean()), **dict(zip(self._names, means, strict=True))}


def _clip(network: nn.Module, limit: float) -> float:
    """Scale the gradient down to a norm of at most ``limit``. Returns the norm before."""
    gradients = [parameter.grad for parameter in network.parameters() if parameter.grad is not None]
    norm = float(torch.stack([gradient.norm() for gradient in gradients]).norm())
    if norm > limit:
        for gradient in gradients:
            gradient.mul_(limit / norm)
    return norm


def fit_network(
    model: GraphClassifier, network: Network, settings: Settings, train: Part, validation: Part, seed: int
) -> tuple[ClassifierProgress, Ending]:
    """Train a network with an estimator's settings. Returns the progress and how training ended."""
    _warn_absent(train.graphs, settings)
    team = current_team()
    with quiet_pools(), one_thread(), FitBar(model.verbose, settings.max_epochs) as bar:
        run = (Run if team is None else team.classifier_run)(network, train, validation, settings, seed)
        ending = run.complete(Checkpoint(model.checkpoint, _key(model, train, validation)), bar)
    if ending.problem:
        best = run.progress.best_epoch
        kept = f"the model of epoch {best} is kept" if best else "nothing was learned"
        warnings.warn(f"{ending.problem}; {kept}", ConvergenceWarning, stacklevel=3)
    return run.progress, ending


def _warn_absent(graphs: GraphSet, settings: Settings) -> None:
    """Warn about motifs that no graph has."""
    table = graphs.union.table(settings.structural_features, settings.merge_depth)  # the one that training uses
    begin, end = table.ptr[graphs.index], table.ptr[graphs.index + 1]
    for name in settings.motif_names:
        indptr = table.rows(name).indptr
        if not (indptr[end] > indptr[begin]).any():
            warnings.warn(
                f"motifs: no training graph has the motif {name}, so its cut is 0", GraphWarning, stacklevel=4
            )


def _key(model: GraphClassifier, train: Part, validation: Part) -> str:
    """A text of everything that a fit depends on."""
    parameters = {
        name: value for name, value in model.get_params(deep=False).items() if name not in ("checkpoint", "verbose")
    }
    parts = [(part.graphs.fingerprint(), part.classes.tolist()) for part in (train, validation)]
    return repr((parameters, parts))


def _check_finite(
    loss: Tensor, norm: float, task: Tensor, found: Prediction, network: nn.Module, epoch: int, batch: int
) -> None:
    """Stop if the loss or a gradient is not finite.

    Args:
        loss: The total loss.
        norm: Norm of its gradient.
        task: The loss of the task alone.
        found: The output of the network.
        network: The network, with its gradients.
        epoch: Epochs done.
        batch: Number of the batch in the epoch.

    Raises:
        DivergenceError: The loss or the gradient is not finite.
    """
    if math.isfinite(float(loss.detach())) and math.isfinite(norm):
        return
    values = {"the loss of the task": task}
    for level, out in enumerate(found.pools, start=1):
        values |= {f"the loss {name!r} of pool {level}": value for name, value in out.losses.items()}
        values |= {f"the features from pool {level}": out.x}
        values |= {} if out.adjacency is None else {f"the adjacency from pool {level}": out.adjacency}
    broken = [name for name, value in values.items() if not bool(torch.isfinite(value.detach()).all())]
    if not broken:
        gradients = ((name, parameter.grad) for name, parameter in network.named_parameters())
        broken = [
            f"the gradient of {name}"
            for name, grad in gradients
            if grad is not None and not bool(grad.isfinite().all())
        ]
    what = ", ".join(broken[:4]) or "the norm of the gradient"
    raise DivergenceError(f"epoch {epoch + 1}, batch {batch + 1}: not finite: {what}; {ADVICE}")
