"""The paper's equations, and the losses of other pools, as pure functions of an adjacency and an assignment."""

from hoscpool.objectives.assignment import VOLUMES as VOLUMES
from hoscpool.objectives.assignment import Assignment as Assignment
from hoscpool.objectives.assignment import Volume as Volume
from hoscpool.objectives.assignment import association, volume
from hoscpool.objectives.assignment import association_of as association_of
from hoscpool.objectives.assignment import volume_of as volume_of
from hoscpool.objectives.baselines import balance_of as balance_of
from hoscpool.objectives.baselines import (
    collapse_loss,
    entropy_loss,
    just_balance_loss,
    link_prediction_loss,
    mincut_loss,
    mincut_orthogonality_loss,
    modularity_loss,
)
from hoscpool.objectives.baselines import collapse_of as collapse_of
from hoscpool.objectives.baselines import entropy_of as entropy_of
from hoscpool.objectives.baselines import link_prediction_of as link_prediction_of
from hoscpool.objectives.baselines import mincut_of as mincut_of
from hoscpool.objectives.baselines import mincut_orthogonality_of as mincut_orthogonality_of
from hoscpool.objectives.baselines import modularity_of as modularity_of
from hoscpool.objectives.baselines import row_entropy as row_entropy
from hoscpool.objectives.equations import SCHEDULES as SCHEDULES
from hoscpool.objectives.equations import HoscLoss, hosc_loss, motif_cut_loss, motif_weights, orthogonality_loss
from hoscpool.objectives.equations import Schedule as Schedule
from hoscpool.objectives.equations import check_weight as check_weight
from hoscpool.objectives.equations import check_weights as check_weights
from hoscpool.objectives.equations import cut_of as cut_of
from hoscpool.objectives.equations import orthogonality_of as orthogonality_of
from hoscpool.objectives.exact import exact_motif_cut_loss, exactly_two
from hoscpool.objectives.operators.conversion import as_adjacency
from hoscpool.objectives.operators.product import HALVES as HALVES
from hoscpool.objectives.operators.product import Csr as Csr
from hoscpool.objectives.operators.product import is_autocast as is_autocast
from hoscpool.objectives.operators.product import is_half as is_half
from hoscpool.objectives.operators.product import multiply as multiply
from hoscpool.objectives.operators.product import quiet_sparse as quiet_sparse
from hoscpool.objectives.operators.product import widen as widen
from hoscpool.objectives.operators.product import without_autocast as without_autocast
from hoscpool.objectives.operators.storage import Adjacency
from hoscpool.objectives.operators.storage import DenseAdjacency as DenseAdjacency
from hoscpool.objectives.operators.storage import MaskedAdjacency as MaskedAdjacency
from hoscpool.objectives.operators.storage import SparseAdjacency as SparseAdjacency
from hoscpool.objectives.operators.storage import multiply_flat as multiply_flat
from hoscpool.objectives.operators.wedge import wedge_operator

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
