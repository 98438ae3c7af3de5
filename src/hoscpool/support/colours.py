"""The colours of communities and classes, the same in every picture."""

from __future__ import annotations

from typing import Any

import numpy as np

PALETTE = (
    *("#3b6fb6", "#d9772b", "#3a9a62", "#b5485d", "#7a5ba8", "#8a6d3b", "#c45f9f", "#5f6b78"),
    *("#d9b310", "#22a6b3", "#8fbc5a", "#e58b88", "#4b4fa6", "#b08ac9", "#2f6f6a", "#a33e1f"),
)


def class_colours(labels: np.ndarray[Any, Any]) -> list[str]:
    """One colour per class, repeated if there are more classes than colours."""
    return [PALETTE[int(label) % len(PALETTE)] for label in labels]
