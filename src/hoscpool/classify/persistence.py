"""A fitted classifier on disk: ``model.safetensors`` and ``model.json``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hoscpool.classify.network import make_network
from hoscpool.classify.settings import resolve_settings
from hoscpool.nn.files import read, write

if TYPE_CHECKING:
    from hoscpool.classify.estimator import GraphClassifier

NAME = "model"
PLAIN = ("n_clusters_", "n_features_in_", "history_", "n_epochs_", "best_epoch_", "validation_score_", "stopped_")


def save_model(model: GraphClassifier, folder: Path) -> None:
    """Write a fitted model; see `GraphClassifier.save`."""
    parameters = model.get_params(deep=False)
    if parameters["checkpoint"] is not None:
        parameters["checkpoint"] = str(parameters["checkpoint"])
    content = {
        "kind": type(model).__name__,
        "parameters": parameters,
        "attributes": {name: getattr(model, name) for name in PLAIN},
        "classes": model.classes_.tolist(),
    }
    write(folder / NAME, {name: value.detach() for name, value in model.network_.state_dict().items()}, content)


def load_model(cls: type[GraphClassifier], folder: Path) -> GraphClassifier:
    """Read a fitted model; see `GraphClassifier.load`."""
    tensors, content = read(folder / NAME)
    if content["kind"] != cls.__name__:
        raise ValueError(f"{folder}: expected a {cls.__name__}, got a {content['kind']}")
    parameters: dict[str, Any] = content["parameters"]
    model = cls(**parameters)
    for name, value in content["attributes"].items():
        setattr(model, name, value)
    model.n_clusters_ = tuple(model.n_clusters_)
    model.classes_ = np.array(content["classes"], dtype=np.int64)
    settings = resolve_settings(parameters)
    width = settings.in_channels(model.n_features_in_)
    model.network_ = make_network(width, len(model.classes_), model.n_clusters_, settings, random_state=0)
    model.network_.load_state_dict(tensors)
    model.network_.eval()
    return model
