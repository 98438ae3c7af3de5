"""Clustering: `HoscClustering`, the spectral baseline, and the choice of K.

Names are imported on first use: torch and scikit-learn take seconds.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hoscpool.cluster.choosing.choose_k import KSelection as KSelection
    from hoscpool.cluster.choosing.choose_k import select_k as select_k
    from hoscpool.cluster.choosing.hierarchy import Level as Level
    from hoscpool.cluster.hosc_clustering import HoscClustering as HoscClustering
    from hoscpool.cluster.spectral_clustering import MotifSpectralClustering as MotifSpectralClustering

_EXPORTS = {
    "HoscClustering": "hosc_clustering",
    "KSelection": "choosing.choose_k",
    "Level": "choosing.hierarchy",
    "MotifSpectralClustering": "spectral_clustering",
    "select_k": "choosing.choose_k",
}

__all__ = ["HoscClustering", "KSelection", "Level", "MotifSpectralClustering", "select_k"]


def __getattr__(name: str) -> Any:
    if name in _EXPORTS:
        return getattr(importlib.import_module(f"hoscpool.cluster.{_EXPORTS[name]}"), name)
    raise AttributeError(f"module 'hoscpool.cluster' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
