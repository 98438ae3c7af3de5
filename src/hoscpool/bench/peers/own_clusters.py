"""HoscPool's own side of the clustering benchmarks: the whole fit, with motif counting and all set-up."""

from __future__ import annotations

import warnings
from typing import Any

from hoscpool.bench.graphs.labelled_graphs import Task
from hoscpool.bench.peers.communities import Labels
from hoscpool.graph import Graph


def fit(task: Task, threads: int = 1, **parameters: Any) -> Labels:
    """The clusters of an estimator with these parameters. The graph remembers nothing of earlier calls."""
    from hoscpool.cluster import HoscClustering

    graph = Graph(task.graph.indptr, task.graph.indices, features=task.graph.features)
    model = HoscClustering(task.n_clusters, random_state=0, n_jobs=threads, **parameters)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about pieces of the graph
        labels: Labels = model.fit(graph).labels_
    return labels
