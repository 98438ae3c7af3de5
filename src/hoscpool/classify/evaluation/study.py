"""Training and test on one split, and on all splits of a study."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import joblib
import numpy as np

from hoscpool.classify.data.collating import collate
from hoscpool.classify.data.graph_set import GraphSet
from hoscpool.classify.evaluation.splits import Split
from hoscpool.classify.evaluation.tuning import Grid, Trial, fit_tuned
from hoscpool.classify.graph_classifier import GraphClassifier
from hoscpool.support.files import write_text
from hoscpool.support.processes import follow_parent


@dataclass(frozen=True)
class SplitResult:
    """The result of one split.

    Attributes:
        split: Number of the split.
        accuracy: Accuracy on the test graphs, measured once, at the end.
        validation_accuracy: Validation accuracy of the epoch that was kept.
        epochs: Number of epochs done.
        best_epoch: The epoch that was kept.
        stopped: Why training ended.
        seconds: Time of the fit.
        pools: The diagnosis of every pool on the test graphs.
        trials: The trials of a search, of which the best was kept; empty without a search.
    """

    split: int
    accuracy: float
    validation_accuracy: float
    epochs: int
    best_epoch: int
    stopped: str
    seconds: float
    pools: list[dict[str, Any]]
    trials: list[dict[str, Any]] = field(default_factory=list)

    @property
    def chosen(self) -> dict[str, Any]:
        """The parameters that a search chose; empty without a search."""
        trials = [Trial(**row) for row in self.trials]
        return max(trials, key=lambda trial: trial.rank).parameters if trials else {}

    def as_dict(self) -> dict[str, Any]:
        """All fields as plain values."""
        return asdict(self)


def evaluate_split(
    model: GraphClassifier, graphs: Any, split: Split, number: int = 0, grid: Grid | None = None
) -> SplitResult:
    """Fit on the training part, choose by the validation part, and measure the test accuracy.

    Args:
        model: The model to fit. A search sets its parameters.
        graphs: The whole dataset; pass a `GraphSet` to collate it once for all splits.
        split: The parts.
        number: Number of the split.
        grid: Parameters to choose by the validation part; see `fit_tuned`.

    Raises:
        KeyboardInterrupt: The fit was interrupted. Its test accuracy is not measured.
    """
    found, begin = collate(graphs), time.perf_counter()
    train, validation, trials = found[split.train], found[split.validation], []
    if grid is None:
        model.fit(train, validation=validation)
    else:
        trials = [trial.as_dict() for trial in fit_tuned(model, train, validation=validation, grid=grid)]
    seconds = time.perf_counter() - begin + model.earlier_.wall
    if model.stopped_ == "interrupted":
        raise KeyboardInterrupt
    test = found[split.test]
    pools = [level.as_dict() | {"verdict": level.verdict} for level in model.diagnose(test)]
    return SplitResult(
        number, model.score(test), model.validation_score_, model.n_epochs_, model.best_epoch_, model.stopped_, seconds,
        pools, trials,
    )  # fmt: skip


@dataclass(frozen=True)
class Study:
    """The results of all splits.

    Attributes:
        results: One result per split.
        model: The model of the split with the best validation accuracy, the first of equal ones.
        split: Number of that split.
    """

    results: list[SplitResult]
    model: GraphClassifier
    split: int

    @property
    def accuracy(self) -> float:
        """Mean test accuracy."""
        return float(np.mean([result.accuracy for result in self.results]))

    @property
    def spread(self) -> float | None:
        """Standard deviation of the test accuracy over the splits (n − 1); ``None`` for a single split."""
        values = [result.accuracy for result in self.results]
        return float(np.std(values, ddof=1)) if len(values) > 1 else None

    @property
    def summary(self) -> str:
        """Accuracy and spread in words."""
        if self.spread is None:
            return f"{100 * self.accuracy:.1f} % (one split)"
        count = len(self.results)
        return (
            f"{100 * self.accuracy:.1f} ± {100 * self.spread:.1f} % (mean and standard deviation over {count} splits)"
        )

    def pool_means(self) -> list[dict[str, float | None]]:
        """The diagnosis of every pool, means over the splits."""
        tables = zip(*(result.pools for result in self.results), strict=True)
        return [{name: _mean([row[name] for row in rows]) for name in rows[0] if name != "verdict"} for rows in tables]


def run_study(
    graphs: GraphSet,
    splits: Sequence[Split],
    parameters: Mapping[str, Any],
    folder: Path,
    after_split: Callable[[SplitResult], None] = lambda _: None,
    grid: Grid | None = None,
    n_jobs: int = 1,
) -> Study:
    """Evaluate every split; split number i is fitted with ``random_state`` + i.

    Args:
        graphs: The dataset.
        splits: Its splits.
        parameters: Parameters of `GraphClassifier`; ``random_state`` is a number.
        folder: Keeps unfinished work. The same study with the same folder continues there. Remove it afterwards.
        after_split: Called with every result, also with those of an earlier attempt.
        grid: Parameters to choose by the validation graphs of every split; see `fit_tuned`.
        n_jobs: Splits at a time, each in a process with one thread. The results do not depend on it.

    Raises:
        ValueError: The folder holds another study.
        KeyboardInterrupt: The study was interrupted. The folder holds the finished work.
    """
    store = _Store(folder, _key(graphs, splits, {**parameters, **({} if grid is None else {"grid": grid})}))
    results = store.read()
    for result in results:
        after_split(result)
    calls = [
        (
            store,
            {**parameters, "random_state": parameters["random_state"] + number},
            graphs,
            splits[number],
            number,
            grid,
        )
        for number in range(len(results), len(splits))
    ]
    with contextlib.closing(_evaluate(calls, min(n_jobs, len(calls)))) as found:
        for result in found:
            results.append(result)
            store.keep(result.split, is_best=_best(results) == result.split)
            store.write(results)
            after_split(result)
    return Study(results, GraphClassifier.load(store.model), _best(results))


def _evaluate(calls: Sequence[tuple[Any, ...]], n_jobs: int) -> Generator[SplitResult, None, None]:
    """The results of all splits in their order, with several processes if asked for."""
    if n_jobs < 2:
        yield from (_fit_and_save(*call) for call in calls)
        return
    workers = {"inner_max_num_threads": 1, "initializer": follow_parent, "initargs": (os.getpid(),)}
    with joblib.parallel_config("loky", **workers):
        run = joblib.Parallel(n_jobs, return_as="generator", batch_size=1, pre_dispatch=n_jobs)
        yield from run(joblib.delayed(_fit_and_save)(*call) for call in calls)


def _fit_and_save(
    store: _Store, parameters: dict[str, Any], graphs: GraphSet, split: Split, number: int, grid: Grid | None
) -> SplitResult:
    model = GraphClassifier(**parameters, checkpoint=store.checkpoint(number))
    result = evaluate_split(model, graphs, split, number, grid)
    model.save(store.model_of(number))
    return result


def _best(results: Sequence[SplitResult]) -> int:
    return max(range(len(results)), key=lambda i: (results[i].validation_accuracy, -i))


class _Store:
    """Finished splits and the best model so far."""

    def __init__(self, folder: Path, key: str) -> None:
        self.folder, self.key = folder, key
        self.model = folder / "model"

    def checkpoint(self, number: int) -> Path:
        return self.folder / f"split-{number}"

    def model_of(self, number: int) -> Path:
        return self.folder / f"model-{number}"

    def keep(self, number: int, *, is_best: bool) -> None:
        """Keep the model of a split if it is the best so far, and remove what is not needed any more."""
        if is_best:
            shutil.rmtree(self.model, ignore_errors=True)
            self.model_of(number).rename(self.model)
        shutil.rmtree(self.model_of(number), ignore_errors=True)
        shutil.rmtree(self.checkpoint(number), ignore_errors=True)

    def read(self) -> list[SplitResult]:
        try:
            content = json.loads((self.folder / "results.json").read_text(encoding="utf-8"))
        except FileNotFoundError:
            return []
        except ValueError as error:
            raise ValueError(f"{self.folder}: its results.json is damaged; delete the folder to start again") from error
        if content.get("key") != self.key:
            raise ValueError(
                f"{self.folder}: holds an unfinished run with other data or settings; "
                "delete it to start again, or use another output folder"
            )
        return [SplitResult(**row) for row in content["results"]]

    def write(self, results: Sequence[SplitResult]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        content = {"key": self.key, "results": [result.as_dict() for result in results]}
        write_text(self.folder / "results.json", json.dumps(content, indent=1))


def _key(graphs: GraphSet, splits: Sequence[Split], parameters: Mapping[str, Any]) -> str:
    said = {name: value for name, value in parameters.items() if name != "verbose"}
    parts = [part.tolist() for split in splits for part in split]
    return sha256(repr((sorted(said.items()), graphs.fingerprint(), parts)).encode()).hexdigest()


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None
