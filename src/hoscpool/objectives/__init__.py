"""The paper's equations as pure functions of an adjacency and an assignment, and sibling losses on the same inputs."""

from hoscpool.objectives.baselines import (
    collapse_loss,
    entropy_loss,
    just_balance_loss,
    link_prediction_loss,
    mincut_loss,
    mincut_orthogonality_loss,
    modularity_loss,
)
from hoscpool.objectives.cuts import association, volume
from hoscpool.objectives.equations import HoscLoss, hosc_loss, motif_cut_loss, orthogonality_loss
from hoscpool.objectives.exact import exact_motif_cut_loss, exactly_two
from hoscpool.objectives.operators.conversion import as_adjacency
from hoscpool.objectives.operators.storage import Adjacency
from hoscpool.objectives.operators.wedge import wedge_operator
from hoscpool.objectives.schedule import motif_weights

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
