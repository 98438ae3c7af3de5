"""How the weights of the motifs change during training."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

Schedule = Literal["constant", "adaptive"] | Callable[[float], "float | Mapping[str, float]"]
SCHEDULES: dict[str, Callable[[float], float] | None] = {"constant": None, "adaptive": lambda progress: 1.0 - progress}
"""Share of the higher-order motifs as a function of progress. ``None`` does not change the weights."""

LARGEST_WEIGHT = 1e6
"""Terms are between −1 and 1. Next to a term with a larger weight, one of weight 1 is lost in float32 rounding."""


def motif_weights(
    motifs: Mapping[str, float], schedule: Schedule = "constant", progress: float | None = None
) -> dict[str, float]:
    """The weights α_j of the motifs at one point of training.

    Args:
        motifs: The weights as given, such as ``{"edge": 0.5, "triangle": 0.5}``.
        schedule: ``"constant"`` does not change the weights. With ``"adaptive"`` the share of the higher-order motifs
            falls linearly from 1 to 0, and the share of the edge rises. A function of progress returns this share, or
            all weights by name. The sum of the weights and the proportions among the higher-order motifs stay those
            of ``motifs``. The weights are constant if there is only the edge, or no edge.
        progress: How much of training is done, in [0, 1]. Needed unless the schedule is ``"constant"``.

    Returns:
        A weight for every motif.

    Raises:
        ValueError: A weight is negative or too large, the schedule is unknown, or progress is not in [0, 1].

    Examples:
        >>> motif_weights({"edge": 0.5, "triangle": 0.5}, "adaptive", progress=0.25)
        {'edge': 0.25, 'triangle': 0.75}
    """
    weights = check_weights(motifs)
    rule = _rule(schedule)
    if rule is None:
        return weights
    wanted = rule(_check_progress(progress))
    if not isinstance(wanted, Mapping):
        return _shift(weights, float(wanted))
    if set(wanted) != set(weights):
        raise ValueError(f"schedule: expected weights for {', '.join(weights)}, got {', '.join(wanted)}")
    return check_weights({name: wanted[name] for name in weights})


def check_weights(weights: Mapping[str, float]) -> dict[str, float]:
    """The weights as floats.

    Raises:
        ValueError: There is none, or one is negative or too large.
    """
    if not weights:
        raise ValueError("motifs: expected at least one motif with its weight, such as {'edge': 1.0}, got none")
    return {name: check_weight(f"motifs[{name!r}]", weight) for name, weight in weights.items()}


def check_weight(argument: str, weight: float) -> float:
    """The weight of a term as a float.

    Raises:
        ValueError: It is negative or too large.
    """
    if not 0 <= weight <= LARGEST_WEIGHT:
        raise ValueError(f"{argument}: expected a weight from 0 to {LARGEST_WEIGHT:g}, got {weight}")
    return float(weight)


def _rule(schedule: Schedule) -> Callable[[float], float | Mapping[str, float]] | None:
    if callable(schedule):
        return schedule
    if schedule not in SCHEDULES:
        raise ValueError(f"schedule: expected one of {', '.join(SCHEDULES)} or a function, got {schedule!r}")
    return SCHEDULES[schedule]


def _check_progress(progress: float | None) -> float:
    if progress is None:
        raise ValueError("progress: this schedule needs to know how much of training is done, from 0 to 1, got None")
    if not 0 <= progress <= 1:
        raise ValueError(f"progress: expected a number from 0 to 1, got {progress}")
    return float(progress)


def _shift(weights: dict[str, float], share: float) -> dict[str, float]:
    """The same total, with that share for the higher-order motifs."""
    if not 0 <= share <= 1:
        raise ValueError(f"schedule: expected a share from 0 to 1 for the higher-order motifs, got {share}")
    total = sum(weights.values())
    higher = total - weights.get("edge", 0.0)
    if "edge" not in weights or not higher:
        return weights
    return {n: total * (1 - share) if n == "edge" else w * total * share / higher for n, w in weights.items()}
