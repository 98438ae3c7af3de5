"""The multilevel engine: labels that minimise the objective, found without a network."""

from hoscpool.cluster.engine.chance import calibrate_weights
from hoscpool.cluster.engine.crumbs import minimise_without_crumbs
from hoscpool.cluster.engine.multilevel import Partition, RunOutcome, minimise_cut

__all__ = ["Partition", "RunOutcome", "calibrate_weights", "minimise_cut", "minimise_without_crumbs"]
