"""The estimator learns, predicts, says what its pools do, and refuses what makes no sense."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import torch
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from torch_geometric.data import Data

import hoscpool as hp
from classify.conftest import make_graphs
from hoscpool.classify import GraphClassifier, collate
from hoscpool.classify.epochs import Run
from hoscpool.support.errors import GraphWarning

QUICK: dict[str, Any] = {"max_epochs": 2, "random_state": 0, "hidden": 8, "batch_size": 8}


def fit(graphs: list[Data], **options: Any) -> GraphClassifier:
    return GraphClassifier(**{**QUICK, **options}).fit(graphs[:20], validation=graphs[20:30])


def test_it_learns_what_is_plain(graphs: list[Data]) -> None:
    model = fit(graphs, max_epochs=25, learning_rate=1e-2)
    assert model.score(graphs[30:]) >= 0.9
    assert model.validation_score_ == max(model.history_["validation_accuracy"])
    assert min(model.history_["task_loss"]) < 0.7 * model.history_["task_loss"][0]
    probability = model.predict_proba(graphs[30:])
    np.testing.assert_allclose(probability.sum(axis=1), 1, rtol=1e-5)
    np.testing.assert_array_equal(model.classes_[probability.argmax(axis=1)], model.predict(graphs[30:]))


@pytest.mark.parametrize("pooling", hp.nn.list_pools())
@pytest.mark.parametrize("n_pools", [1, 2])
def test_every_pool_trains(graphs: list[Data], pooling: str, n_pools: int) -> None:
    model = fit(graphs, pooling=pooling, n_pools=n_pools)
    assert np.isfinite(model.history_["task_loss"]).all()
    assert model.predict(graphs).shape == (40,)
    assert len(model.diagnose(graphs)) == (1 if pooling == "gmt" else n_pools)


@pytest.mark.parametrize("encoder", ["gcn", "gcn-skip", "gin", "sage", "gat"])
@pytest.mark.parametrize("pooling", ["hosc", "random", "topk"])
def test_every_encoder_trains_before_and_after_every_kind_of_pool(
    graphs: list[Data], encoder: str, pooling: str
) -> None:
    model = fit(graphs, encoder=encoder, pooling=pooling, skip_readout=True, structural_features=True)
    assert np.isfinite(model.history_["validation_loss"]).all()


@pytest.mark.parametrize(
    "options",
    [
        {"skip_readout": True},
        {"remove_self_loops": False},
        {"schedule": "constant"},
        {"readout": "sum"},
        {"mu": 0.0},
        {"motifs": {"edge": 1.0, "wedge": 2.0}},
        {"n_pools": 1},
    ],
)
def test_every_option_changes_the_result(graphs: list[Data], options: dict[str, Any]) -> None:
    first, second = (fit(graphs, max_epochs=3, ratio=0.5, **extra).history_ for extra in ({}, options))
    assert first["task_loss"] != second["task_loss"]


def test_a_prediction_does_not_depend_on_the_company(graphs: list[Data]) -> None:
    for pooling in ("hosc", "random", "sag"):
        model = fit(graphs, pooling=pooling)
        alone = np.concatenate([model.predict_proba([graph]) for graph in graphs[:6]])
        np.testing.assert_allclose(model.predict_proba(graphs)[:6], alone, rtol=1e-4, atol=1e-5)


def test_node_order_does_not_matter(graphs: list[Data]) -> None:
    model, graph = fit(graphs), graphs[3]
    order = torch.randperm(graph.num_nodes, generator=torch.Generator().manual_seed(0))
    place = torch.argsort(order)
    moved = Data(x=graph.x[order], edge_index=place[graph.edge_index])
    np.testing.assert_allclose(model.predict_proba([moved]), model.predict_proba([graph]), rtol=1e-4)


def test_the_same_seed_gives_the_same_model_and_leaves_the_global_one(graphs: list[Data]) -> None:
    torch.manual_seed(5)
    before = torch.random.get_rng_state()
    first, second, other = (fit(graphs, random_state=seed).predict_proba(graphs) for seed in (3, 3, 4))
    np.testing.assert_array_equal(first, second)
    assert not np.array_equal(first, other)
    assert torch.equal(torch.random.get_rng_state(), before)


def test_numbers_of_clusters(graphs: list[Data]) -> None:
    sizes = [graph.num_nodes for graph in graphs[:20]]
    assert fit(graphs, ratio=0.5).n_clusters_[0] == int(0.5 * np.mean(sizes))
    largest = fit(graphs, ratio=0.5, clusters_from="largest").n_clusters_
    assert largest == (int(0.5 * max(sizes)), int(0.5 * int(0.5 * max(sizes))))
    assert fit(graphs, ratio=0.01).n_clusters_ == (1, 1)


def test_classes_keep_their_names_and_a_part_is_held_out(graphs: list[Data]) -> None:
    y = np.array([graph.y.item() * 7 - 2 for graph in graphs])
    model = GraphClassifier(**QUICK).fit(graphs, y)
    assert model.classes_.tolist() == [-2, 5]
    assert set(model.predict(graphs)) <= {-2, 5}
    assert model.score(graphs, y) == pytest.approx((model.predict(graphs) == y).mean())


def test_it_stops_when_nothing_gets_better(graphs: list[Data]) -> None:
    model = fit(graphs, max_epochs=50, patience=3, learning_rate=1e-9)
    assert model.stopped_ == "patience"
    assert model.n_epochs_ - model.best_epoch_ == 3
    assert fit(graphs, max_epochs=0).n_epochs_ == 0


def test_the_best_epoch_is_kept(graphs: list[Data]) -> None:
    model = fit(graphs, max_epochs=15, learning_rate=3e-2)
    pairs = zip(model.history_["validation_accuracy"], model.history_["validation_loss"], strict=True)
    keys = [(accuracy, -loss) for accuracy, loss in pairs]
    assert model.best_epoch_ == keys.index(max(keys)) + 1
    assert model.score(graphs[20:30]) == model.validation_score_


def test_a_model_that_diverges_stops_with_a_diagnosis(graphs: list[Data], monkeypatch: pytest.MonkeyPatch) -> None:
    step = Run._step

    def spoil(run: Run, graph: Any, target: torch.Tensor, number: int) -> Any:
        if run.progress.epoch == 2 and number == 1:
            with torch.no_grad():
                run.network.encoders[1].neighbours.weight.fill_(torch.nan)  # type: ignore[union-attr, operator]
        return step(run, graph, target, number)

    monkeypatch.setattr(Run, "_step", spoil)
    with pytest.warns(ConvergenceWarning, match=r"diverged at epoch 3, batch 2: not finite: .*pool 2.*model of epoch"):
        model = fit(graphs, max_epochs=5)
    assert model.stopped_ == "diverged"
    assert np.isfinite(model.predict_proba(graphs)).all()
    assert model.n_epochs_ == 2


def test_huge_features_do_not_end_in_nan(graphs: list[Data]) -> None:
    for graph in graphs:
        graph.x = graph.x * 1e30
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = fit(graphs)
    assert not np.isnan(model.predict_proba(graphs[:2])).any() or model.stopped_ == "diverged"


def test_ctrl_c_keeps_the_best_so_far(graphs: list[Data], monkeypatch: pytest.MonkeyPatch) -> None:
    step = Run._step

    def interrupt(run: Run, graph: Any, target: torch.Tensor, number: int) -> Any:
        if run.progress.epoch == 3 and number == 1:
            raise KeyboardInterrupt
        return step(run, graph, target, number)

    monkeypatch.setattr(Run, "_step", interrupt)
    with pytest.warns(ConvergenceWarning, match="interrupted after epoch 3 of 9; the model of epoch"):
        model = fit(graphs, max_epochs=9)
    assert model.stopped_ == "interrupted"
    assert model.predict(graphs).shape == (40,)


def test_graphs_of_one_node_and_without_edges() -> None:
    bare = [Data(x=torch.tensor([[float(i % 2)]]), y=i % 2) for i in range(12)]
    with pytest.warns(GraphWarning, match="no training graph has the motif triangle"):
        model = GraphClassifier(**{**QUICK, "max_epochs": 15, "learning_rate": 5e-2}).fit(bare, validation=bare)
    assert model.score(bare) == 1.0


def test_featureless_graphs_are_told_apart_by_their_structure() -> None:
    graphs = make_graphs(width=0)
    model = fit(graphs, max_epochs=25, learning_rate=1e-2)
    assert model.n_features_in_ == 0
    assert model.score(graphs[30:]) >= 0.9


BAD_PARAMETERS = [
    ({"pooling": "hosk"}, "unknown pool 'hosk'. Did you mean 'hosc'"),
    ({"encoder": "gnc"}, "unknown encoder 'gnc'"),
    ({"ratio": 0.0}, "ratio: expected a share"),
    ({"hidden": 0}, "hidden: expected a whole number ≥ 1"),
    ({"batch_size": 2.5}, "batch_size: expected a whole number"),
    ({"max_epochs": -1}, "max_epochs"),
    ({"learning_rate": 0}, "learning_rate: expected a number above 0"),
    ({"n_pools": 0}, "n_pools: expected at least 1 with pooling 'hosc'; without pools use 'none'"),
    ({"mu": -1}, "mu: expected a number ≥ 0, got -1"),
    ({"motifs": {}}, "motifs: expected at least one motif with its weight"),
    ({"clusters_from": "median"}, "clusters_from: expected one of 'mean', 'largest'"),
    ({"schedule": "fast"}, "schedule"),
    ({"random_state": "a"}, "random_state"),
    ({"random_state": -1}, "random_state"),
    ({"random_state": None, "checkpoint": "x"}, "checkpoint: needs a random_state"),
    ({"pooling": "sag", "remove_self_loops": False}, "unknown option 'remove_self_loops' of 'sag'"),
]


@pytest.mark.parametrize(("options", "message"), BAD_PARAMETERS)
def test_bad_parameters(graphs: list[Data], options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        fit(graphs, **options)


def test_bad_parts(graphs: list[Data]) -> None:
    model = GraphClassifier(**QUICK)
    with pytest.raises(ValueError, match="at least two classes, got only class 0"):
        model.fit(graphs[::2])
    with pytest.raises(ValueError, match="validation: class 9 does not occur"):
        model.fit(graphs, validation=[Data(x=torch.ones(1, 3), y=9)])
    with pytest.raises(ValueError, match="validation: expected 3 features per node as in the training graphs, got 4"):
        model.fit(graphs, validation=[Data(x=torch.ones(1, 4), y=0)])
    with pytest.raises(ValueError, match="validation: expected a class y in every graph"):
        model.fit(graphs, validation=[Data(x=torch.ones(1, 3))])
    with pytest.raises(ValueError, match="y: expected 40 whole numbers"):
        model.fit(graphs, y=[0, 1])
    with pytest.raises(ValueError, match="expected the classes of at least 10 graphs"):
        model.fit(graphs[:6])
    with pytest.raises(ValueError, match=r"graphs\[0\].y: expected one class, a whole number, got <U1"):
        model.fit([Data(x=torch.ones(1, 3), y="1")])
    with pytest.raises(ValueError, match="graphs: expected at least one graph"):
        model.fit([])
    with pytest.raises(ValueError, match="graphs: expected at least one graph"):
        model.fit(collate(graphs)[:0])


def test_a_refit_that_fails_leaves_the_model(graphs: list[Data]) -> None:
    model = fit(graphs)
    before = model.predict(graphs)
    others = [Data(x=graph.x, edge_index=graph.edge_index, y=graph.y + 5) for graph in graphs]
    with pytest.raises(ValueError, match="unknown motif"):
        clone(model).set_params(motifs={"nope": 1}).fit(others)
    with pytest.raises(ValueError, match="unknown motif"):
        model.set_params(motifs={"nope": 1}).fit(others)
    np.testing.assert_array_equal(model.set_params(motifs=None).predict(graphs), before)


def test_bad_predictions(graphs: list[Data]) -> None:
    with pytest.raises(NotFittedError):
        GraphClassifier().predict(graphs)
    model = fit(graphs)
    with pytest.raises(ValueError, match="expected 3 features per node as in the fit, got 1"):
        model.predict([Data(x=torch.ones(2, 1))])
    with pytest.raises(ValueError, match="graphs: expected a class y in every graph, got none"):
        model.score([Data(x=torch.ones(2, 3))])
    assert model.score([Data(x=torch.ones(2, 3), y=8)]) == 0.0
    for bad in ([0], np.zeros((40, 1), int)):
        with pytest.raises(ValueError, match="y: expected 40 whole numbers, one class for every graph"):
            model.score(graphs, bad)
    with pytest.raises(ValueError, match="graph: expected one graph, got 2"):
        model.assignments(collate(graphs)[:2])


def test_it_is_a_scikit_learn_estimator(graphs: list[Data]) -> None:
    model = GraphClassifier(**QUICK, pooling="mincut")
    assert clone(model).get_params() == model.get_params()
    assert hp.GraphClassifier is GraphClassifier
    assert model.fit(graphs) is model


def test_a_motif_that_no_graph_has_is_said_once(graphs: list[Data]) -> None:
    rings = graphs[1::2]
    with pytest.warns(GraphWarning, match="no training graph has the motif triangle") as found:
        GraphClassifier(**QUICK).fit(rings, np.arange(len(rings)) % 2)
    assert len(found) == 1
