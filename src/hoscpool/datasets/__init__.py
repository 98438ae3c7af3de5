"""Datasets: the paper's real graphs through PyG, its synthetic graphs, and planted graphs of any size.

Names are imported on first use, so that listing the catalogue needs neither torch nor numba.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hoscpool.support.lazy import lazy_door

if TYPE_CHECKING:
    from hoscpool.datasets.attributed_planted import attributed_communities as attributed_communities
    from hoscpool.datasets.cache import DATA_VARIABLE as DATA_VARIABLE
    from hoscpool.datasets.cache import cache_folder as cache_folder
    from hoscpool.datasets.cache import given_data_root as given_data_root
    from hoscpool.datasets.cache import missing_files as missing_files
    from hoscpool.datasets.cache import raw_folder as raw_folder
    from hoscpool.datasets.dataset_catalog import CATALOG as CATALOG
    from hoscpool.datasets.dataset_catalog import DatasetInfo as DatasetInfo
    from hoscpool.datasets.dataset_catalog import dataset_info as dataset_info
    from hoscpool.datasets.dataset_catalog import list_datasets as list_datasets
    from hoscpool.datasets.dataset_catalog import register_dataset as register_dataset
    from hoscpool.datasets.loading import load as load
    from hoscpool.datasets.loading import load_graphs as load_graphs
    from hoscpool.datasets.loading import read_tu_folder as read_tu_folder
    from hoscpool.datasets.motif_sets import motif_communities as motif_communities
    from hoscpool.datasets.planted import planted_communities as planted_communities
    from hoscpool.datasets.synthetic import syn1 as syn1
    from hoscpool.datasets.synthetic import syn2 as syn2
    from hoscpool.datasets.synthetic import syn3 as syn3

_EXPORTS = {
    "CATALOG": "dataset_catalog",
    "DATA_VARIABLE": "cache",
    "DatasetInfo": "dataset_catalog",
    "attributed_communities": "attributed_planted",
    "cache_folder": "cache",
    "dataset_info": "dataset_catalog",
    "given_data_root": "cache",
    "list_datasets": "dataset_catalog",
    "load": "loading",
    "load_graphs": "loading",
    "missing_files": "cache",
    "motif_communities": "motif_sets",
    "planted_communities": "planted",
    "raw_folder": "cache",
    "read_tu_folder": "loading",
    "register_dataset": "dataset_catalog",
    "syn1": "synthetic",
    "syn2": "synthetic",
    "syn3": "synthetic",
}

__all__ = [
    "DatasetInfo",
    "attributed_communities",
    "dataset_info",
    "list_datasets",
    "load",
    "load_graphs",
    "motif_communities",
    "planted_communities",
    "register_dataset",
    "syn1",
    "syn2",
    "syn3",
]


__getattr__ = lazy_door(__name__, _EXPORTS)


def __dir__() -> list[str]:
    return sorted(__all__)
