from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

import hoscpool as hp
from hoscpool.datasets.dataset_catalog import CATALOG, DatasetInfo, dataset_info, list_datasets, register_dataset

NODE = [
    "cora",
    "citeseer",
    "pubmed",
    "photo",
    "pc",
    "cs",
    "dblp",
    "karate",
    "lesmis",
    "polblogs",
    "polblogs-lcc",
    "email-eu",
    "syn1",
    "syn2",
    "syn3",
]
READINGS = [
    *(f"karate-{end}" for end in ("stats", "raw", "label")),
    *(f"polblogs-{end}" for end in ("stats", "raw", "label")),
    *(f"email-eu-{end}" for end in ("stats", "raw", "label")),
    *(f"syn1-r{r}" for r in ("00", "30", "50", "70", "80", "90", "95", "99")),
    *("syn2-raw", "syn2-triangles", "syn2-label", "syn3-stats", "syn3-label"),
]
GRAPH = [
    *("proteins", "nci1", "mutagenicity", "dd", "reddit-b", "cox2-md", "er-md", "enzymes", "mutag", "bench-hard"),
    *("mutagen-bonds", "cox2-md-bonds", "er-md-bonds", "motifs-easy", "motifs-medium", "motifs-hard"),
]


def test_lists_every_dataset_of_the_issue() -> None:
    assert list_datasets("node") == NODE + READINGS
    assert list_datasets("graph") == GRAPH
    assert list_datasets() == NODE + GRAPH + READINGS == hp.datasets.list_datasets()


def test_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="kind: expected 'node', 'graph' or None"):
        list_datasets("edge")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["cora", "Cora", " CORA ", "email_eu", "Email-EU"])
def test_case_and_underscores_do_not_matter(name: str) -> None:
    assert dataset_info(name).name in ("cora", "email-eu")


@pytest.mark.parametrize(("name", "meant"), [("core", "cora"), ("protein", "proteins"), ("redditb", "reddit-b")])
def test_unknown_name_suggests_and_lists(name: str, meant: str) -> None:
    with pytest.raises(ValueError, match=f"Did you mean '{meant}'.*cora, citeseer.*bench-hard"):
        dataset_info(name)


def test_unknown_name_without_a_close_one_still_lists() -> None:
    with pytest.raises(ValueError, match=r"unknown dataset 'xyzzy'\. Valid datasets: cora"):
        dataset_info("xyzzy")


@pytest.mark.parametrize("info", CATALOG.values(), ids=CATALOG.keys())
def test_entries_are_complete(info: DatasetInfo) -> None:
    assert info.title
    assert info.citation
    assert info.licence
    assert info.citation_key[-4:].isdigit()
    assert (info.graphs is None) == (info.kind == "node")
    assert info.built_in == (not info.raw_files)
    assert info.loader is not None or not info.built_in
    assert all(getattr(info, what) != count for what, count in info.paper.items()), "paper: only what differs"


def test_a_name_is_given_once_and_in_one_form() -> None:
    with pytest.raises(ValueError, match="dataset 'cora': this name is taken"):
        register_dataset(CATALOG["cora"])
    with pytest.raises(ValueError, match="expected lower case and hyphens, such as 'my-graph', got 'My_Graph'"):
        register_dataset(replace(CATALOG["cora"], name="My_Graph"))


def test_lazy_names() -> None:
    assert set(hp.datasets.__all__) <= set(dir(hp.datasets))
    assert all(getattr(hp.datasets, name) is not None for name in hp.datasets.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        hp.datasets.nothing  # noqa: B018


def test_listing_imports_nothing_heavy() -> None:
    code = (
        "import sys, hoscpool; hoscpool.datasets.list_datasets(); "
        "print(sorted({'torch', 'numba', 'torch_geometric', 'numpy', 'networkx'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
