"""Graphs with known classes for the benchmarks of clustering: planted, LFR and real ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.util import find_spec

import numpy as np

from hoscpool.bench.graphs.generators import graph_from_pairs
from hoscpool.bench.graphs.recipes import real_graph
from hoscpool.graph import Graph
from hoscpool.support.errors import DatasetNotFoundError


@dataclass(frozen=True)
class Task:
    """A graph with labels, and the number of clusters for methods that are told one."""

    graph: Graph
    n_clusters: int


@dataclass(frozen=True)
class LabelledRecipe:
    """How to get a graph with labels.

    Attributes:
        title: Its name in tables.
        build: Makes or reads the graph.
        group: ``"planted"``, ``"LFR"`` or ``"real"``.
    """

    title: str
    build: Callable[[], Graph]
    group: str


K = 47
"""Communities of the planted graphs."""


def planted(num_edges: int, mixing: float = 0.1, closure: float = 0.8, num_features: int = 0) -> Graph:
    """A graph of K planted communities with mean degree 50."""
    from hoscpool.datasets import planted_communities

    nodes = round(num_edges / 25)
    return planted_communities(nodes, num_edges, K, num_features, mixing=mixing, closure=closure, random_state=0)


def lfr(num_nodes: int, mixing: float) -> Graph:
    """The graph of Lancichinetti, Fortunato and Radicchi (2008), made by NetworKit.

    Degrees have mean 20, at most 200 and exponent 2; communities have 50 to 1,000 nodes and exponent 1.5.

    Raises:
        DatasetNotFoundError: NetworKit is not installed.
    """
    if find_spec("networkit") is None:
        raise DatasetNotFoundError("LFR graphs are made by NetworKit, which is not installed; pip install networkit")
    import networkit as nk

    nk.setNumberOfThreads(1)
    nk.setSeed(1, False)
    generator = nk.generators.LFRGenerator(num_nodes)
    generator.generatePowerlawDegreeSequence(20, 200, -2)
    generator.generatePowerlawCommunitySizeSequence(50, 1_000, -1.5)
    generator.setMu(mixing)
    found = generator.generate()
    u, v = np.array(list(found.iterEdges()), dtype=np.int64).T
    bare = graph_from_pairs(u, v, num_nodes)
    labels = np.unique(generator.getPartition().getVector(), return_inverse=True)[1]
    return Graph(bare.indptr, bare.indices, labels=labels)


def _planted(name: str, num_edges: int, mixing: float, closure: float = 0.8) -> LabelledRecipe:
    title = f"planted {name}, mixing {mixing:g}" + ("" if closure == 0.8 else f", closure {closure:g}")
    return LabelledRecipe(title, partial(planted, num_edges, mixing, closure), "planted")


def _real(name: str, title: str) -> LabelledRecipe:
    return LabelledRecipe(title, partial(real_graph, name), "real")


LABELLED = {
    **{f"planted-1m-{10 * m:.0f}": _planted("1 M", 1_000_000, m) for m in (0.1, 0.4, 0.6)},
    **{f"planted-1m-{10 * m:.0f}-open": _planted("1 M", 1_000_000, m, 0.3) for m in (0.1, 0.4, 0.6)},
    **{f"planted-10m-{10 * m:.0f}": _planted("10 M", 10_000_000, m) for m in (0.1, 0.4)},
    **{
        f"lfr-{10 * m:.0f}": LabelledRecipe(f"LFR 20k, mixing {m:g}", partial(lfr, 20_000, m), "LFR")
        for m in (0.1, 0.4, 0.6)
    },
    "email-eu": _real("email-eu", "Email-eu"),
    "polblogs-lcc": _real("polblogs-lcc", "Polblogs LCC"),
    "cora": _real("cora", "Cora"),
    "citeseer": _real("citeseer", "CiteSeer"),
    "pubmed": _real("pubmed", "PubMed"),
    "dblp": _real("dblp", "DBLP"),
    "photo": _real("photo", "Photo"),
    "pc": _real("pc", "PC"),
    "cs": _real("cs", "CS"),
    "planted-100k": _planted("100 k", 100_000, 0.1),
}
QUICK_LABELLED = ("planted-100k",)
DEFAULT_LABELLED = (
    *("planted-1m-1", "planted-1m-4", "planted-1m-6", "planted-10m-4", "polblogs-lcc", "email-eu", "photo", "pc"),
    *("lfr-4", "lfr-6", "planted-1m-4-open", "cs"),
)


@lru_cache(maxsize=1)  # cases on one graph follow each other
def load_task(name: str) -> Task:
    """The structure of a graph with its labels, without features, and as many clusters as there are classes.

    Raises:
        DatasetNotFoundError: The files of a real graph are not on this machine, or no library makes the graph.
    """
    graph = LABELLED[name].build()
    assert graph.labels is not None
    bare = Graph(graph.indptr, graph.indices, labels=graph.labels, name=LABELLED[name].title)
    return Task(bare, len(np.unique(graph.labels)))
