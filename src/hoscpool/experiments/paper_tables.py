"""The tables and figures of the paper, one entry each. Adding a table means adding an entry here.

`hoscpool reproduce`, `hoscpool report` and the pages of the documentation read this list. An entry says which cells a
table is made of and which numbers it shows. The numbers that the paper prints are in ``data/published_tables.csv``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hoscpool.support.names import Registry

Measure = str | Callable[[dict[str, Any]], float]
"""A metric of a record, by name or as a function of the record."""


@dataclass(frozen=True)
class Number:
    """One number that a table shows for every dataset and method.

    Attributes:
        metric: Its name in ``published_tables.csv``.
        measure: The measured value; empty: the metric of the same name.
        title: The title of its column; ``{method}`` stands for the title of the method.
        digits: Digits after the point.
        printed_digits: Digits that the paper prints, if it prints another number of them.
        method: The only method that has this number; the paper then prints it without a method. Empty: all methods.
    """

    metric: str
    measure: Measure = ""
    title: str = "{method}"
    digits: int = 3
    printed_digits: int | None = None
    method: str = ""

    @property
    def measured(self) -> Measure:
        """The metric to take from a record."""
        return self.measure or self.metric


@dataclass(frozen=True)
class Plot:
    """The plot above a table on the page of results.

    Attributes:
        axis: Title of the axis.
        methods: The methods shown.
        by_size: Draw the measured values by the size of the dataset; otherwise next to the published ones.
    """

    axis: str
    methods: tuple[str, ...]
    by_size: bool = False


@dataclass(frozen=True)
class PaperTable:
    """A table or figure that can be asked for by name.

    Attributes:
        name: What the user types.
        title: A line that says what it shows.
        place: Its place in the paper; empty if the paper does not have it.
        experiment: The experiment that runs its cells. Tables with the same experiment share cells.
        datasets: Default datasets.
        methods: Default methods.
        numbers: The numbers that it shows for every cell; none for a figure, which the report draws by itself.
        seeds: Default number of seeds.
        more_datasets: Further datasets on request.
        more_methods: Further methods on request.
        titles: Titles of methods in this table that differ from those of the experiment.
        note: A note that explains the table.
        plot: The plot above the table.
        paired_with: All other methods are compared with this one, split by split. Empty: no such comparison.
        beside: The place in the paper whose numbers stand beside the measured ones, if the table has no place itself.
        printed_as: Methods that are a setting of another one, and the name under which the paper prints that one.
    """

    name: str
    title: str
    place: str
    experiment: str
    datasets: tuple[str, ...]
    methods: tuple[str, ...]
    numbers: tuple[Number, ...] = ()
    seeds: int = 10
    more_datasets: tuple[str, ...] = ()
    more_methods: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    plot: Plot | None = None
    paired_with: str = ""
    beside: str = ""
    printed_as: Mapping[str, str] = field(default_factory=dict)

    def method_title(self, method: str) -> str:
        """The title of a method in this table."""
        from hoscpool.experiments.experiment import find_experiment

        return self.titles.get(method) or find_experiment(self.experiment).title(method)


ALL = "all"
PAPER_TABLES: Registry[PaperTable] = Registry("table")


def register_table(table: PaperTable) -> PaperTable:
    """Add a table, so that it can be reproduced and is part of the report.

    Raises:
        ValueError: The name is taken.
    """
    PAPER_TABLES.add(table.name, table)
    return table


def find_tables(name: str) -> list[PaperTable]:
    """The table of a name, or all tables.

    Raises:
        ValueError: There is none; the message lists the valid names.
    """
    return list(PAPER_TABLES.values()) if name == ALL else [PAPER_TABLES.find(name)]


def cpu_seconds(record: dict[str, Any]) -> float:
    """Processor time of the fit."""
    return float(record["seconds"]["cpu"])


def percent(record: dict[str, Any]) -> float:
    """Test accuracy in per cent, as the paper prints it."""
    return 100 * float(record["metrics"]["accuracy"])


_REAL_GRAPHS = ("cora", "pubmed", "photo", "pc", "cs", "karate", "dblp", "polblogs", "email-eu")
_SYNTHETIC_GRAPHS = ("syn1", "syn2", "syn3")
_MORE_GRAPHS = ("citeseer", "polblogs-lcc")
_GRAPH_SETS = ("proteins", "nci1", "mutagenicity", "dd", "reddit-b", "cox2-md", "er-md")
_MORE_GRAPH_SETS = ("enzymes", "mutag")
_READINGS = (
    *("karate", "karate-stats", "karate-raw", "karate-label"),
    *("polblogs", "polblogs-stats", "polblogs-raw", "polblogs-label"),
    *("email-eu", "email-eu-stats", "email-eu-raw", "email-eu-label"),
    *("syn2", "syn2-raw", "syn2-triangles", "syn2-label", "syn3", "syn3-stats", "syn3-label"),
)
_CORRELATIONS = ("syn1-r00", "syn1-r30", "syn1", *(f"syn1-r{r}" for r in (50, 70, 80, 90, 95, 99)))
MU_VALUES = {method: {0.0: f"{method}-mu-0", 0.1: method, 1.0: f"{method}-mu-1"} for method in ("hp-1", "hp-2", "hosc")}
"""The three values of μ that the paper names, and the methods that run with them."""
_EVERY_MU = tuple(name for by_mu in MU_VALUES.values() for name in by_mu.values())
_PRINTED_AS = {name: method for method, by_mu in MU_VALUES.items() for name in by_mu.values()}
_MU_TITLES = {"hp-1": "HP-1, μ = 0.1", "hp-2": "HP-2, μ = 0.1", "hosc": "HoscPool, μ = 0.1"}
_MOLECULES = ("er-md-bonds", "cox2-md-bonds", "mutagen-bonds")
_MOTIF_SETS = ("motifs-easy", "motifs-medium", "motifs-hard")
_POOLS = ("none", "random", "mincut", "hosc")
_MORE_POOLS = ("hp-1", "hp-2")
_CLUSTERINGS = ("sc", "msc", "diffpool", "mincut", "hp-1", "hp-2", "hosc", "robust")
_MORE_CLUSTERINGS = ("hosc-mu-0", "hosc-mu-1", "hosc-constant", "sc-plain", "msc-plain", "dmon", "just-balance",
                     "multilevel", "multilevel-features", "smooth-kmeans", "louvain", "leiden")  # fmt: skip
_ACCURACY = Number("accuracy", percent, digits=1)

register_table(
    PaperTable(
        "table1",
        "NMI of clusterings",
        "Table 1",
        "clustering",
        (*_REAL_GRAPHS, *_SYNTHETIC_GRAPHS),
        _CLUSTERINGS,
        (Number("nmi"),),
        more_datasets=_MORE_GRAPHS,
        more_methods=_MORE_CLUSTERINGS,
        plot=Plot("NMI", ("sc", "mincut", "hp-2", "hosc", "robust")),
        note=(
            "Rows and columns without published numbers are not in the paper: CiteSeer, the largest component of "
            "Polblogs (LCC), and all columns after HoscPool. SC and MSC are regularised (Qin & Rohe 2013). “not "
            "regularised” is the textbook method."
        ),
    )
)
register_table(
    PaperTable(
        "table2",
        "running time of clusterings",
        "Table 2",
        "clustering",
        _REAL_GRAPHS,
        ("diffpool", "mincut", "hp-2", "hosc"),
        (Number("seconds", cpu_seconds, digits=1, printed_digits=0),),
        more_datasets=(*_SYNTHETIC_GRAPHS, *_MORE_GRAPHS),
        more_methods=("sc", "msc", "hp-1", "robust", *_MORE_CLUSTERINGS),
        plot=Plot("Processor time of a fit by graph size", _CLUSTERINGS, by_size=True),
        note=(
            "Seconds of processor time of one fit on one thread, with the motif matrices. The paper does not name its "
            "machine. It does not say how many runs “the entire clustering experiment” has. Compare columns, not "
            "numbers."
        ),
    )
)
register_table(
    PaperTable(
        "table3",
        "accuracy of graph classification",
        "Table 3",
        "classification",
        (*_GRAPH_SETS, "bench-hard"),
        ("none", "random", "gmt", "mincut", "diffpool", "eigen", "sag", "asap", "hp-1", "hp-2", "hosc"),
        (_ACCURACY,),
        more_datasets=_MORE_GRAPH_SETS,
        more_methods=("hosc-tuned", "none-tuned", "dmon", "just-balance", "edge"),
        plot=Plot("accuracy, %", ("none", "random", "mincut", "hosc")),
        paired_with="hosc",
        note=(
            "Test accuracy in %, with another split for every seed. b-hard is the small version of the benchmark (300 "
            "graphs instead of 1,800) unless its full file was there. The paper tuned units, batch size and μ for "
            "each dataset. Here one setting serves all, except in the columns “tuned”: every run chose its units (16, "
            "32, 64), skip connections and μ (0, 0.1) by its validation graphs."
        ),
    )
)
register_table(
    PaperTable(
        "table4",
        "properties of the graph classification datasets",
        "Table 4",
        "properties",
        _GRAPH_SETS,
        ("statistics", "spectral", "hosc"),
        (
            Number("graphs", title="graphs", digits=0, method="statistics"),
            Number("edges", title="edges", digits=0, method="statistics"),
            Number("mean_nodes", title="mean nodes", digits=1, method="statistics"),
            Number("labels", title="labels", digits=0, method="statistics"),
            Number("clustering_coefficient", title="cc", method="statistics"),
            Number("triangles", title="triangle", method="statistics"),
            Number("transitivity", title="transi", method="statistics"),
            Number("homophily", title="homo", method="statistics"),
            Number("label_share", title="diff-labels", method="statistics"),
            Number("motif_conductance", title="msc", method="spectral"),
            Number("conductance", title="sc", method="spectral"),
            Number("modularity", title="sc-mod", method="spectral"),
            Number("nmi", title="NMI", digits=2, method="hosc"),
        ),
        seeds=1,
        more_datasets=(*_MORE_GRAPH_SETS, "bench-hard"),
        note=(
            "There is one value per dataset, so no interval and no mark. Edges are counted once; the paper counts "
            "both directions for Proteins, COX2-MD and ER-MD. msc, sc and sc-mod: plain spectral clustering of each "
            "graph with as many clusters as it has labels (Reddit-B, which has none: 2), conductance averaged over "
            "clusters. NMI: HoscPool's clustering of 100 random graphs. Its features are the labels that it is "
            "compared with."
        ),
    )
)
register_table(
    PaperTable(
        "table5",
        "accuracy of ablations of HoscPool",
        "Table 5",
        "classification",
        (*_GRAPH_SETS, "bench-hard"),
        ("hosc", "mu-0", "not-ada", "no-diag", "sage", "gat", "gin", "skip-co", "1-pooling", "c-ratio", "dense-feat"),
        (_ACCURACY,),
        more_datasets=_MORE_GRAPH_SETS,
        titles={"hosc": "Base"},
        plot=Plot("accuracy, %", ("hosc", "mu-0", "not-ada", "no-diag")),
        paired_with="hosc",
        note=(
            "Test accuracy in %. The paper prints no spread here, so the interval is that of the measured mean alone. "
            "The spreads of its Table 3 are 0.4 to 5 points for HoscPool and its variants. Compared with them, most "
            "differences between its rows are noise."
        ),
    )
)
register_table(
    PaperTable(
        "table6",
        "NMI of two-layer clusterings",
        "Table 6",
        "two-layer",
        _REAL_GRAPHS,
        ("mincut", "hosc"),
        (Number("nmi"),),
        more_datasets=(*_SYNTHETIC_GRAPHS, *_MORE_GRAPHS),
        more_methods=("diffpool", "hp-1", "hp-2"),
        plot=Plot("NMI", ("mincut", "hosc")),
        note=(
            "MP – pool – MP – pool, 1,000 epochs, patience 500 (Appendix B). The paper does not state the size of the "
            "first pool. Here it is 4 K, the ratio 0.25 of the paper's classifiers."
        ),
    )
)
register_table(
    PaperTable(
        "table7",
        "all metrics of clusterings",
        "Table 7",
        "clustering",
        _REAL_GRAPHS,
        ("mincut", "hp-2", "hosc"),
        (
            Number("modularity", title="{method} Mod"),
            Number("conductance", "conductance_share", title="{method} Cond"),
            Number("motif_conductance", "motif_conductance_share", title="{method} M.Cond"),
            Number("homogeneity", title="{method} Homog"),
        ),
        more_datasets=(*_SYNTHETIC_GRAPHS, *_MORE_GRAPHS),
        more_methods=("sc", "msc", "diffpool", "hp-1", "robust", *_MORE_CLUSTERINGS),
        note=(
            "Cond and M.Cond are Σ cut / Σ volume over the clusters. The paper does not say how it averages. Only "
            "this average is near 0 for a collapsed clustering, as the paper's numbers are. If both are low, the "
            "clustering may have collapsed."
        ),
    )
)
register_table(
    PaperTable(
        "figure2",
        "loss curves",
        "Figure 2",
        "clustering",
        ("cora", "photo", "pc"),
        ("hosc", "mincut"),
        seeds=1,
        more_datasets=(*_REAL_GRAPHS, *_SYNTHETIC_GRAPHS, *_MORE_GRAPHS),
        note=(
            "HoscPool's objective is the motif cut at constant weights. The third run is the recorded MinCutPool run "
            "that lost the largest share of its clusters. The published regulariser of MinCutPool starts at 1, which "
            "is L_o (Eq. 8) of a uniform assignment. MinCutPool's own regulariser starts at √(2 − 2/√K), 1.115 for "
            "seven clusters; this one was measured. The page that `hoscpool report` writes shows the curves "
            "themselves."
        ),
    )
)
register_table(
    PaperTable(
        "four-node",
        "NMI with motifs of four nodes",
        "",
        "four-node",
        ("karate", "cora", "email-eu", "polblogs-lcc", "photo", "syn1", "syn3"),
        ("edge+triangle", "edge+cycle4", "edge+clique4", "edge+triangle+cycle4", "edge+triangle+clique4"),
        (Number("nmi"),),
        more_datasets=(*_REAL_GRAPHS, *_SYNTHETIC_GRAPHS, "citeseer"),
        note=(
            "Not in the paper, which derives the objective in Appendix C and leaves it to future work. Paper preset; "
            "the edge and the named motifs have equal weights."
        ),
    )
)
register_table(
    PaperTable(
        "table1-mu",
        "NMI of clusterings with each of the paper's three values of μ",
        "",
        "clustering",
        (*_REAL_GRAPHS, *_SYNTHETIC_GRAPHS),
        _EVERY_MU,
        (Number("nmi"),),
        more_datasets=_MORE_GRAPHS,
        titles=_MU_TITLES,
        beside="Table 1",
        printed_as=_PRINTED_AS,
        note=(
            "The paper names μ ∈ {0, 0.1, 1}, chooses one for each dataset, and does not say which. Published numbers "
            "are those of Table 1, the same for every μ."
        ),
    )
)
register_table(
    PaperTable(
        "syn1-correlation",
        "NMI on Syn1 by the correlation of its first feature with the class",
        "",
        "clustering",
        _CORRELATIONS,
        ("kmeans", "mincut", *_EVERY_MU),
        (Number("nmi"),),
        more_methods=("diffpool", "dmon", "just-balance", "robust"),
        titles=_MU_TITLES,
        plot=Plot("NMI", ("mincut", "hp-1-mu-0", "hp-2-mu-0", "hosc-mu-0")),
        beside="Table 1",
        printed_as=_PRINTED_AS,
        note=(
            "The paper says that one of Syn1's features is correlated with the class, and not how much. The graph and "
            "the noise are the same in every row. These features are made from the classes, as in the paper. Syn1 "
            "itself has a correlation of .38. k-means sees the features and not the graph."
        ),
    )
)
register_table(
    PaperTable(
        "feature-readings",
        "NMI by reading of the features that the paper does not describe",
        "",
        "clustering",
        _READINGS,
        ("mincut", *_EVERY_MU),
        (Number("nmi"),),
        more_methods=("kmeans", "diffpool"),
        titles=_MU_TITLES,
        beside="Table 1",
        printed_as=_PRINTED_AS,
        note=(
            "Karate, Polblogs and Email-eu without features: the network gets spectral coordinates, as in Table 1. "
            "Statistics: ten statistics of every node, the features of Syn2. Label-correlated: Gaussian noise, its "
            "first column correlated .95 with the number of the class. That reading uses the classes. It tests what "
            "the paper may have done and is not a way to cluster."
        ),
    )
)
register_table(
    PaperTable(
        "deep",
        "accuracy of graph classification with a deep network",
        "",
        "classification",
        (*_GRAPH_SETS, "bench-hard"),
        tuple(f"deep-{name}" for name in _POOLS),
        (_ACCURACY,),
        more_datasets=_MORE_GRAPH_SETS,
        more_methods=tuple(f"deep-{name}" for name in _MORE_POOLS),
        paired_with="deep-hosc",
        note=(
            "Test accuracy in % with the recipe of the fair comparison of Errica et al. (2020): perceptron, four GIN "
            "layers with batch normalisation, read-outs of every layer summed, patience 500. Only the pool differs "
            "within a row. So the differences are what a pool adds."
        ),
    )
)
register_table(
    PaperTable(
        "bonds",
        "accuracy on molecules whose edges are their bonds",
        "",
        "classification",
        _MOLECULES,
        (*_POOLS, *(f"deep-{name}" for name in _POOLS)),
        (_ACCURACY,),
        more_methods=(*_MORE_POOLS, *(f"deep-{name}" for name in _MORE_POOLS)),
        paired_with="deep-hosc",
        note=(
            "Test accuracy in %. COX2-MD and ER-MD of the paper are complete graphs, in which triangles say nothing. "
            "Here the bonds alone are edges, also for motifs. The deep networks also see types and lengths of bonds "
            "(GINE). These datasets are not the paper's; no number of the paper belongs beside them."
        ),
    )
)
register_table(
    PaperTable(
        "motif-sets",
        "accuracy where the class lies in communities of triangles",
        "",
        "classification",
        _MOTIF_SETS,
        ("none", "random", "mincut", "hp-1", "hp-2", "hosc"),
        (_ACCURACY,),
        more_methods=tuple(f"deep-{name}" for name in (*_POOLS, *_MORE_POOLS)),
        paired_with="hosc",
        note=(
            "Test accuracy in % on generated graphs; see Datasets. Communities are made of triangles and have one "
            "colour each, or both. In the easy set colours at the two ends of edges tell the class too. In the others "
            "they do not. The more links and the more noise, the harder it is to find the communities."
        ),
    )
)
