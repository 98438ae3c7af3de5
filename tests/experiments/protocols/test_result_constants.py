"""The names in the table are fixed, the values are those of the code."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from hoscpool.cluster import closed_form, run
from hoscpool.cluster import fit as fitting
from hoscpool.cluster import sparse_features as sparse_table
from hoscpool.cluster.choosing import consensus
from hoscpool.cluster.presets import PRESETS, Settings
from hoscpool.cluster.views import blend, edge_metric, embedding, feature_signal, restarts, similarity, starts
from hoscpool.cluster.views import feature_map as features
from hoscpool.experiments.protocols.result_constants import constants, preset_values
from hoscpool.training import loop

WHERE: dict[str, tuple[Any, str]] = {
    "training.DECAY": (loop, "DECAY"),
    "training.WARM_RATE": (run, "WARM_RATE"),
    "consensus.DEVIATIONS": (consensus, "DEVIATIONS"),
    "features.COMPONENTS": (features, "COMPONENTS"),
    "features.COUNTS": (features, "COUNTS"),
    "embedding._BAG_OF_WORDS": (embedding, "_BAG_OF_WORDS"),
    "similarity.EXACT": (similarity, "EXACT"),
    "similarity.CELL": (similarity, "CELL"),
    "similarity.EDGES": (similarity, "EDGES"),
    "similarity.SHUFFLES": (similarity, "SHUFFLES"),
    "similarity.DEVIATIONS": (similarity, "DEVIATIONS"),
    "starts.DENSE": (sparse_table, "DENSE"),
    "starts.COMPONENTS": (starts, "COMPONENTS"),
    "features.SVD_ITERATIONS": (features, "SVD_ITERATIONS"),
    "features.SVD_OVERSAMPLES": (features, "SVD_OVERSAMPLES"),
    "metric.RIDGE": (edge_metric, "RIDGE"),
    "metric.NEGLIGIBLE": (edge_metric, "NEGLIGIBLE"),
    "signal.EDGES": (feature_signal, "EDGES"),
    "signal.SHUFFLES": (feature_signal, "SHUFFLES"),
    "signal.DEVIATIONS": (feature_signal, "DEVIATIONS"),
    "blend.TRUSTED": (blend, "TRUSTED"),
    "blend.LARGEST_SHARE": (blend, "LARGEST_SHARE"),
    "blend.NODES": (blend, "NODES"),
    "restarts.SHORT": (restarts, "SHORT"),
    "restarts.FINALISTS": (restarts, "FINALISTS"),
    "restarts.VARIANCE": (restarts, "VARIANCE"),
    "restarts.WIDTH": (restarts, "WIDTH"),
    "restarts.SAMPLE": (restarts, "SAMPLE"),
    "closed_form.TIED": (closed_form, "TIED"),
    "closed_form.REFINED": (closed_form, "REFINED"),
}
"""Where each constant stands in the code at present."""

CHANGES_NO_CELL = {"DISAGREE", "STABLE", "USUAL", "_DENSE", "_TOLERANCE", "_NOISE", "_LOBPCG_ITERATIONS"}
"""Limits below which a fit warns; the largest K that is always tried, while a cell gives its K; and numbers of the
eigensolver, whose ways give the same vectors up to rounding."""


@pytest.mark.parametrize("key", WHERE)
def test_another_value_in_the_code_is_seen(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, name = WHERE[key]
    before = constants("robust")
    monkeypatch.setattr(module, name, 2 * before[key])
    assert constants("robust") == before | {key: 2 * before[key]}


def test_the_paper_preset_uses_one_constant() -> None:
    assert constants("paper") == {"training.DECAY": 0.5}
    assert constants("robust").keys() == WHERE.keys()


def test_every_field_of_a_preset_is_in_the_table() -> None:
    for field in fields(Settings):
        other: dict[str, Any] = {field.name: ("other",)}
        changed = replace(PRESETS["robust"], **other)
        assert preset_values(changed) != preset_values(PRESETS["robust"]), field.name


@pytest.mark.parametrize(
    "module", [loop, run, fitting, consensus, features, embedding, similarity, starts, closed_form, blend, restarts]
)
def test_a_new_constant_asks_for_a_line_in_the_table(module: Any) -> None:
    numbers = {name for name, value in vars(module).items() if name.isupper() and type(value) in (int, float)}
    forgotten = numbers - {name for _, name in WHERE.values()} - CHANGES_NO_CELL
    assert not forgotten, "name it in result_constants if results change with it"
