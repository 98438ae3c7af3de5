"""A fitted model on disk: ``model.safetensors`` and ``model.json``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import Module

from hoscpool.cluster.assignment_net import VIEW, AssignmentNet, CentroidHead, LabelHead
from hoscpool.cluster.certainty.evidence import restore_confidence, saved_confidence
from hoscpool.cluster.choosing.choose_k import KSelection
from hoscpool.cluster.choosing.hierarchy import Coarse
from hoscpool.cluster.presets import MULTILEVEL, NETWORK
from hoscpool.cluster.views.feature_map import FeatureMap
from hoscpool.cluster.views.starts import parse_start
from hoscpool.support.names import lookup
from hoscpool.support.seeding import seeded
from hoscpool.training import as_tuples, load_estimator, part, refusing, restore_network, save_estimator

if TYPE_CHECKING:
    from hoscpool.cluster.hosc_clustering import HoscClustering

ATTRIBUTES = ("objective_", "history_", "n_iter_", "runs_", "kept_run_", "n_equal_runs_", "start_", "n_clusters_",
              "motifs_", "feature_weight_", "fingerprint_", "n_features_in_", "interrupted_", "agreement_",
              "solver_", "solver_reason_")  # fmt: skip


def save_model(model: HoscClustering, folder: Path) -> None:
    """Write a fitted model; see `HoscClustering.save`.

    Raises:
        ValueError: A parameter cannot be saved, such as a schedule that is a function.
    """
    names = getattr(model, "feature_names_in_", None)
    save_estimator(
        model, folder, _tensors(model), ATTRIBUTES,
        network=_shape(model.network_),
        node_names=model.node_names_ if model.network_ is None else None,
        feature_names=None if names is None else [str(name) for name in names],
        selection=asdict(model.selection_) if hasattr(model, "selection_") else None,
    )  # fmt: skip


def load_model(cls: type[HoscClustering], folder: Path) -> HoscClustering:
    """Read a fitted model; see `HoscClustering.load`."""
    with refusing(folder):
        return _load(cls, folder)


def _load(cls: type[HoscClustering], folder: Path) -> HoscClustering:
    model, tensors, content = load_estimator(cls, folder)
    model.interrupted_ = content["attributes"].get("interrupted_", False)  # earlier versions did not write it
    model.agreement_ = content["attributes"].get("agreement_")  # nor this
    if not hasattr(model, "solver_"):  # nor this
        model.solver_ = MULTILEVEL if model.start_ == MULTILEVEL else NETWORK
        model.solver_reason_ = "it was asked for"
    model.node_names_ = content.get("node_names")
    if content["feature_names"] is not None:
        model.feature_names_in_ = np.array(content["feature_names"], dtype=object)
    if content["selection"] is not None:
        model.selection_ = KSelection(**as_tuples(content["selection"]))
    _restore(model, tensors, content["network"])
    return model


def _shape(network: Module | None) -> dict[str, Any] | None:
    """What builds the same network, without its parameters; none where there is no network."""
    if network is None:
        return None
    if isinstance(network, LabelHead | CentroidHead):
        kind = "labels" if isinstance(network, LabelHead) else "centroids"
        return {"kind": kind, "in_channels": network.in_channels, "n_clusters": network.n_clusters}
    assert isinstance(network, AssignmentNet)
    return {
        "in_channels": network.in_channels,
        "hidden": network.hidden,
        "sizes": network.sizes,
        "message_passing": network.message_passing,
    }


def _tensors(model: HoscClustering) -> dict[str, Tensor]:
    learned = {} if model.network_ is None else model.network_.state_dict()
    tensors = {f"network.{name}": value.detach() for name, value in learned.items()}
    arrays = {f"level.{number}": level for number, level in enumerate(model.level_assignments_)}
    arrays |= {f"community.{number}": level for number, level in enumerate(model.communities_)}
    arrays |= {f"coarse.{name}": matrix for name, matrix in model.coarse_.matrices.items()}
    arrays |= {"labels": model.labels_, "sizes": model.coarse_.sizes}
    if model.merged_ is not None:
        arrays["merged"] = model.merged_
    arrays |= saved_confidence(model)
    if model.coarse_.features is not None:
        arrays["features"] = model.coarse_.features
    if model.feature_map_ is not None:
        arrays |= {f"map.{name}": array for name, array in model.feature_map_.arrays.items()}
    return tensors | {name: torch.from_numpy(np.array(array)) for name, array in arrays.items()}


def _check_labels(labels: npt.NDArray[Any], assignment: npt.NDArray[Any]) -> None:
    if labels.ndim != 1 or labels.dtype.kind != "i" or assignment.ndim != 2 or len(assignment) != len(labels):
        raise ValueError("the labels do not fit the memberships")
    if labels.size and not 0 <= labels.min() <= labels.max() < assignment.shape[1]:
        raise ValueError("a label is not the number of a cluster")


def _check_merged(merged: npt.NDArray[Any] | None, count: int) -> npt.NDArray[Any] | None:
    if merged is not None and (
        merged.ndim != 1 or merged.dtype.kind != "i" or set(merged.tolist()) != set(range(count))
    ):
        raise ValueError("the merged clusters do not fit the memberships")
    return merged


def _restore(model: HoscClustering, tensors: dict[str, Tensor], shape: dict[str, Any] | None) -> None:
    is_multilevel = model.solver_ == MULTILEVEL
    model.network_ = None
    if shape is not None:
        with seeded(0):  # the parameters are read next; torch's global generator does not change
            model.network_ = restore_network(_kind(dict(shape), is_multilevel), part(tensors, "network."))
    arrays = {name: tensor.numpy() for name, tensor in tensors.items()}
    levels = part(arrays, "level.")
    model.level_assignments_ = [levels[str(number)] for number in range(len(levels))]
    finer = part(arrays, "community.")  # earlier versions did not write them
    model.communities_ = [finer[str(number)] for number in range(len(finer))]
    model.assignment_, model.labels_ = model.level_assignments_[-1], arrays["labels"]
    _check_labels(model.labels_, model.assignment_)
    restore_confidence(model, arrays)
    model.coarse_ = Coarse(part(arrays, "coarse."), arrays["sizes"], arrays.get("features"))
    model.merged_ = _check_merged(arrays.get("merged"), model.assignment_.shape[1])
    stored = part(arrays, "map.")
    hops = parse_start(VIEW if is_multilevel else model.start_)[1]
    model.feature_map_ = FeatureMap.from_arrays(stored, hops) if stored else None


def _kind(shape: dict[str, Any], is_multilevel: bool) -> Callable[[], Module]:
    """What builds the network of a shape. Earlier versions did not write its kind.

    Raises:
        ValueError: There is no such kind.
    """
    kinds: dict[str, type[Module]] = {"labels": LabelHead, "centroids": CentroidHead, "network": AssignmentNet}
    kind = shape.pop("kind", "labels" if is_multilevel else "network")
    return partial(lookup(kind, kinds, "kind of network"), **shape)
