"""scikit-learn's own checks of an estimator."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from hoscpool.cluster import HoscClustering

EXCEPTIONS = {
    "check_methods_subset_invariance": "a node's cluster depends on its neighbours, and the rest of the table is those",
    "check_estimator_sparse_array": "asks anything with predict_proba for the tags of a classifier",
    "check_estimator_sparse_matrix": "asks anything with predict_proba for the tags of a classifier",
}


QUICK = HoscClustering(max_epochs=5, starts="smooth-2", n_init=1, random_state=0)


def expected_failures(_: HoscClustering) -> dict[str, str]:
    return EXCEPTIONS


@pytest.mark.filterwarnings("ignore::UserWarning")  # graphs of random points are in pieces, and said to be
@parametrize_with_checks([QUICK], expected_failed_checks=expected_failures)  # type: ignore[untyped-decorator]
def test_check(estimator: HoscClustering, check: Callable[[HoscClustering], None]) -> None:
    check(estimator)
