"""Clustering: `HoscClustering`, the spectral baseline, and the choice of K.

The module can be called: ``hp.cluster(data)`` finds the communities of anything that is a graph, in one line.

Names are imported on first use: torch and scikit-learn take seconds.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from hoscpool.support.lazy import lazy_door

if TYPE_CHECKING:
    from hoscpool.cluster.assignment_net import AssignmentNet as AssignmentNet
    from hoscpool.cluster.assignment_net import make_network as make_network
    from hoscpool.cluster.choosing.choose_k import KSelection as KSelection
    from hoscpool.cluster.choosing.choose_k import select_k as select_k
    from hoscpool.cluster.choosing.consensus import best_of as best_of
    from hoscpool.cluster.choosing.hierarchy import Coarse as Coarse
    from hoscpool.cluster.choosing.hierarchy import Level as Level
    from hoscpool.cluster.engine import Engine as Engine
    from hoscpool.cluster.fit import Result as Result
    from hoscpool.cluster.fit import Solution as Solution
    from hoscpool.cluster.hosc_clustering import HoscClustering as HoscClustering
    from hoscpool.cluster.inputs import as_operator as as_operator
    from hoscpool.cluster.inputs import motif_matrices as motif_matrices
    from hoscpool.cluster.objective import FEATURES as FEATURES
    from hoscpool.cluster.objective import Objective as Objective
    from hoscpool.cluster.objective import clustering_methods as clustering_methods
    from hoscpool.cluster.objective import cuts_motifs as cuts_motifs
    from hoscpool.cluster.objective import method_motifs as method_motifs
    from hoscpool.cluster.other_levels import clusterings_to_compare as clusterings_to_compare
    from hoscpool.cluster.other_levels import match_numbers as match_numbers
    from hoscpool.cluster.presets import PRESETS as PRESETS
    from hoscpool.cluster.presets import SOLVERS as SOLVERS
    from hoscpool.cluster.presets import Settings as Settings
    from hoscpool.cluster.presets import resolve_settings as resolve_settings
    from hoscpool.cluster.run import Run as Run
    from hoscpool.cluster.run import log_of as log_of
    from hoscpool.cluster.sparse_features import SparseTable as SparseTable
    from hoscpool.cluster.spectral_clustering import MotifSpectralClustering as MotifSpectralClustering
    from hoscpool.cluster.views.smoothing import smooth_rows as smooth_rows
    from hoscpool.cluster.views.starts import as_input as as_input

_EXPORTS = {
    "Coarse": "choosing.hierarchy",
    "Result": "fit",
    "Solution": "fit",
    "best_of": "choosing.consensus",
    "AssignmentNet": "assignment_net",
    "Engine": "engine",
    "FEATURES": "objective",
    "SparseTable": "sparse_features",
    "log_of": "run",
    "smooth_rows": "views.smoothing",
    "HoscClustering": "hosc_clustering",
    "KSelection": "choosing.choose_k",
    "Level": "choosing.hierarchy",
    "MotifSpectralClustering": "spectral_clustering",
    "Objective": "objective",
    "PRESETS": "presets",
    "Run": "run",
    "SOLVERS": "presets",
    "Settings": "presets",
    "as_input": "views.starts",
    "as_operator": "inputs",
    "clustering_methods": "objective",
    "cuts_motifs": "objective",
    "make_network": "assignment_net",
    "match_numbers": "other_levels",
    "method_motifs": "objective",
    "motif_matrices": "inputs",
    "clusterings_to_compare": "other_levels",
    "resolve_settings": "presets",
    "select_k": "choosing.choose_k",
}

__all__ = ["HoscClustering", "KSelection", "Level", "MotifSpectralClustering", "select_k"]


__getattr__ = lazy_door(__name__, _EXPORTS)


def __dir__() -> list[str]:
    return sorted(__all__)


class _Room(ModuleType):
    """A module that can be called."""

    def __call__(self, data: Any, k: int | str = "auto", **options: Any) -> Any:
        """Find the communities of a graph; see `hoscpool.report.find_communities`."""
        from hoscpool.report import find_communities  # a shortcut into the room above

        return find_communities(data, k, **options)


sys.modules[__name__].__class__ = _Room
