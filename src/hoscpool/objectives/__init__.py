"""The paper's equations as pure functions of an adjacency and an assignment, and sibling losses on the same inputs."""

from hoscpool.objectives.adjacency import Adjacency
from hoscpool.objectives.combined import HoscLoss, hosc_loss
from hoscpool.objectives.convert import as_adjacency
from hoscpool.objectives.cuts import association, volume
from hoscpool.objectives.diffpool import entropy_loss, link_prediction_loss
from hoscpool.objectives.dmon import collapse_loss, modularity_loss
from hoscpool.objectives.exact import exact_motif_cut_loss, exactly_two
from hoscpool.objectives.just_balance import just_balance_loss
from hoscpool.objectives.mincut import mincut_loss, mincut_orthogonality_loss
from hoscpool.objectives.motif_cut import motif_cut_loss
from hoscpool.objectives.orthogonality import orthogonality_loss
from hoscpool.objectives.schedule import motif_weights
from hoscpool.objectives.wedge import wedge_operator

__all__ = [
    "Adjacency",
    "HoscLoss",
    "as_adjacency",
    "association",
    "collapse_loss",
    "entropy_loss",
    "exact_motif_cut_loss",
    "exactly_two",
    "hosc_loss",
    "just_balance_loss",
    "link_prediction_loss",
    "mincut_loss",
    "mincut_orthogonality_loss",
    "modularity_loss",
    "motif_cut_loss",
    "motif_weights",
    "orthogonality_loss",
    "volume",
    "wedge_operator",
]
