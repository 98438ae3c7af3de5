"""A fitted model on disk: ``model.safetensors`` and ``model.json``."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from hoscpool.cluster.choose_k import KSelection
from hoscpool.cluster.features import FeatureMap
from hoscpool.cluster.hierarchy import Coarse
from hoscpool.cluster.network import AssignmentNet
from hoscpool.cluster.starts import parse_start
from hoscpool.nn.files import read, write
from hoscpool.nn.seeding import seeded

if TYPE_CHECKING:
    from hoscpool.cluster.estimator import HoscClustering

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
