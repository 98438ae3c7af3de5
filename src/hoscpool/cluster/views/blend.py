"""One view of features and structure: features smoothed over several hops, beside spectral coordinates.

Structure gets a share only where features explain much less of held-back edges than structure does.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hoscpool.cluster.views.feature_map import FeatureMap
from hoscpool.cluster.views.smoothing import level_rows
from hoscpool.support.errors import GraphWarning

Array = npt.NDArray[np.float32]
HOPS = (2, 4, 8, 16)
"""Numbers of hops that stand side by side."""
TRUSTED = 0.45
"""Features that explain at least this part of what structure explains are used alone."""
LARGEST_SHARE = 0.5
"""Share of structure where features explain next to nothing."""
DISAGREE = 0.2
"""The user is told where features explain less than this part of what structure explains."""
NODES = 200_000
"""On graphs with more nodes features are used alone, because spectral coordinates take long."""


@dataclass(frozen=True)
class Blend:
    """A view and what it is made of.

    Attributes:
        table: The view, ``[N, C]``.
        smooth: Its part that is made of features.
        feature_map: Computes that part on another graph.
        share: Share of structure in the squared distances.
    """

    table: Array
    smooth: Array
    feature_map: FeatureMap
    share: float


def structure_share(features: float, structure: float, directions: int, n_clusters: int) -> float:
    """The share of structure in the view.

    It grows as features explain less of the held-back edges than structure, and where features have too few directions
    to tell so many clusters apart.

    Args:
        features: Correlation of features on held-back edges.
        structure: Correlation of spectral coordinates on them.
        directions: Number of directions of the features in the metric.
        n_clusters: K.

    Examples:
        >>> structure_share(0.4, 0.6, 50, 7), structure_share(0.0, 0.6, 50, 7)
        (0.0, 0.5)
        >>> round(structure_share(0.135, 0.6, 50, 7), 3), round(structure_share(0.6, 0.6, 3, 7), 3)
        (0.25, 0.25)
    """
    if structure <= 0:
        return 0.0
    ratio = max(features, 0.0) / structure
    missing = max(0.0, 1 - directions / max(n_clusters - 1, 1)) / max(ratio, 1.0)
    return LARGEST_SHARE * max(0.0, 1 - ratio / TRUSTED, missing)


def blend(smooth: Array, feature_map: FeatureMap, coordinates: Array | None, share: float) -> Blend:
    """Put both parts side by side, weighted by their shares. Rows of each part have length 1 before."""
    if coordinates is None or not share:
        return Blend(smooth, smooth, feature_map, 0.0)
    rows = coordinates.astype(np.float32)
    level_rows(rows, 0.0)
    own = np.float32(np.sqrt((1 - share) / len(feature_map.hops)))
    return Blend(np.hstack([own * smooth, np.float32(np.sqrt(share)) * rows]), smooth, feature_map, share)


def warn_of_silence(correlation: float) -> None:
    """Say that features are left out."""
    warnings.warn(
        f"features do not follow the edges (their correlation across edges is {correlation:.2f}), so the clusters "
        "come from the edges alone; starts='smooth-2+4+8+16' uses the features all the same",
        GraphWarning,
        stacklevel=5,
    )


def warn_of_disagreement(features: float, structure: float) -> None:
    """Say so where features and structure tell different stories."""
    if features < DISAGREE * structure:
        warnings.warn(
            "features and edges disagree: features explain much less of the edges than the structure of the graph "
            "does, so both are used; starts='spectral' uses structure alone, starts='smooth-2+4+8+16' features alone",
            GraphWarning,
            stacklevel=5,
        )
