"""Neither the scale of edge weights nor the order of edges changes a result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import hoscpool as hp
from hoscpool import metrics
from hoscpool.graph import as_graph
from hoscpool.report.clustering.answer import make_answer
from hoscpool.report.explorer.explorer_page import explorer_block

SCALES = [1024.0, 1e-6, 1e-20, 1e-300, 1e150, 1e300]
TOLERANCE = 1e-5
"""Of objectives: weights are rounded to float32."""


def weighted_graph(scale: float = 1.0) -> sp.csr_array:
    """Three groups of eight with heavier edges inside."""
    rng = np.random.default_rng(0)
    group = np.arange(24) // 8
    links = np.triu(rng.random((24, 24)) < np.where(group[:, None] == group, 0.8, 0.1), 1)
    weights = links * rng.uniform(0.5, 2.0, (24, 24))
    return sp.csr_array((weights + weights.T) * scale)


X = np.random.default_rng(1).standard_normal((24, 5)).astype(np.float32)
FITS: dict[str, Callable[[Any], Any]] = {
    "robust": lambda graph: hp.HoscClustering(3, random_state=0, max_epochs=20, n_init=1).fit(as_graph(graph)),
    "paper": lambda graph: hp.HoscClustering(3, random_state=0, preset="paper", max_epochs=60).fit(X, graph=graph),
    "multilevel": lambda graph: hp.HoscClustering(3, random_state=0, solver="multilevel").fit(as_graph(graph)),
    "spectral": lambda graph: hp.MotifSpectralClustering(3, motif="edge", random_state=0).fit(graph),
}


@pytest.mark.parametrize("name", FITS)
def test_the_scale_of_weights_does_not_change_clusters(name: str) -> None:
    plain = FITS[name](weighted_graph())
    for scale in SCALES:
        found = FITS[name](weighted_graph(scale))
        np.testing.assert_array_equal(found.labels_, plain.labels_, err_msg=f"scale {scale}")
        if name != "spectral":
            assert found.objective_ == pytest.approx(plain.objective_, abs=TOLERANCE), scale
            np.testing.assert_allclose(found.coarse_.matrices["edge"], plain.coarse_.matrices["edge"] * scale)


@pytest.mark.parametrize("name", FITS)
def test_equal_weights_are_no_weights(name: str) -> None:
    links = (weighted_graph() != 0).astype(np.float64)
    plain, found = FITS[name](links), FITS[name](links * 1e-20)
    np.testing.assert_array_equal(found.labels_, plain.labels_)
    if name != "spectral":
        np.testing.assert_array_equal(found.assignment_, plain.assignment_)  # bit by bit


@pytest.mark.parametrize("scale", SCALES)
def test_the_scale_of_weights_does_not_change_scores(scale: float) -> None:
    labels = np.arange(24) // 8
    for score in (metrics.conductance, metrics.modularity, metrics.motif_conductance):
        assert score(weighted_graph(scale), labels) == pytest.approx(score(weighted_graph(), labels), rel=1e-12)


@pytest.mark.parametrize("scale", SCALES)
def test_the_scale_of_weights_does_not_change_what_is_shown(scale: float) -> None:
    """The answer in words and the explorer. Products of such weights alone are 0 or infinite."""
    labels = np.arange(24) // 8
    plain, scaled = as_graph(weighted_graph()), as_graph(weighted_graph(scale))
    answers = [make_answer(graph, labels, "triangle") for graph in (plain, scaled)]
    assert [one.central for one in answers[0].communities] == [one.central for one in answers[1].communities]
    for one, other in zip(answers[0].inside, answers[1].inside, strict=True):
        assert (one.share, one.chance) == pytest.approx((other.share, other.chance))
    assert explorer_block(scaled, {"fit": labels}).data


@pytest.mark.parametrize("name", FITS)
def test_the_order_of_edges_does_not_change_clusters(name: str) -> None:
    coo = sp.coo_array(weighted_graph())
    plain = FITS[name](weighted_graph())
    order = np.random.default_rng(2).permutation(coo.nnz)
    shuffled = as_graph(sp.coo_array((coo.data[order], (coo.row[order], coo.col[order])), shape=(24, 24)))
    assert shuffled == as_graph(weighted_graph())
    np.testing.assert_array_equal(FITS[name](shuffled).labels_, plain.labels_)


def test_a_predicted_graph_may_have_another_scale() -> None:
    model = hp.HoscClustering(3, random_state=0, preset="paper", max_epochs=20).fit(X, graph=weighted_graph())
    other = weighted_graph()[:20, :20]
    expected = model.predict_proba(X[:20], graph=other)
    np.testing.assert_allclose(model.predict_proba(X[:20], graph=other * 1e12), expected, atol=1e-6)


@pytest.mark.parametrize(("scale", "motif"), [(1e300, "triangle"), (1e-300, "triangle"), (1e-320, "clique4")])
def test_products_beyond_64_bits_are_refused_by_name(scale: float, motif: str) -> None:
    with pytest.raises(ValueError, match=f"weights: expected numbers whose products and sums over a {motif} fit"):
        hp.motif_adjacency(weighted_graph(scale), motif, weights="product")


def test_sums_of_means_beyond_64_bits_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="fit into 64 bits"):
        hp.motif_adjacency(weighted_graph(5e307), "triangle", weights="mean")
    found = hp.motif_adjacency(weighted_graph(1e-300), "triangle", weights="mean")
    expected = hp.motif_adjacency(weighted_graph(), "triangle", weights="mean")
    np.testing.assert_allclose(found.toarray(), expected.toarray() * 1e-300, rtol=1e-12)


@pytest.mark.parametrize("solver", ["network", "multilevel"])
def test_weights_that_float32_would_lose_are_refused_by_name(solver: str) -> None:
    settings: dict[str, Any] = {"random_state": 0, "solver": solver}
    wide = weighted_graph().toarray()
    inside = np.ix_(range(8), range(8))
    wide[inside] *= 1e-12  # fine for edges, but not for products of three
    assert len(hp.HoscClustering(3, motifs={"edge": 1.0}, **settings).fit(as_graph(wide)).labels_) == 24
    with pytest.raises(ValueError, match="their products over a triangle go from"):
        hp.HoscClustering(3, **settings).fit(as_graph(wide))
    wide[inside] *= 1e-24
    with pytest.raises(ValueError, match="weights: expected numbers within a factor of 1e"):
        hp.HoscClustering(3, motifs={"edge": 1.0}, **settings).fit(as_graph(wide))
