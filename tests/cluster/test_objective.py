"""What methods minimise: each is its published loss, and all are compared by the same objective of the labels."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
import torch

from hoscpool import objectives
from hoscpool.cluster.inputs import as_operator, motif_matrices
from hoscpool.cluster.objective import Objective, clustering_methods, method_motifs
from hoscpool.graph import Graph


def make(graph: Graph, method: str = "hosc", motifs: Mapping[str, float] | None = None, **options: object) -> Objective:
    weights = method_motifs(method, motifs)
    operators = {name: as_operator(matrix) for name, matrix in motif_matrices(graph, weights).items()}
    return Objective(method, operators, weights, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("method", "motifs", "expected"),
    [
        ("hosc", None, {"edge": 0.5, "triangle": 0.5}),
        ("hosc", {"clique4": 2}, {"clique4": 2.0}),
        ("hp-1", None, {"edge": 1.0}),
        ("hp-2", None, {"triangle": 1.0}),
        ("hp-2", {"edge": 0.4, "triangle": 0.3, "wedge": 0.9}, {"triangle": 0.25, "wedge": 0.75}),
        ("hp-2", {"edge": 1.0}, {"triangle": 1.0}),
        ("mincut", None, {"edge": 1.0}),
    ],
)
def test_motifs_of_methods(method: str, motifs: dict[str, float] | None, expected: dict[str, float]) -> None:
    assert method_motifs(method, motifs) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("method", "motifs", "message"),
    [
        ("hosk", None, "unknown method 'hosk'.*hosc"),
        ("hosc", {"triangel": 1}, "triangle"),
        ("hosc", {"edge": -1}, "expected a weight from 0"),
    ],
)
def test_unknown_names(method: str, motifs: dict[str, float] | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        method_motifs(method, motifs)


def test_hosc_is_equation_7_with_8(cliques: Graph) -> None:
    s = torch.rand(24, 3, generator=torch.Generator().manual_seed(0)).softmax(1)
    hosc = make(cliques, mu=0.3)
    edge, triangle = (objectives.motif_cut_loss(hosc.adjacencies[name], s) for name in ("edge", "triangle"))
    expected = 0.5 * edge + 0.5 * triangle + 0.3 * objectives.orthogonality_loss(s)
    torch.testing.assert_close(hosc.total(hosc.losses(s)), expected)


def test_the_schedule_moves_the_loss_but_not_the_objective(cliques: Graph) -> None:
    s = torch.rand(24, 3, generator=torch.Generator().manual_seed(0)).softmax(1)
    hosc = make(cliques, mu=0.0, schedule="adaptive")
    losses = hosc.losses(s)
    assert hosc.total(losses, progress=0.0) == losses["triangle"]
    assert hosc.total(losses, progress=1.0) == losses["edge"]
    torch.testing.assert_close(hosc.total(losses), (losses["edge"] + losses["triangle"]) / 2)


@pytest.mark.parametrize("method", clustering_methods())
def test_every_method_has_finite_losses_and_gradients(cliques: Graph, method: str) -> None:
    logits = torch.randn(24, 3, generator=torch.Generator().manual_seed(0), requires_grad=True)
    one = make(cliques, method)
    one.total(one.losses(logits.softmax(1)), progress=0.5).backward()  # type: ignore[no-untyped-call]
    assert logits.grad is not None
    assert logits.grad.isfinite().all()
    assert logits.grad.abs().sum() > 0


def test_siblings_are_the_published_losses(cliques: Graph) -> None:
    s = torch.rand(24, 3, generator=torch.Generator().manual_seed(0)).softmax(1)
    mincut = make(cliques, "mincut")
    a = mincut.adjacencies["edge"]
    expected = objectives.mincut_loss(a, s) + objectives.mincut_orthogonality_loss(s)
    torch.testing.assert_close(mincut.total(mincut.losses(s)), expected)


def test_the_hard_objective_weighs_balance_with_one(cliques: Graph) -> None:
    truth = torch.arange(24) // 8
    hosc = make(cliques, mu=0.0)
    s = torch.nn.functional.one_hot(truth, 3).float()
    cut = hosc.total(hosc.losses(s))
    assert hosc.hard(truth, 3) == pytest.approx(float(cut))  # equal sizes: L_o is 0
    assert hosc.hard(torch.zeros(24, dtype=torch.int64), 3) == pytest.approx(-1 / 3 + 1)


def test_the_cut_on_similar_features_has_its_share(cliques: Graph) -> None:
    s = torch.rand(24, 3, generator=torch.Generator().manual_seed(0)).softmax(1)
    other = as_operator(motif_matrices(cliques, ["wedge"])["wedge"])
    plain = make(cliques, mu=0.3, schedule="adaptive")
    hosc = make(cliques, mu=0.3, schedule="adaptive", features=other, feature_weight=0.2)
    apart, cut = 0.3 * objectives.orthogonality_loss(s), objectives.motif_cut_loss(other, s)
    for progress in (None, 0.0, 0.7):
        expected = 0.8 * (plain.total(plain.losses(s), progress) - apart) + 0.2 * cut + apart
        torch.testing.assert_close(hosc.total(hosc.losses(s), progress), expected)
    labels = torch.arange(24) % 3
    hard = torch.nn.functional.one_hot(labels, 3).float()
    balanced = 0.8 * plain.hard(labels, 3) + 0.2 * float(objectives.motif_cut_loss(other, hard))  # L_o is 0
    assert hosc.hard(labels, 3) == pytest.approx(balanced)
    doubled = make(cliques, "hosc", {"edge": 1.0, "triangle": 1.0}, features=other, feature_weight=0.2)
    assert doubled.weights() == pytest.approx({"edge": 0.8, "triangle": 0.8, "features": 0.4, "orthogonality": 0.1})


@pytest.mark.parametrize("options", [{"volume": "sfot"}, {"mu": -1.0}, {"schedule": "linear"}])
def test_bad_options(cliques: Graph, options: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        make(cliques, "hosc", None, **options)
