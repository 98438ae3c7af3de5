"""Libraries that find communities, each as a ``prepare`` (not timed) and a ``run`` that returns its labels."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.bench.graphs.labelled_graphs import Task
from hoscpool.bench.peers.common import edge_ends
from hoscpool.graph import Graph
from hoscpool.support.errors import MissingDependencyError

Labels = npt.NDArray[np.int64]


class Prepared(NamedTuple):
    """A graph in the structure of a library, and the number of clusters for those that take one."""

    graph: Any
    n_clusters: int


def detect_communities(name: str, graph: Graph, seed: int) -> Labels:
    """Communities by modularity: ``"louvain"`` of scikit-network, or ``"leiden"`` of igraph.

    Raises:
        MissingDependencyError: The library is not installed.
    """
    module, package, prepare, run = {
        "louvain": ("sknetwork", "scikit-network", prepare_matrix, scikit_network_louvain),
        "leiden": ("igraph", "igraph", prepare_igraph, igraph_leiden),
    }[name]
    if find_spec(module) is None:
        raise MissingDependencyError(package, "bench", f"the method {name!r}")
    return run(prepare(Task(graph, 1)), seed=seed)


def prepare_igraph(task: Task) -> Prepared:
    """An igraph graph."""
    import igraph

    return Prepared(igraph.Graph(task.graph.num_nodes, np.stack(edge_ends(task.graph), axis=1)), task.n_clusters)


def igraph_leiden(given: Prepared, seed: int = 0) -> Labels:
    """Leiden on modularity with igraph's defaults: two iterations."""
    import random

    import igraph

    igraph.set_random_number_generator(random.Random(seed))
    found = given.graph.community_leiden(objective_function="modularity")
    return np.asarray(found.membership, dtype=np.int64)


def prepare_networkit(task: Task, threads: int = 1) -> Prepared:
    """A NetworKit graph."""
    import networkit as nk

    nk.setNumberOfThreads(threads)
    nk.setSeed(0, False)
    u, v = edge_ends(task.graph)
    ends = (u.astype(np.uint64), v.astype(np.uint64))
    return Prepared(nk.graph.GraphFromCoo(ends, n=task.graph.num_nodes), task.n_clusters)


def networkit_plm(given: Prepared) -> Labels:
    """PLM, a parallel Louvain, with its refinement."""
    from networkit.community import PLM

    return _networkit(PLM(given.graph, refine=True))


def networkit_leiden(given: Prepared) -> Labels:
    """ParallelLeiden with its defaults: three iterations."""
    from networkit.community import ParallelLeiden

    return _networkit(ParallelLeiden(given.graph))


def _networkit(method: Any) -> Labels:
    method.run()
    return np.asarray(method.getPartition().getVector(), dtype=np.int64)


def prepare_matrix(task: Task) -> Prepared:
    """The adjacency as a SciPy CSR matrix with ones."""
    graph = task.graph
    ones = np.ones(len(graph.indices), dtype=np.float32)
    shape = (graph.num_nodes, graph.num_nodes)
    return Prepared(sp.csr_matrix((ones, graph.indices, graph.indptr.astype(np.int32)), shape), task.n_clusters)


def scikit_network_louvain(given: Prepared, seed: int = 0) -> Labels:
    """Louvain with scikit-network's defaults."""
    from sknetwork.clustering import Louvain

    return np.asarray(Louvain(random_state=seed).fit_predict(given.graph), dtype=np.int64)


def metis(given: Prepared) -> Labels:
    """METIS by pymetis: K parts of nearly equal size, with the library's defaults."""
    import pymetis

    graph = given.graph
    adjacency = pymetis.CSRAdjacency(graph.indptr, graph.indices)
    return np.asarray(pymetis.part_graph(given.n_clusters, adjacency=adjacency)[1], dtype=np.int64)


def scikit_learn_spectral(given: Prepared) -> Labels:
    """Spectral clustering with scikit-learn's defaults: ARPACK, then k-means."""
    from sklearn.cluster import SpectralClustering

    model = SpectralClustering(given.n_clusters, affinity="precomputed", random_state=0)
    return np.asarray(model.fit_predict(given.graph.astype(np.float64)), dtype=np.int64)
