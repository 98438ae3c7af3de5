from __future__ import annotations

from typing import Any

import networkx as nx
import pytest
import torch
from torch_geometric.utils import from_networkx

from hoscpool.experiments.protocols import graph_classification as classification
from hoscpool.experiments.running.cell import Cell


def _graphs(*_: Any) -> list[Any]:
    graphs = [from_networkx(nx.cycle_graph(n)) for n in range(5, 15)]
    graphs += [from_networkx(nx.complete_graph(n)) for n in range(5, 15)]
    for number, graph in enumerate(graphs):
        graph.y = int(number >= 10)
    return graphs


def test_settings_are_those_of_the_papers_section_5_2() -> None:
    found = classification.settings("proteins", "hosc")
    stated = {"learning_rate": 1e-3, "max_epochs": 500, "clip": 2.0, "patience": 100, "decay_patience": 50}
    assert {name: found[name] for name in stated} == stated
    assert (found["ratio"], found["n_pools"], found["pooling"]) == (0.25, 2, "hosc")


@pytest.mark.parametrize("method", classification.ABLATIONS)
def test_an_ablation_changes_one_thing(method: str) -> None:
    base, other = classification.settings("proteins", "hosc"), classification.settings("proteins", method)
    changed = {name for name in base.keys() | other.keys() if base.get(name) != other.get(name)}
    assert changed == set(classification.ABLATIONS[method])


def test_a_tuned_cell_says_what_it_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    from hoscpool.classify import GraphClassifier

    plain, tuned = (classification.settings("proteins", name) for name in ("hosc", "hosc-tuned"))
    assert {name: tuned[name] for name in plain} == plain
    assert set(tuned["grid"]) == {"hidden", "skip_readout", "mu"}
    assert set(classification.settings("proteins", "none-tuned")["grid"]) == {"hidden", "skip_readout"}
    monkeypatch.setattr(classification, "load_graphs", _graphs)
    monkeypatch.setattr(classification, "_grid", lambda _: {"hidden": (4, 2)})
    monkeypatch.setattr(classification, "_model", lambda *names: GraphClassifier("hosc", 2, names[-1], hidden=4))
    found = classification.run(Cell("classification", "toy", "hosc-tuned", 0, {}))
    assert [trial["parameters"] for trial in found["info"]["trials"]] == [{"hidden": 4}, {"hidden": 2}]


def test_a_cell_trains_and_looks_once_at_the_test_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    from hoscpool.classify import GraphClassifier, stratified_splits

    monkeypatch.setattr(classification, "load_graphs", _graphs)
    monkeypatch.setattr(
        classification, "_model", lambda _, m, seed: GraphClassifier(m, max_epochs=2, random_state=seed)
    )
    found = classification.run(Cell("classification", "toy", "hosc", 1, {}))
    assert found["metrics"]["epochs"] == 2
    assert 0 <= found["metrics"]["accuracy"] <= 1
    assert found["info"]["stopped"] == "epochs"
    assert len(found["info"]["pools"]) == 2
    graphs, split = _graphs(), stratified_splits([0] * 10 + [1] * 10, 2)[1]
    model = GraphClassifier("hosc", max_epochs=2, random_state=1)
    model.fit([graphs[i] for i in split.train], validation=[graphs[i] for i in split.validation])
    assert found["metrics"]["accuracy"] == model.score([graphs[i] for i in split.test])
    assert found["metrics"]["majority"] == 0.5


def test_a_cell_that_never_trained_fails_and_is_not_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    from hoscpool.classify import GraphClassifier

    def endless(*_: Any) -> list[Any]:
        graphs = _graphs()
        for graph in graphs:
            graph.x = torch.full((graph.num_nodes, 1), 1e38)
        return graphs

    monkeypatch.setattr(classification, "load_graphs", endless)
    monkeypatch.setattr(
        classification, "_model", lambda _, m, seed: GraphClassifier(m, max_epochs=2, random_state=seed)
    )
    with pytest.raises(RuntimeError, match="diverged in its first epoch"):
        classification.run(Cell("classification", "toy", "none", 0, {}))
