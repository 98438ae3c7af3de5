"""What can be reproduced, as data: every table and figure with its experiment, datasets, methods and seeds."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

GRAPHS = ("cora", "pubmed", "photo", "pc", "cs", "karate", "dblp", "polblogs", "email-eu", "syn1", "syn2", "syn3")
"""The graphs of the paper's Table 1, in its order."""
REAL = GRAPHS[:9]
MORE_GRAPHS = ("citeseer", "polblogs-lcc")
GRAPH_SETS = ("proteins", "nci1", "mutagenicity", "dd", "reddit-b", "cox2-md", "er-md", "bench-hard")
"""The graph classification datasets of the paper's Table 3, in its order."""

CLUSTERING = ("sc", "msc", "diffpool", "mincut", "hp-1", "hp-2", "hosc", "robust")
MORE_CLUSTERING = ("hosc-mu-0", "hosc-mu-1", "hosc-constant", "sc-plain", "msc-plain", "dmon", "just-balance")
FOUR_NODE = ("edge+triangle", "edge+cycle4", "edge+clique4", "edge+triangle+cycle4", "edge+triangle+clique4")
MORE_GRAPH_SETS = ("enzymes", "mutag")
POOLINGS = ("none", "random", "gmt", "mincut", "diffpool", "eigen", "sag", "asap", "hp-1", "hp-2", "hosc")
ABLATIONS = ("hosc", "mu-0", "not-ada", "no-diag", "sage", "gat", "gin", "skip-co", "1-pooling", "c-ratio",
             "dense-feat")  # fmt: skip

TITLES = {
    "cora": "Cora", "pubmed": "PubMed", "photo": "Photo", "pc": "PC", "cs": "CS", "karate": "Karate", "dblp": "DBLP",
    "polblogs": "Polblogs", "email-eu": "Email-eu", "syn1": "Syn1", "syn2": "Syn2", "syn3": "Syn3",
    "citeseer": "CiteSeer", "polblogs-lcc": "Polblogs LCC", "proteins": "Proteins", "nci1": "NCI1",
    "mutagenicity": "Mutagenicity", "dd": "DD", "reddit-b": "Reddit-B", "cox2-md": "COX2-MD", "er-md": "ER-MD",
    "bench-hard": "b-hard", "sc": "SC", "msc": "MSC", "diffpool": "DiffPool", "mincut": "MinCutPool", "hp-1": "HP-1",
    "hp-2": "HP-2", "hosc": "HoscPool", "robust": "robust preset",
    "hosc-mu-0": "HoscPool, μ = 0", "hosc-mu-1": "HoscPool, μ = 1", "hosc-constant": "HoscPool, constant weights",
    "sc-plain": "SC, not regularised", "msc-plain": "MSC, not regularised", "dmon": "DMoN",
    "just-balance": "JustBalance", "none": "NoPool",
    "hosc-tuned": "HoscPool, tuned", "none-tuned": "NoPool, tuned",
    "random": "Random", "gmt": "GMT", "eigen": "EigPool", "sag": "SAGPool", "asap": "ASAP",
    "mu-0": "μ = 0", "not-ada": "not-ada", "no-diag": "No-diag", "sage": "SAGE", "gat": "GAT", "gin": "GIN",
}  # fmt: skip
"""Names as the paper and the tables write them; others are written as they are."""


@dataclass(frozen=True)
class Target:
    """A table or figure that can be asked for by name.

    Attributes:
        name: What the user types.
        title: A line that says what it shows.
        experiment: The kind of cell it is made of; targets with the same one share their cells.
        datasets: Datasets by default.
        methods: Methods by default.
        seeds: Number of seeds by default.
        more_datasets: Further ones on request.
        more_methods: Further ones on request.
    """

    name: str
    title: str
    experiment: str
    datasets: tuple[str, ...]
    methods: tuple[str, ...]
    seeds: int = 10
    more_datasets: tuple[str, ...] = ()
    more_methods: tuple[str, ...] = ()


TARGETS: dict[str, Target] = {
    target.name: target
    for target in (
        Target("table1", "NMI of clusterings", "clustering", GRAPHS, CLUSTERING, 10, MORE_GRAPHS, MORE_CLUSTERING),
        Target("table2", "running time of clusterings", "clustering", REAL, ("diffpool", "mincut", "hp-2", "hosc"), 10,
               (*GRAPHS[9:], *MORE_GRAPHS), ("sc", "msc", "hp-1", "robust", *MORE_CLUSTERING)),
        Target("table7", "all metrics of clusterings", "clustering", REAL, ("mincut", "hp-2", "hosc"), 10,
               (*GRAPHS[9:], *MORE_GRAPHS), ("sc", "msc", "diffpool", "hp-1", "robust", *MORE_CLUSTERING)),
        Target("figure2", "loss curves", "clustering", ("cora", "photo", "pc"), ("hosc", "mincut"), 1,
               (*GRAPHS, *MORE_GRAPHS)),
        Target("table6", "NMI of two-layer clusterings", "two-layer", REAL, ("mincut", "hosc"), 10,
               (*GRAPHS[9:], *MORE_GRAPHS), ("diffpool", "hp-1", "hp-2")),
        Target("four-node", "NMI with motifs of four nodes", "four-node",
               ("karate", "cora", "email-eu", "polblogs-lcc", "photo", "syn1", "syn3"), FOUR_NODE, 10,
               (*GRAPHS, "citeseer")),
        Target("table4", "properties of the graph classification datasets", "properties", GRAPH_SETS[:-1],
               ("statistics", "spectral", "hosc"), 1, (*MORE_GRAPH_SETS, "bench-hard")),
        Target("table3", "accuracy of graph classification", "classification", GRAPH_SETS, POOLINGS, 10,
               MORE_GRAPH_SETS, ("hosc-tuned", "none-tuned", "dmon", "just-balance", "edge")),
        Target("table5", "accuracy of ablations of HoscPool", "classification", GRAPH_SETS, ABLATIONS, 10,
               MORE_GRAPH_SETS),
    )
}  # fmt: skip

_MODULES = {"two-layer": "two_layer", "four-node": "four_node"}
"""Modules whose name is not that of the experiment."""


def experiment_module(name: str) -> Any:
    """The module of an experiment: ``settings(dataset, method)`` and ``run(cell, data_root)``."""
    return importlib.import_module(f"hoscpool.experiments.{_MODULES.get(name, name)}")


def title(name: str) -> str:
    """A dataset or method as tables write it.

    Examples:
        >>> title("hosc"), title("enzymes")
        ('HoscPool', 'enzymes')
    """
    return TITLES.get(name, name)
