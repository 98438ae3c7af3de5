"""Every number of the paper's tables and of Figure 2, with its place in the paper.

``data/published_tables.csv`` has a line for every number of a table: place, dataset, method (empty for a property of
the dataset), metric, value and, where it is printed, the standard deviation. ``data/published_curves.csv`` has the
plotted points of Figure 2. Both are as printed, with the errors of the paper (see `impossible_pairs`).
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_SOURCE = "Duval & Malliaros, CIKM 2022"


@dataclass(frozen=True)
class Published:
    """A printed number.

    Attributes:
        place: Its place in the paper, such as ``"Table 1"``.
        value: The number.
        sd: Its standard deviation over runs; ``None`` if none is printed.
    """

    place: str
    value: float
    sd: float | None = None

    def __str__(self) -> str:
        return f"{_SOURCE}, {self.place}"


Curve = tuple[tuple[int, ...], tuple[float, ...]]


@cache
def _tables() -> dict[tuple[str, str, str, str], Published]:
    return {
        (row["place"], row["dataset"], row["method"], row["metric"]): Published(
            row["place"], float(row["value"]), float(row["sd"]) if row["sd"] else None
        )
        for row in _rows("published_tables.csv")
    }


def published(place: str, dataset: str, method: str, metric: str) -> Published | None:
    """A number of a table, or ``None`` if the paper does not have it.

    Examples:
        >>> published("Table 1", "cora", "hosc", "nmi")
        Published(place='Table 1', value=0.502, sd=0.029)
    """
    return _tables().get((place, dataset, method, metric))


@cache
def published_curves() -> dict[tuple[str, str], Curve]:
    """Figure 2: epochs and values by run (``hosc``, ``mincut``, ``mincut-degenerate``) and term."""
    points: dict[tuple[str, str], list[tuple[int, float]]] = {}
    for row in _rows("published_curves.csv"):
        points.setdefault((row["run"], row["term"]), []).append((int(row["epoch"]), float(row["value"])))
    return {name: (tuple(e for e, _ in found), tuple(v for _, v in found)) for name, found in points.items()}


def impossible_pairs() -> list[tuple[str, str, float, float, float]]:
    """Datasets and methods whose published NMI and homogeneity cannot belong to the same clusterings.

    With homogeneity h and completeness c ≤ 1, NMI = √(h c) ≤ √h, and other means of the entropies give less. A mean
    over runs stays below √(mean h) too, since the root is concave.

    Returns:
        Dataset, method, NMI of Table 1, homogeneity of Table 7, and the largest NMI that it allows.
    """
    found = []
    for (place, dataset, method, metric), homogeneity in _tables().items():
        score = published("Table 1", dataset, method, "nmi")
        if place == "Table 7" and metric == "homogeneity" and score is not None:
            most = (homogeneity.value + 0.0005) ** 0.5  # the paper prints three digits
            if score.value > most:
                found.append((dataset, method, score.value, homogeneity.value, most))
    return found


def _rows(name: str) -> Iterator[dict[str, str]]:
    with files("hoscpool.experiments").joinpath("data", name).open(encoding="utf-8") as file:
        yield from csv.DictReader(file)
