"""The graphs of the clustering experiments, as the methods see them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from hoscpool.datasets import dataset_info, load
from hoscpool.graph import Graph

LARGEST_COMPONENT = "-lcc"
"""Ending of a dataset name that stands for the largest component of the dataset before it."""


def load_clustering_graph(name: str, data_root: str | Path | None = None) -> Graph:
    """A graph without directions, or its largest component when the name ends in ``-lcc``."""
    graph = load(base_name(name), data_root).undirected()
    return graph.largest_component() if name.endswith(LARGEST_COMPONENT) else graph


def base_name(name: str) -> str:
    """The name in the catalogue of datasets.

    Examples:
        >>> base_name("polblogs-lcc"), base_name("cora")
        ('polblogs', 'cora')
    """
    return name.removesuffix(LARGEST_COMPONENT)


def num_classes(name: str) -> int:
    """Number of classes of a dataset, without loading it."""
    return dataset_info(base_name(name)).classes


def count_classes(graph: Graph) -> int:
    """Number of classes that occur in a graph."""
    return len(np.unique(np.asarray(graph.labels)))
