"""Figure 2: the losses of HoscPool, of MinCutPool, and of a MinCutPool run that degenerates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hoscpool.datasets import dataset_info
from hoscpool.experiments.paper_tables import PAPER_TABLES
from hoscpool.experiments.running.store import Record
from hoscpool.experiments.tables.published import Curve, published_curves
from hoscpool.experiments.tables.summaries import Results

TERMS = ("objective", "regularizer")


@dataclass(frozen=True)
class LossCurves:
    """One panel of Figure 2.

    Attributes:
        run: ``"hosc"``, ``"mincut"`` or ``"mincut-degenerate"``.
        title: Method, dataset and clusters in use; empty when nothing was measured.
        measured: Epochs and values by term.
        published: The same, as the paper prints it.
    """

    run: str
    title: str
    measured: dict[str, Curve]
    published: dict[str, Curve]


def loss_curves(results: Results) -> list[LossCurves]:
    """All three panels. Without a record a panel has only the published curves.

    The runs of HoscPool and MinCutPool are on Cora, or on the first dataset that has records. (The seven classes of
    Cora fit the first published value, −1/7.) The third panel is the recorded MinCutPool run with the smallest share of
    clusters in use, if a run has empty clusters.
    """
    table = PAPER_TABLES["figure2"]
    datasets = list(dict.fromkeys((*table.datasets, *table.more_datasets)))
    mincut = _with_curve(results, "mincut", datasets)
    collapsed = [record for record in mincut if _live_share(record) < 1]
    worst = sorted(collapsed, key=_live_share)[:1]
    runs = {"hosc": _with_curve(results, "hosc", datasets)[:1], "mincut": mincut[:1], "mincut-degenerate": worst}
    return [_panel(run, found) for run, found in runs.items()]


def _with_curve(results: Results, method: str, datasets: Sequence[str]) -> list[Record]:
    records = [record for dataset in datasets for record in results.finished("clustering", dataset, method)]
    return [record for record in records if "curve" in record]


def _live_share(record: Record) -> float:
    return float(record["metrics"]["live_clusters"] / record["metrics"]["n_clusters"])


def _panel(run: str, records: Sequence[Record]) -> LossCurves:
    printed = {term: published_curves()[run, term] for term in TERMS}
    if not records:
        return LossCurves(run, "", {}, printed)
    record = records[0]
    live, k = record["metrics"]["live_clusters"], record["metrics"]["n_clusters"]
    method, dataset = PAPER_TABLES["figure2"].method_title(record["method"]), dataset_info(record["dataset"]).label
    return LossCurves(run, f"{method} on {dataset}, {live} of {k} clusters in use", measured_terms(record), printed)


def measured_terms(record: Record) -> dict[str, Curve]:
    """The two curves of a record: the objective without the regulariser (motifs at constant weights), and L_o."""
    curve, epochs = record["curve"], tuple(int(epoch) for epoch in record["curve"]["epoch"])
    if "cut" in curve:
        objective = tuple(curve["cut"])
    else:
        mu = record["settings"]["mu"]
        pairs = zip(curve["objective"], curve["orthogonality"], strict=True)
        objective = tuple(round(total - mu * term, 5) for total, term in pairs)
    return {"objective": (epochs, objective), "regularizer": (epochs, tuple(curve["orthogonality"]))}
