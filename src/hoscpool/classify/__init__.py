"""Graph classification: `GraphClassifier`, its splits, and what its pools do.

Names are imported on first use: torch and scikit-learn take seconds.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hoscpool.classify.collating import collate as collate
    from hoscpool.classify.diagnosis import PoolDiagnosis as PoolDiagnosis
    from hoscpool.classify.estimator import GraphClassifier as GraphClassifier
    from hoscpool.classify.evaluation import SplitResult as SplitResult
    from hoscpool.classify.evaluation import evaluate_split as evaluate_split
    from hoscpool.classify.graph_set import GraphSet as GraphSet
    from hoscpool.classify.levels import PoolingLevel as PoolingLevel
    from hoscpool.classify.splits import Split as Split
    from hoscpool.classify.splits import stratified_splits as stratified_splits
    from hoscpool.classify.tuning import GRID as GRID
    from hoscpool.classify.tuning import fit_tuned as fit_tuned
    from hoscpool.classify.tuning import grid_of as grid_of

_EXPORTS = {
    "GRID": "tuning",
    "GraphClassifier": "estimator",
    "GraphSet": "graph_set",
    "PoolDiagnosis": "diagnosis",
    "PoolingLevel": "levels",
    "Split": "splits",
    "SplitResult": "evaluation",
    "collate": "collating",
    "evaluate_split": "evaluation",
    "fit_tuned": "tuning",
    "grid_of": "tuning",
    "stratified_splits": "splits",
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
