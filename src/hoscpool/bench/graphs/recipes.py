"""The graphs of the benchmarks by name: generated ones, and real ones if their files are there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial

from hoscpool.bench.graphs.generators import co_purchase, powerlaw_cluster, rmat
from hoscpool.graph import Graph
from hoscpool.support.errors import DatasetNotFoundError


@dataclass(frozen=True)
class Recipe:
    """How to get a graph.

    Attributes:
        title: Its name in tables.
        build: Makes or reads the graph. Real data may be missing (`DatasetNotFoundError`).
        dense_core: Whether it has so many four-node subgraphs that counting them takes peers minutes.
    """

    title: str
    build: Callable[[], Graph]
    dense_core: bool = False


def real_graph(name: str) -> Graph:
    """A dataset, if its files are on this machine. A benchmark downloads nothing."""
    from hoscpool.datasets import DATA_VARIABLE, dataset_info, load, missing_files, raw_folder

    info = dataset_info(name)
    if missing_files(info, raw_folder(info)):
        raise DatasetNotFoundError(f"{info.title} is not on this machine; set {DATA_VARIABLE} to its folder")
    return load(name).undirected()


def _planted() -> Graph:
    from hoscpool.datasets import planted_communities

    return planted_communities(2_400_000, 62_000_000, 47)


GRAPHS = {
    "powerlaw-2k": Recipe("power-law cluster 2k", partial(powerlaw_cluster, 2_000)),
    "rmat10": Recipe("R-MAT 10", partial(rmat, 10)),
    "cs": Recipe("CS", partial(real_graph, "cs")),
    "photo": Recipe("Photo", partial(real_graph, "photo")),
    "pc": Recipe("PC", partial(real_graph, "pc")),
    "powerlaw-20k": Recipe("power-law cluster 20k", partial(powerlaw_cluster, 20_000)),
    "powerlaw-100k": Recipe("power-law cluster 100k", partial(powerlaw_cluster, 100_000)),
    "amazon": Recipe("Amazon-like", co_purchase),
    "rmat16": Recipe("R-MAT 16", partial(rmat, 16), dense_core=True),
    "rmat18": Recipe("R-MAT 18", partial(rmat, 18), dense_core=True),
    "planted": Recipe("planted communities", _planted, dense_core=True),
}
QUICK = ("powerlaw-2k", "rmat10")
LARGE = ("planted",)
DEFAULT = tuple(name for name in GRAPHS if name not in (*QUICK, *LARGE))


@lru_cache(maxsize=1)  # cases on one graph follow each other
def load_graph(name: str) -> Graph:
    """The bare structure of a graph: no features, labels or names.

    Raises:
        DatasetNotFoundError: The files of a real graph are not on this machine.
    """
    graph = GRAPHS[name].build()
    return Graph(graph.indptr, graph.indices, name=GRAPHS[name].title)
