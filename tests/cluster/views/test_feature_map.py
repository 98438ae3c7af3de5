"""The feature map is fitted once and applies to other tables; smoothing is the formula."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp
from sklearn.feature_extraction.text import TfidfTransformer

from hoscpool.cluster.views.feature_map import COMPONENTS, FeatureMap, is_constant


def unit(rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-30))


RNG = np.random.default_rng(0)
WORDS = (RNG.random((40, 12)) < 0.2).astype(np.float32)
NUMBERS = RNG.normal(size=(40, 6)).astype(np.float32) * [1, 10, 100, 1, 1, 0]


@pytest.mark.parametrize("storage", [np.asarray, sp.csr_array])
def test_words_are_weighted_by_tfidf_and_centred(storage: type) -> None:
    expected = TfidfTransformer().fit_transform(WORDS).toarray()
    found = FeatureMap.fit(storage(WORDS), 0)(storage(WORDS))
    np.testing.assert_allclose(found, unit(expected - expected.mean(axis=0)), atol=1e-6)


@pytest.mark.parametrize("storage", [np.asarray, sp.csr_array])
def test_shares_of_words_are_words(storage: type) -> None:
    counts = WORDS * RNG.integers(1, 4, size=WORDS.shape).astype(np.float32)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    whole, parts = (FeatureMap.fit(storage(table), 0)(storage(table)) for table in (counts, shares))
    np.testing.assert_allclose(whole, parts, atol=1e-6)


@pytest.mark.parametrize("storage", [np.asarray, sp.csr_array])
def test_words_that_have_been_weighted_are_not_weighted_again(storage: type) -> None:
    weighted = TfidfTransformer(norm=None).fit_transform(WORDS).toarray().astype(np.float32)
    expected = TfidfTransformer().fit_transform(WORDS).toarray()
    found = FeatureMap.fit(storage(weighted), 0)(storage(weighted))
    np.testing.assert_allclose(found, unit(expected - expected.mean(axis=0)), atol=1e-6)


def test_a_zero_that_is_stored_is_no_count() -> None:
    words = sp.csr_array(WORDS)
    words.data[::7] = 0
    np.testing.assert_array_equal(FeatureMap.fit(words, 0).idf, FeatureMap.fit(words.toarray(), 0).idf)


@pytest.mark.parametrize("storage", [np.asarray, sp.csr_array])
def test_numbers_are_standardised(storage: type) -> None:
    found = FeatureMap.fit(storage(NUMBERS), 0)(storage(NUMBERS))
    standard = (NUMBERS - NUMBERS.mean(axis=0)) / [*NUMBERS.std(axis=0)[:5], 1]
    length = np.sqrt((standard**2).sum(axis=1, keepdims=True) + 5)  # five columns of variance 1
    np.testing.assert_allclose(found, standard / length, atol=1e-4)


def test_the_order_of_a_single_column_survives() -> None:
    column = RNG.normal(size=(50, 1)).astype(np.float32) * 1000
    found = FeatureMap.fit(column, 0)(column)
    np.testing.assert_array_equal(found.argsort(axis=0), column.argsort(axis=0))
    assert len(np.unique(found)) == 50


def test_rows_are_mapped_alone_as_in_company() -> None:
    found = FeatureMap.fit(WORDS, 0)
    np.testing.assert_allclose(found(WORDS[:5]), found(WORDS)[:5], atol=1e-6)


def test_a_wide_table_is_cut_to_its_leading_directions() -> None:
    wide = RNG.normal(size=(300, 200)).astype(np.float32)
    found = FeatureMap.fit(wide, 0)
    assert found(wide).shape == (300, COMPONENTS)
    assert set(found.arrays) == {"scale", "components", "mean", "floors"}


def test_a_table_wider_than_it_is_long() -> None:
    wide = sp.csr_array(sp.random_array((30, 100_000), density=1e-3, random_state=1, dtype=np.float32))
    found = FeatureMap.fit(wide, 0)
    assert found(wide).shape == (30, 30)
    assert np.isfinite(found(wide)).all()


def test_models_of_earlier_versions_keep_their_rows() -> None:
    """They have neither floors nor a metric: the mapped table keeps its lengths, and smoothed rows have length 1."""
    a = sp.csr_array(np.roll(np.eye(40), 1, axis=0) + np.roll(np.eye(40), -1, axis=0))
    earlier = replace(FeatureMap.fit(NUMBERS, 0), floors=None)
    standard = (NUMBERS - NUMBERS.mean(axis=0)) / [*NUMBERS.std(axis=0)[:5], 1]
    np.testing.assert_allclose(earlier(NUMBERS), standard, atol=1e-4)
    fitted, view = earlier.smoothed(a, earlier(NUMBERS), (1, 2))
    loaded = FeatureMap.from_arrays(fitted.arrays, (1, 2))
    assert loaded.floors is None
    np.testing.assert_allclose(np.linalg.norm(view, axis=1), np.sqrt(2), atol=1e-5)
    np.testing.assert_allclose(loaded.view(a, NUMBERS), view, atol=1e-6)


def test_a_column_without_spread_or_an_empty_row_is_no_division_by_zero() -> None:
    table = np.array([[0.0, 5], [0, 5], [0, 5]], dtype=np.float32)
    assert np.isfinite(FeatureMap.fit(table, 0)(table)).all()
    assert np.isfinite(FeatureMap.fit(sp.csr_array((3, 4), dtype=np.float32), 0)(sp.csr_array((3, 4)))).all()


def test_the_view_of_the_same_graph_is_the_view_that_was_fitted() -> None:
    a = sp.csr_array(np.roll(np.eye(40), 1, axis=0) + np.roll(np.eye(40), -1, axis=0))
    first = FeatureMap.fit(WORDS, 0)
    fitted, view = first.smoothed(a, first(WORDS), (0, 2))
    np.testing.assert_allclose(fitted.view(a, WORDS), view, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(view, axis=1), np.sqrt(2), atol=1e-5)


@pytest.mark.parametrize(("rows", "constant"), [([[1, 2]] * 3, True), ([[1, 2], [1, 2], [1, 3]], False), ([[1]], True)])
def test_constant_features(rows: list[list[int]], constant: bool) -> None:
    table = np.array(rows, dtype=np.float32)
    assert is_constant(table) is is_constant(sp.csr_array(table)) is constant
