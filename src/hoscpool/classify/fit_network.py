"""A whole fit: the network, its training with bar and checkpoint, and how it ended."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sklearn.exceptions import ConvergenceWarning

from hoscpool.classify.architecture import Settings
from hoscpool.classify.data.graph_set import GraphSet
from hoscpool.classify.divergence import DivergenceError
from hoscpool.classify.epochs import Part, Progress, Run
from hoscpool.classify.pooling_network import PoolingNetwork, quiet_pools
from hoscpool.support.errors import GraphWarning
from hoscpool.support.progress import FitBar
from hoscpool.support.threads import threads_for
from hoscpool.support.timing import Stopwatch
from hoscpool.training.checkpoint import Checkpoint

if TYPE_CHECKING:
    from hoscpool.classify.graph_classifier import GraphClassifier


@dataclass(frozen=True)
class Fitted:
    """A finished training: the network of the best epoch, how it went, why it ended, and what epochs before it took."""

    network: PoolingNetwork
    progress: Progress
    stopped: str
    earlier: Stopwatch


def fit_network(
    model: GraphClassifier, network: PoolingNetwork, settings: Settings, train: Part, validation: Part, seed: int
) -> Fitted:
    """Train a network as an estimator says."""
    _warn_absent(train.graphs, settings)
    run = Run(network, train, validation, settings, seed)
    checkpoint = Checkpoint(model.checkpoint, _key(model, train, validation))
    checkpoint.restore(run)
    earlier = run.progress.time
    rows = round(train.graphs.sizes.mean() * min(settings.batch_size, len(train.graphs)))
    bar = FitBar(model.verbose, settings.max_epochs, run.progress.epoch)
    with quiet_pools(), threads_for(rows), bar:
        problem = _train(run, checkpoint, bar)
    checkpoint.flush()
    run.finish()
    if problem:
        best = run.progress.best_epoch
        kept = f"the model of epoch {best} is kept" if best else "nothing was learned"
        warnings.warn(f"{problem}; {kept}", ConvergenceWarning, stacklevel=4)
    stopped = "epochs" if run.progress.epoch >= settings.max_epochs else "patience"
    if problem:
        stopped = "interrupted" if problem.startswith("interrupted") else "diverged"
    return Fitted(network, run.progress, stopped, earlier)


def _train(run: Run, checkpoint: Checkpoint, bar: FitBar) -> str:
    """Train to the end; why it ended before, in words."""

    def after_epoch(run: Run) -> None:
        bar.advance(lambda: describe(run))
        checkpoint.keep(run)

    try:
        run.train(after_epoch)
    except KeyboardInterrupt:
        return f"interrupted after epoch {run.progress.epoch} of {run.settings.max_epochs}"
    except DivergenceError as error:
        return f"training diverged at {error}"
    return ""


def describe(run: Run) -> str:
    """Where a training is, in words."""
    last = {name: values[-1] for name, values in run.progress.history.items()}
    accuracy = f"train {last['train_accuracy']:.3f}, validation {last['validation_accuracy']:.3f}"
    best = f"best {run.progress.best_accuracy:.3f} at epoch {run.progress.best_epoch}"
    return f"loss {last['task_loss']:.3f} {last['pooling_loss']:+.3f}, {accuracy} ({best})"


def _warn_absent(graphs: GraphSet, settings: Settings) -> None:
    """Say which motifs no graph has."""
    table = graphs.union.table(settings.structural_features, settings.merge_depth)  # what the training reads
    begin, end = table.ptr[graphs.index], table.ptr[graphs.index + 1]
    for name in settings.motif_names:
        indptr = table.rows(name).indptr
        if not (indptr[end] > indptr[begin]).any():
            warnings.warn(
                f"motifs: no training graph has the motif {name}, so its cut is 0", GraphWarning, stacklevel=5
            )


def _key(model: GraphClassifier, train: Part, validation: Part) -> str:
    """What a fit depends on, as a text."""
    parameters = {
        name: value for name, value in model.get_params(deep=False).items() if name not in ("checkpoint", "verbose")
    }
    parts = [(part.graphs.fingerprint(), part.classes.tolist()) for part in (train, validation)]
    return repr((parameters, parts))
