from __future__ import annotations

import pytest

from hoscpool.experiments.paper_tables import PAPER_TABLES
from hoscpool.experiments.tables.published import impossible_pairs, published, published_curves


@pytest.mark.parametrize(
    ("place", "dataset", "method", "metric", "value", "sd"),
    [  # read off the paper, at least the first and the last number of every table
        ("Table 1", "cora", "sc", "nmi", 0.150, 0.002),
        ("Table 1", "photo", "hosc", "nmi", 0.598, 0.101),
        ("Table 1", "polblogs", "mincut", "nmi", 0.440, 0.390),
        ("Table 1", "email-eu", "hp-2", "nmi", 0.488, 0.025),
        ("Table 1", "syn3", "hosc", "nmi", 1.0, 0.0),
        ("Table 1", "photo", "", "edges", 287_326, None),
        ("Table 1", "syn3", "", "n_clusters", 5, None),
        ("Table 2", "cora", "diffpool", "seconds", 13, None),
        ("Table 2", "email-eu", "hosc", "seconds", 12, None),
        ("Table 3", "proteins", "none", "accuracy", 71.6, 4.1),
        ("Table 3", "cox2-md", "hp-2", "accuracy", 66.4, 4.6),
        ("Table 3", "bench-hard", "hosc", "accuracy", 74.0, 0.4),
        ("Table 4", "proteins", "", "graphs", 1_113, None),
        ("Table 4", "reddit-b", "", "modularity", 0.071, None),
        ("Table 4", "er-md", "", "nmi", 0.56, None),
        ("Table 5", "proteins", "hosc", "accuracy", 77.5, None),
        ("Table 5", "nci1", "mu-0", "accuracy", 78.9, None),
        ("Table 5", "bench-hard", "dense-feat", "accuracy", 70.8, None),
        ("Table 6", "cora", "mincut", "nmi", 0.0, 0.0),
        ("Table 6", "email-eu", "hosc", "nmi", 0.421, 0.009),
        ("Table 7", "cora", "mincut", "modularity", 0.700, None),
        ("Table 7", "cs", "mincut", "modularity", -0.005, None),
        ("Table 7", "polblogs", "hosc", "homogeneity", 0.991, None),
    ],
)
def test_numbers_are_those_of_the_paper(
    place: str, dataset: str, method: str, metric: str, value: float, sd: float | None
) -> None:
    found = published(place, dataset, method, metric)
    assert found is not None
    assert (found.value, found.sd) == (value, sd)
    assert str(found).endswith(place)


@pytest.mark.parametrize(
    ("place", "name", "metric"),
    [
        ("Table 1", "table1", "nmi"),
        ("Table 2", "table2", "seconds"),
        ("Table 3", "table3", "accuracy"),
        ("Table 5", "table5", "accuracy"),
        ("Table 6", "table6", "nmi"),
        ("Table 7", "table7", "conductance"),
    ],
)
def test_every_cell_of_a_table_has_its_number(place: str, name: str, metric: str) -> None:
    methods = [method for method in PAPER_TABLES[name].methods if method != "robust"]
    numbers = [
        published(place, dataset, method, metric) for dataset in PAPER_TABLES[name].datasets for method in methods
    ]
    assert None not in numbers


def test_rows_without_a_number_have_none() -> None:
    assert published("Table 4", "reddit-b", "", "nmi") is None
    assert published("Table 1", "citeseer", "hosc", "nmi") is None


def test_curves_are_those_of_figure_2() -> None:
    curves = published_curves()
    assert len(curves) == 6
    epochs, values = curves["hosc", "objective"]
    assert (epochs[0], values[0]) == (1, -0.143021584)
    assert (epochs[-1], values[-1]) == (69, -0.978032827)
    assert abs(values[0] + 1 / 7) < 2e-4  # the soft volume of seven clusters; the other denominator would give −1
    assert curves["mincut", "regularizer"][1][-1] == 0.648609459


def test_pairs_that_cannot_be() -> None:
    found = {(dataset, method): most for dataset, method, _, _, most in impossible_pairs()}
    assert found["cs", "mincut"] == pytest.approx(0.0005**0.5)
    assert ("email-eu", "hp-2") in found  # .488 > √.166 = .407
    assert ("cora", "hosc") not in found  # .502 < √.314 = .560
    assert {method for _, method in found} <= set(PAPER_TABLES["table1"].methods)
