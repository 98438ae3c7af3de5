"""A fitted model on disk: ``model.safetensors`` and ``model.json``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from hoscpool.cluster.assignment_net import AssignmentNet
from hoscpool.cluster.choosing.choose_k import KSelection
from hoscpool.cluster.choosing.hierarchy import Coarse
from hoscpool.cluster.views.feature_map import FeatureMap
from hoscpool.cluster.views.starts import parse_start
from hoscpool.support.seeding import seeded
from hoscpool.training.checkpoint import Checkpoint
from hoscpool.training.persistence import read, write

if TYPE_CHECKING:
    from hoscpool.cluster.hosc_clustering import HoscClustering

NAME = "model"
PLAIN = ("objective_", "history_", "n_iter_", "runs_", "kept_run_", "n_equal_runs_", "start_", "n_clusters_", "motifs_",
         "feature_weight_", "fingerprint_")  # fmt: skip
OPTIONAL = ("n_features_in_", "interrupted_")


def save_model(model: HoscClustering, folder: Path) -> None:
    """Write a fitted model; see `HoscClustering.save`.

    Raises:
        ValueError: A parameter cannot be written down, such as a schedule that is a function.
    """
    names = getattr(model, "feature_names_in_", None)
    content = {
        "kind": type(model).__name__,
        "parameters": {name: _plain(name, value) for name, value in model.get_params(deep=False).items()},
        "attributes": {name: getattr(model, name) for name in (*PLAIN, *OPTIONAL) if hasattr(model, name)},
        "network": _shape(model.network_),
        "feature_names": None if names is None else [str(name) for name in names],
        "selection": asdict(model.selection_) if hasattr(model, "selection_") else None,
    }
    write(folder / NAME, _tensors(model), content)


def load_model(cls: type[HoscClustering], folder: Path) -> HoscClustering:
    """Read a fitted model; see `HoscClustering.load`."""
    tensors, content = read(folder / NAME)
    if content["kind"] != cls.__name__:
        raise ValueError(f"{folder}: expected a {cls.__name__}, got a {content['kind']}")
    parameters: dict[str, Any] = content["parameters"]
    given: Any = {name: tuple(value) if isinstance(value, list) else value for name, value in parameters.items()}
    model = cls(**given)
    for name, value in {"interrupted_": False, **content["attributes"]}.items():
        setattr(model, name, value)
    if content["feature_names"] is not None:
        model.feature_names_in_ = np.array(content["feature_names"], dtype=object)
    if content["selection"] is not None:
        curves: Any = {name: tuple(v) if isinstance(v, list) else v for name, v in content["selection"].items()}
        model.selection_ = KSelection(**curves)
    _restore(model, tensors, content["network"])
    return model


def _plain(name: str, value: Any) -> Any:
    if name == "random_state" and not isinstance(value, int | np.integer | None):
        return None  # a generator has no place in a file; the model itself does not need it any more
    if isinstance(value, Path):
        return str(value)
    if callable(value):
        raise ValueError(f"{name}: a function cannot be saved; set it to a name before saving")
    return value


def _shape(network: AssignmentNet) -> dict[str, Any]:
    return {
        "in_channels": network.in_channels,
        "hidden": network.hidden,
        "sizes": network.sizes,
        "message_passing": network.message_passing,
    }


def _tensors(model: HoscClustering) -> dict[str, Tensor]:
    tensors = {f"network.{name}": value.detach() for name, value in model.network_.state_dict().items()}
    arrays = {f"level.{number}": level for number, level in enumerate(model.level_assignments_)}
    arrays |= {f"coarse.{name}": matrix for name, matrix in model.coarse_.matrices.items()}
    arrays |= {"labels": model.labels_, "sizes": model.coarse_.sizes}
    if model.coarse_.features is not None:
        arrays["features"] = model.coarse_.features
    if model.feature_map_ is not None:
        arrays |= {f"map.{name}": array for name, array in model.feature_map_.arrays.items()}
    return tensors | {name: torch.from_numpy(np.array(array)) for name, array in arrays.items()}


def _restore(model: HoscClustering, tensors: dict[str, Tensor], shape: dict[str, Any]) -> None:
    with seeded(0):  # the parameters are read next; drawing them leaves torch's generator alone
        model.network_ = AssignmentNet(**shape)
    model.network_.load_state_dict(_part(tensors, "network."))
    arrays = {name: tensor.numpy() for name, tensor in tensors.items()}
    levels = _part(arrays, "level.")
    model.level_assignments_ = [levels[str(number)] for number in range(len(levels))]
    model.assignment_, model.labels_ = model.level_assignments_[-1], arrays["labels"]
    model.coarse_ = Coarse(_part(arrays, "coarse."), arrays["sizes"], arrays.get("features"))
    stored = _part(arrays, "map.")
    parts: dict[str, Any] = {name: stored.get(name) for name in ("idf", "scale", "components", "mean", "centers")}
    model.feature_map_ = FeatureMap(**parts, hops=parse_start(model.start_)[1]) if stored else None


def _part(items: dict[str, Any], prefix: str) -> dict[str, Any]:
    return {name.removeprefix(prefix): value for name, value in items.items() if name.startswith(prefix)}


@dataclass(frozen=True)
class Checkpoints:
    """Where the runs of a fit are kept; nowhere without a folder.

    Attributes:
        folder: Where to write, or ``None``.
        key: What the fit depends on besides the seeds: data and parameters.
        seeds: Its seeds, which the files hold too.
    """

    folder: Any
    key: str
    seeds: Sequence[int]

    def of_run(self, number: int) -> Checkpoint:
        """The checkpoint of one run."""
        seeds = list(self.seeds)
        return Checkpoint(self.folder, repr((self.key, seeds)), name=_name(number), note={"seeds": seeds})


def begun_seeds(folder: Any, random_state: Any, drawn: list[int]) -> list[int]:
    """The seeds with which the fit in a folder was begun, or those drawn where there is none.

    A whole number as ``random_state`` stands for its seeds: it must be the same one again. ``None`` and generators give
    others every time, so that the fit could not go on.
    """
    if folder is None or isinstance(random_state, int | np.integer):
        return drawn
    first = Path(folder) / _name(0)
    if not first.with_suffix(".json").exists():
        return drawn
    seeds: list[int] = read(first)[1].get("seeds", drawn)
    return seeds


def _name(number: int) -> str:
    return f"run-{number:03d}"
