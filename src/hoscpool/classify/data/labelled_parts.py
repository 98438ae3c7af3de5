"""Training and validation graphs with their classes, checked against each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.classify.data.collating import collate
from hoscpool.classify.data.graph_set import GraphSet
from hoscpool.classify.evaluation.splits import hold_out

Labels = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Part:
    """Graphs with their classes, numbered from 0."""

    graphs: GraphSet
    classes: Labels


def make_parts(graphs: Any, y: Any, validation: Any, random_state: int) -> tuple[Part, Part, Labels]:
    """Both parts with their classes numbered, and the classes.

    Args:
        graphs: Training graphs.
        y: Their classes, instead of those in the graphs.
        validation: Validation graphs, or ``None`` to hold out a tenth of the training graphs.
        random_state: Seed of the held-out graphs.

    Raises:
        ValueError: There is only one class, a class is missing, or the features do not fit.
    """
    train = collate(graphs)
    labels = labels_of(train, y, "graphs")
    if validation is None:
        kept, held = hold_out(labels, random_state)
        others, other_labels = train[held], labels[held]
        train, labels = train[kept], labels[kept]
    else:
        others = collate(validation, "validation")
        other_labels = labels_of(others, None, "validation")
    classes = np.unique(labels)
    if len(classes) < 2:
        raise ValueError(f"graphs: expected at least two classes, got only class {classes[0]}")
    unknown = np.setdiff1d(other_labels, classes)
    if len(unknown):
        names = ", ".join(map(str, unknown.tolist()))
        raise ValueError(f"validation: class {names} does not occur in the training graphs; split the graphs again")
    if others.num_features != train.num_features:
        raise ValueError(
            f"validation: expected {train.num_features} features per node as in the training graphs, "
            f"got {others.num_features}"
        )
    return Part(train, np.searchsorted(classes, labels)), Part(others, np.searchsorted(classes, other_labels)), classes


def check_edge_features(parts: Iterable[GraphSet], width: int | None = None) -> int:
    """The width of the features of edges, which all parts must have.

    Args:
        parts: Sets of graphs.
        width: The width that they must have; ``None``: that of the first set.

    Raises:
        ValueError: A set has none, or of another width.
    """
    for graphs in parts:
        if not graphs.num_edge_features:
            raise ValueError(f"edge_features: {graphs.union.edges.problem or 'the graphs have no features of edges'}")
        width = graphs.num_edge_features if width is None else width
        if graphs.num_edge_features != width:
            got = graphs.num_edge_features
            raise ValueError(f"edge_features: expected {width} features per edge as in the fit, got {got}")
    return width or 0


def labels_of(graphs: GraphSet, y: Any, name: str) -> Labels:
    """The classes ``y``, or those in the graphs if ``y`` is ``None``.

    Raises:
        ValueError: There are none, or not one whole number per graph.
    """
    if y is None:
        if graphs.labels is None:
            raise ValueError(f"{name}: expected a class y in every graph, got none; set data.y, or pass y")
        return graphs.labels
    labels = np.asarray(y)
    if labels.shape != (len(graphs),) or not np.issubdtype(labels.dtype, np.integer):
        got = f"{labels.dtype} of shape {list(labels.shape)}"
        raise ValueError(f"y: expected {len(graphs)} whole numbers, one class for every graph, got {got}")
    return labels.astype(np.int64)
