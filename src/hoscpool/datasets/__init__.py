"""Datasets: the paper's real graphs through PyG, its synthetic ones by recipe, and planted graphs of any size.

Names are imported on first use: listing the catalogue needs neither torch nor numba.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hoscpool.datasets.dataset_catalog import DatasetInfo as DatasetInfo
    from hoscpool.datasets.dataset_catalog import dataset_info as dataset_info
    from hoscpool.datasets.dataset_catalog import list_datasets as list_datasets
    from hoscpool.datasets.dataset_catalog import register_dataset as register_dataset
    from hoscpool.datasets.loading import load as load
    from hoscpool.datasets.loading import load_graphs as load_graphs
    from hoscpool.datasets.planted import planted_communities as planted_communities
    from hoscpool.datasets.synthetic import syn1 as syn1
    from hoscpool.datasets.synthetic import syn2 as syn2
    from hoscpool.datasets.synthetic import syn3 as syn3

_EXPORTS = {
    "DatasetInfo": "dataset_catalog",
    "dataset_info": "dataset_catalog",
    "list_datasets": "dataset_catalog",
    "register_dataset": "dataset_catalog",
    "load": "loading",
    "load_graphs": "loading",
    "planted_communities": "planted",
    "syn1": "synthetic",
    "syn2": "synthetic",
    "syn3": "synthetic",
}

__all__ = [
    "DatasetInfo",
    "dataset_info",
    "list_datasets",
    "load",
    "load_graphs",
    "planted_communities",
    "register_dataset",
    "syn1",
    "syn2",
    "syn3",
]


def __getattr__(name: str) -> Any:
    if name in _EXPORTS:
        return getattr(importlib.import_module(f"hoscpool.datasets.{_EXPORTS[name]}"), name)
    raise AttributeError(f"module 'hoscpool.datasets' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
