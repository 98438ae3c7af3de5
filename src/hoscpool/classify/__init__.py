"""Graph classification: `GraphClassifier`, its splits, and what its pools do.

Names are imported on first use: torch and scikit-learn take seconds.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hoscpool.classify.data.collating import collate as collate
    from hoscpool.classify.data.graph_set import GraphSet as GraphSet
    from hoscpool.classify.evaluation.diagnosis import PoolDiagnosis as PoolDiagnosis
    from hoscpool.classify.evaluation.diagnosis import PoolingLevel as PoolingLevel
    from hoscpool.classify.evaluation.splits import Split as Split
    from hoscpool.classify.evaluation.splits import stratified_splits as stratified_splits
    from hoscpool.classify.evaluation.study import SplitResult as SplitResult
    from hoscpool.classify.evaluation.study import evaluate_split as evaluate_split
    from hoscpool.classify.evaluation.tuning import GRID as GRID
    from hoscpool.classify.evaluation.tuning import fit_tuned as fit_tuned
    from hoscpool.classify.evaluation.tuning import grid_of as grid_of
    from hoscpool.classify.graph_classifier import GraphClassifier as GraphClassifier

_EXPORTS = {
    "GRID": "evaluation.tuning",
    "GraphClassifier": "graph_classifier",
    "GraphSet": "data.graph_set",
    "PoolDiagnosis": "evaluation.diagnosis",
    "PoolingLevel": "evaluation.diagnosis",
    "Split": "evaluation.splits",
    "SplitResult": "evaluation.study",
    "collate": "data.collating",
    "evaluate_split": "evaluation.study",
    "fit_tuned": "evaluation.tuning",
    "grid_of": "evaluation.tuning",
    "stratified_splits": "evaluation.splits",
}

__all__ = [
    "GRID",
    "GraphClassifier",
    "GraphSet",
    "PoolDiagnosis",
    "PoolingLevel",
    "Split",
    "SplitResult",
    "collate",
    "evaluate_split",
    "fit_tuned",
    "grid_of",
    "stratified_splits",
]


def __getattr__(name: str) -> Any:
    if name in _EXPORTS:
        return getattr(importlib.import_module(f"hoscpool.classify.{_EXPORTS[name]}"), name)
    raise AttributeError(f"module 'hoscpool.classify' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
