"""What can be reproduced, as data: every table and figure with its experiment, datasets, methods and seeds."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from hoscpool.experiments.running.cell import Cell, Key
from hoscpool.support.names import did_you_mean

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

_MODULES = {
    "clustering": "node_clustering",
    "two-layer": "two_layer",
    "four-node": "four_node",
    "classification": "graph_classification",
    "properties": "graph_properties",
}
"""Modules whose name is not that of the experiment."""


def experiment_module(name: str) -> Any:
    """The module of an experiment: ``settings(dataset, method)`` and ``run(cell, data_root)``."""
    return importlib.import_module(f"hoscpool.experiments.protocols.{_MODULES[name]}")


def title(name: str) -> str:
    """A dataset or method as tables write it.

    Examples:
        >>> title("hosc"), title("enzymes")
        ('HoscPool', 'enzymes')
    """
    return TITLES.get(name, name)


ALL = "all"


def find_targets(name: str) -> list[Target]:
    """The targets of a name: one, or all.

    Raises:
        ValueError: There is none.
    """
    if name == ALL:
        return list(TARGETS.values())
    if name not in TARGETS:
        raise ValueError(f"name: expected one of {', '.join((*TARGETS, ALL))}, got {name!r}")
    return [TARGETS[name]]


def plan_cells(
    targets: Iterable[Target],
    datasets: Sequence[str] | None = None,
    methods: Sequence[str] | None = None,
    seeds: int | None = None,
) -> list[Cell]:
    """All cells of some targets, each once; seed by seed, so that a run cut short has something of everything.

    Args:
        targets: What is wanted.
        datasets: These instead of the targets' own; a target is asked for those that it has.
        methods: These instead of the targets' own.
        seeds: Number of seeds instead of the targets' own.

    Raises:
        ValueError: A dataset or method is in none of the targets, or there is no cell that has both.
    """
    targets = list(targets)
    _check("datasets", datasets, [(*target.datasets, *target.more_datasets) for target in targets])
    _check("methods", methods, [(*target.methods, *target.more_methods) for target in targets])
    cells: dict[Key, Cell] = {}
    for target in targets:
        for cell in _cells(target, datasets, methods, seeds or target.seeds):
            cells.setdefault(cell.key, cell)
    if not cells:
        raise ValueError("--datasets, --methods: none of the tables has one of the datasets and one of the methods")
    return sorted(cells.values(), key=lambda cell: cell.seed)


def _cells(target: Target, datasets: Sequence[str] | None, methods: Sequence[str] | None, seeds: int) -> list[Cell]:
    module = experiment_module(target.experiment)
    chosen_datasets = _choose(datasets, target.datasets, target.more_datasets)
    chosen_methods = _choose(methods, target.methods, target.more_methods)
    found = []
    for dataset in chosen_datasets:
        for method in chosen_methods:
            settings = module.settings(dataset, method)
            found += [Cell(target.experiment, dataset, method, seed, settings) for seed in range(seeds)]
    return found


def _choose(asked: Sequence[str] | None, default: Sequence[str], more: Sequence[str]) -> list[str]:
    return list(default) if asked is None else [name for name in (*default, *more) if name in asked]


def _check(what: str, asked: Sequence[str] | None, known: Iterable[Sequence[str]]) -> None:
    names = list(dict.fromkeys(name for group in known for name in group))
    for name in asked or ():
        if name not in names:
            raise ValueError(f"--{what}: expected some of {', '.join(names)}, got {name!r}{did_you_mean(name, names)}")
