"""The multilevel engine: labels that minimise the objective, found without a network."""

from hoscpool.cluster.engine.chance import calibrate_weights, rewired
from hoscpool.cluster.engine.k_search import USUAL, search_range, wide_range
from hoscpool.cluster.engine.kernels.tables import Clusters
from hoscpool.cluster.engine.multilevel import RISING, Engine, Partition, minimise_cut, nested_communities
from hoscpool.cluster.engine.single_run import HalfWay, RunOutcome

__all__ = [
    "RISING",
    "USUAL",
    "Clusters",
    "Engine",
    "HalfWay",
    "Partition",
    "RunOutcome",
    "calibrate_weights",
    "minimise_cut",
    "nested_communities",
    "rewired",
    "search_range",
    "wide_range",
]
