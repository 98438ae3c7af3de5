"""Graph classification: `GraphClassifier`, splits, and the diagnosis of pools.

Names are imported on first use: torch and scikit-learn take seconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hoscpool.support.lazy import lazy_door

if TYPE_CHECKING:
    from hoscpool.classify.architecture import resolve_settings as resolve_settings
    from hoscpool.classify.data.collating import collate as collate
    from hoscpool.classify.data.graph_set import GraphSet as GraphSet
    from hoscpool.classify.data.labelled_parts import Part as Part
    from hoscpool.classify.epochs import Run as Run
    from hoscpool.classify.evaluation.diagnosis import PoolDiagnosis as PoolDiagnosis
    from hoscpool.classify.evaluation.diagnosis import PoolingLevel as PoolingLevel
    from hoscpool.classify.evaluation.splits import Split as Split
    from hoscpool.classify.evaluation.splits import stratified_splits as stratified_splits
    from hoscpool.classify.evaluation.study import SplitResult as SplitResult
    from hoscpool.classify.evaluation.study import Study as Study
    from hoscpool.classify.evaluation.study import evaluate_split as evaluate_split
    from hoscpool.classify.evaluation.study import run_study as run_study
    from hoscpool.classify.evaluation.tuning import GRID as GRID
    from hoscpool.classify.evaluation.tuning import fit_tuned as fit_tuned
    from hoscpool.classify.evaluation.tuning import grid_of as grid_of
    from hoscpool.classify.graph_classifier import GraphClassifier as GraphClassifier
    from hoscpool.classify.networks import Prediction as Prediction
    from hoscpool.classify.networks import make_network as make_network

_EXPORTS = {
    "GRID": "evaluation.tuning",
    "GraphClassifier": "graph_classifier",
    "GraphSet": "data.graph_set",
    "Part": "data.labelled_parts",
    "Prediction": "networks",
    "PoolDiagnosis": "evaluation.diagnosis",
    "PoolingLevel": "evaluation.diagnosis",
    "Run": "epochs",
    "Split": "evaluation.splits",
    "SplitResult": "evaluation.study",
    "Study": "evaluation.study",
    "collate": "data.collating",
    "evaluate_split": "evaluation.study",
    "fit_tuned": "evaluation.tuning",
    "grid_of": "evaluation.tuning",
    "make_network": "networks",
    "resolve_settings": "architecture",
    "run_study": "evaluation.study",
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


__getattr__ = lazy_door(__name__, _EXPORTS)


def __dir__() -> list[str]:
    return sorted(__all__)
