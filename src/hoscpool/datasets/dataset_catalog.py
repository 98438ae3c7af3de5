"""The datasets as data, one entry each. To add a dataset, add an entry here or call `register_dataset`.

Edges are counted once: unordered pairs in an undirected graph, arcs in a directed graph, without self-loops. For a set
of graphs, nodes and edges are totals. `paper` holds the numbers of the paper's tables that differ.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from hoscpool.datasets import citations as cite
from hoscpool.datasets.feature_readings import readings_of
from hoscpool.support.names import Registry

if TYPE_CHECKING:
    from pathlib import Path

    from hoscpool.datasets.cache import Arrays, PathLike

Kind = Literal["node", "graph"]
Edges = Literal["all", "bonds"]
Loader = Callable[["PathLike | None"], Any]
"""Takes the data root and returns a `Graph`, or a list of PyG `Data`."""
Reader = Callable[["DatasetInfo", "Path"], "Arrays"]
"""Takes the entry and the folder of its raw files and returns its arrays."""


@dataclass(frozen=True)
class DatasetInfo:
    """The description of a dataset, known before loading.

    Attributes:
        name: The name that users pass.
        kind: ``"node"``: one graph whose nodes have classes. ``"graph"``: a set of graphs that have classes.
        title: One line that describes it.
        nodes: Number of nodes (in total).
        edges: Number of edges (in total), each counted once, without self-loops.
        features: Width of the node features, 0 for none.
        classes: Number of classes, 0 for none.
        citation_key: Authors and year.
        citation: The full reference.
        licence: The licence, as far as known.
        graphs: Number of graphs of a set, or ``None`` for a single graph.
        directed: Whether the edges are arcs.
        pyg_class: The class of `torch_geometric.datasets` that reads it, or ``None`` if PyG has none.
        pyg_name: The ``name`` argument of that class, if it has one.
        folder: Its folder under the data root, or ``None`` for a built-in dataset.
        raw_files: The files that must be in ``folder/raw``.
        full_file: A larger file that is used instead of ``raw_files`` if it is there.
        url: The address of its file, if PyG has no class for it.
        reader: Reads its raw files, if PyG has no class for it.
        loader: Creates it, if it has no files of its own.
        short_title: Its name in tables. Default: ``name``.
        paper: Counts of the paper that differ, by field.
        note: Remarks for users.
        reading_of: The dataset that this one is, with other features; empty for a dataset of its own.
        uses_labels: Whether its features were made from the classes.
        no_bond: The edge label that means "no bond" in a set of complete graphs of molecules.
        has_bonds: Whether its edges are bonds, with types and lengths in ``edge_attr``.
    """

    name: str
    kind: Kind
    title: str
    nodes: int
    edges: int
    features: int
    classes: int
    citation_key: str = ""
    citation: str = ""
    licence: str = ""
    graphs: int | None = None
    directed: bool = False
    pyg_class: str | None = None
    pyg_name: str | None = None
    folder: str | None = None
    raw_files: tuple[str, ...] = ()
    full_file: str | None = None
    url: str | None = None
    reader: Reader | None = field(default=None, repr=False)
    loader: Loader | None = field(default=None, repr=False)
    short_title: str = ""
    paper: MappingProxyType[str, int] = field(default_factory=lambda: MappingProxyType({}))
    note: str = ""
    reading_of: str = ""
    uses_labels: bool = False
    no_bond: int | None = None
    has_bonds: bool = False

    @property
    def built_in(self) -> bool:
        """Whether it needs no files."""
        return self.folder is None

    @property
    def label(self) -> str:
        """Its name in tables."""
        return self.short_title or self.name


def _made_by(function: str) -> Loader:
    """A loader that calls this function of `synthetic`. It imports the module late to keep the catalogue light."""
    return lambda _data_root: getattr(importlib.import_module("hoscpool.datasets.synthetic"), function)()


def _motif_set(level: str, nodes: int, edges: int, inside: float, noise: float) -> DatasetInfo:
    """A generated set whose class lies in communities made of triangles."""

    def generate(_data_root: PathLike | None) -> Any:
        made = importlib.import_module("hoscpool.datasets.motif_sets")
        return made.motif_communities(400, inside=inside, noise=noise)

    return DatasetInfo(
        f"motifs-{level}", "graph", f"the class lies in communities that only triangles reveal, {level}", nodes, edges,
        6, 2, "Generated, 2026", cite.MOTIF_SETS, cite.GENERATED, graphs=400, loader=generate,
        short_title=f"motifs, {level}", note=f"{inside:.0%} of the edges inside communities, noise {noise:g}.",
    )  # fmt: skip


def _largest_component(name: str, of: str) -> Loader:
    """A loader of the largest component of another dataset, without directions."""

    def load_component(data_root: PathLike | None) -> Any:
        from hoscpool.datasets.loading import load

        return replace(load(of, data_root).undirected().largest_component(), name=name)

    return load_component


def _read_bench(info: DatasetInfo, folder: Path) -> Arrays:
    from hoscpool.datasets.reading import read_bench_arrays

    return read_bench_arrays(info, folder)


def _paper(**counts: int) -> MappingProxyType[str, int]:
    return MappingProxyType(counts)


def _planetoid(
    name: str, title: str, nodes: int, edges: int, features: int, classes: int, note: str, stated: int = 0
) -> DatasetInfo:
    parts = ("x", "tx", "allx", "y", "ty", "ally", "graph", "test.index")
    return DatasetInfo(
        name.lower(), "node", title, nodes, edges, features, classes,
        "Yang et al. 2016", cite.PLANETOID, cite.MIT_PLANETOID,
        pyg_class="Planetoid", pyg_name=name, folder=f"Planetoid/{name}",
        raw_files=tuple(f"ind.{name.lower()}.{part}" for part in parts),
        paper=_paper(edges=stated) if stated else _paper(), short_title=name, note=note,
    )  # fmt: skip


def _tu(
    name: str, tu_name: str, title: str, graphs: int, nodes: int, edges: int, features: int, classes: int,
    stated: int = 0, note: str = "", short_title: str = "", no_bond: int | None = None,
) -> DatasetInfo:  # fmt: skip
    parts = ("A", "graph_indicator", "graph_labels", *(["node_labels"] if features else []))
    return DatasetInfo(
        name, "graph", title, nodes, edges, features, classes, "Morris et al. 2020", cite.TUDATASET, cite.NONE_STATED,
        graphs=graphs, pyg_class="TUDataset", pyg_name=tu_name, folder=f"TUDataset/{tu_name}",
        raw_files=tuple(f"{tu_name}_{part}.txt" for part in parts),
        paper=_paper(edges=stated) if stated else _paper(), short_title=short_title, note=note, no_bond=no_bond,
    )  # fmt: skip


def _bonds(of: DatasetInfo, name: str, edges: int) -> DatasetInfo:
    """The same molecules with bonds alone as edges: a dataset of its own, never compared with the paper's numbers."""

    def load_bonds(data_root: PathLike | None) -> Any:
        from hoscpool.datasets.loading import load_graphs

        return load_graphs(of.name, data_root, edges="bonds", edge_attributes=True)

    return replace(
        of, name=f"{name}-bonds", title=f"{of.title.split(': ')[-1]}: molecules with bonds as edges", edges=edges,
        loader=load_bonds, short_title=f"{of.label}, bonds", paper=_paper(), no_bond=None, has_bonds=True,
        note="Types and lengths of the bonds are in edge_attr. Not a dataset of the paper.",
    )  # fmt: skip


_BOTH = "The paper counts both directions of an edge."
_POLBLOGS = DatasetInfo(
    "polblogs", "node", "links between US political blogs, 2004", 1_490, 19_022, 0, 2,
    "Adamic & Glance 2005", cite.POLBLOGS, cite.NONE_STATED, directed=True,
    pyg_class="PolBlogs", folder="PolBlogs", raw_files=("adjacency.tsv", "labels.tsv"), short_title="Polblogs",
    paper=_paper(nodes=1_491, edges=33_433, features=10),
    note="Directed; 3 self-loops dropped; 266 blogs have no link. The paper counts both directions of the "
         "16,715 undirected edges and the 3 self-loops. Its ten features are not described; none here.",
)  # fmt: skip
_ENTRIES = (
    _planetoid("Cora", "citations between machine-learning papers, bag of words", 2_708, 5_278, 1_433, 7,
               "The paper counts the 5,429 links of the source, repeated ones included.", stated=5_429),
    _planetoid("CiteSeer", "citations between computer-science papers, bag of words", 3_327, 4_552, 3_703, 6,
               "48 papers have no link. Not among the paper's datasets."),
    _planetoid("PubMed", "citations between papers on diabetes, TF-IDF words", 19_717, 44_324, 500, 3, _BOTH, 88_651),
    DatasetInfo("photo", "node", "Amazon photo articles bought together, words of the reviews", 7_650, 119_081, 745, 8,
                "Shchur et al. 2018", cite.SHCHUR_AMAZON, cite.MIT_SHCHUR,
                pyg_class="Amazon", pyg_name="Photo", folder="Amazon/Photo",
                raw_files=("amazon_electronics_photo.npz",), short_title="Photo", paper=_paper(edges=287_326),
                note="The paper's edge count is that of another version of the data; PyG's class loads this one."),
    DatasetInfo("pc", "node", "Amazon computers bought together, words of the reviews", 13_752, 245_861, 767, 10,
                "Shchur et al. 2018", cite.SHCHUR_AMAZON, cite.MIT_SHCHUR,
                pyg_class="Amazon", pyg_name="Computers", folder="Amazon/Computers",
                raw_files=("amazon_electronics_computers.npz",), short_title="PC"),
    DatasetInfo("cs", "node", "co-authors in computer science, keywords of their papers", 18_333, 81_894, 6_805, 15,
                "Shchur et al. 2018", cite.SHCHUR_COAUTHOR, cite.MIT_SHCHUR,
                pyg_class="Coauthor", pyg_name="CS", folder="Coauthor/CS", raw_files=("ms_academic_cs.npz",),
                short_title="CS"),
    DatasetInfo("dblp", "node", "citations between computer-science papers, bag of words", 17_716, 52_867, 1_639, 4,
                "Bojchevski et al. 2018", cite.DBLP, cite.MIT_GRAPH2GAUSS,
                pyg_class="CitationFull", pyg_name="DBLP", folder="CitationFull/dblp", raw_files=("dblp.npz",),
                paper=_paper(edges=105_734), short_title="DBLP", note=_BOTH),
    DatasetInfo("karate", "node", "friendships in Zachary's karate club", 34, 78, 0, 2,
                "Zachary 1977", cite.KARATE, cite.KARATE_LICENCE, paper=_paper(edges=156, features=10),
                loader=_made_by("karate"), short_title="Karate",
                note="Classes are the two clubs after the split, as in the paper (K = 2), not PyG's four communities. "
                     + _BOTH + " The paper's ten features are not described; there are none here."),
    DatasetInfo("lesmis", "node", "characters of Les Misérables who appear together", 77, 254, 0, 0,
                "Knuth 1993", cite.LESMIS, cite.LESMIS_LICENCE, loader=_made_by("les_miserables"),
                short_title="Les Misérables",
                note="Not a dataset of the paper. Nodes have names; a weight is the number of chapters together."),
    _POLBLOGS,
    replace(_POLBLOGS, name="polblogs-lcc", title="the largest component of polblogs, without directions",
            nodes=1_222, edges=16_714, directed=False, loader=_largest_component("polblogs-lcc", of="polblogs"),
            short_title="Polblogs LCC", paper=_paper(),
            note="What most papers on community detection call Polblogs."),
    DatasetInfo("email-eu", "node", "e-mails within a European research institution", 1_005, 24_929, 0, 42,
                "Yin et al. 2017", cite.EMAIL_EU, cite.NONE_STATED, directed=True,
                pyg_class="EmailEUCore", folder="EmailEUCore",
                raw_files=("email-Eu-core.txt", "email-Eu-core-department-labels.txt"),
                paper=_paper(edges=32_770, features=10), short_title="Email-eu",
                note="Directed; 642 self-loops dropped. The paper counts both directions of the 16,064 undirected "
                     "edges and the 642 self-loops. Its ten features are not described; none here."),
    DatasetInfo("syn1", "node", "three communities held together by triangles alone", 1_000, 6_243, 10, 3,
                "Duval & Malliaros 2022", cite.SYNTHETIC, cite.GENERATED,
                loader=_made_by("syn1"), short_title="Syn1",
                note="A third of the edges lie inside communities, so that edges alone say nothing about them."),
    DatasetInfo("syn2", "node", "random graph; the class says whether a node is in a triangle", 1_000, 5_496, 10, 2,
                "Duval & Malliaros 2022", cite.SYNTHETIC, cite.GENERATED,
                loader=_made_by("syn2"), short_title="Syn2",
                note="p = 0.011 as the paper's edge count demands, not p = 0.012 as its text says."),
    DatasetInfo("syn3", "node", "Gaussian random partition graph, 0.8 inside and 0.2 across", 500, 48_205, 10, 5,
                "Duval & Malliaros 2022", cite.SYNTHETIC, cite.GENERATED,
                loader=_made_by("syn3"), short_title="Syn3",
                note="Unequal parts, as the paper's edge count demands (equal ones would give about 39,800)."),
    _tu("proteins", "PROTEINS", "proteins: enzyme or not", 1_113, 43_471, 81_044, 3, 2, 162_088, _BOTH, "Proteins"),
    _tu("nci1", "NCI1", "molecules: active against lung cancer or not", 4_110, 122_747, 132_753, 37, 2,
        short_title="NCI1"),
    _tu("mutagenicity", "Mutagenicity", "molecules: mutagenic or not", 4_337, 131_488, 133_447, 14, 2,
        short_title="Mutagenicity"),
    _tu("dd", "DD", "proteins as amino acids: enzyme or not", 1_178, 334_925, 843_046, 89, 2, short_title="DD"),
    _tu("reddit-b", "REDDIT-BINARY", "discussion threads: question/answer or debate", 2_000, 859_254, 995_508, 0, 2,
        short_title="Reddit-B"),
    _tu("cox2-md", "COX2_MD", "complete graphs of molecules: COX-2 inhibitors", 303, 7_962, 101_542, 7, 2,
        203_084, _BOTH, "COX2-MD", no_bond=1),
    _tu("er-md", "ER_MD", "complete graphs of molecules: oestrogen receptor", 446, 9_512, 104_741, 10, 2,
        209_482, _BOTH, "ER-MD", no_bond=1),
    _tu("enzymes", "ENZYMES", "proteins: class of enzyme", 600, 19_580, 37_282, 3, 6),
    _tu("mutag", "MUTAG", "molecules: mutagenic or not", 188, 3_371, 3_721, 7, 2),
    DatasetInfo("bench-hard", "graph", "features and structure say nothing alone", 17_592, 33_742, 5, 3,
                "Bianchi et al. 2022", cite.BENCH, cite.MIT_BENCH, graphs=300,
                folder="GraphClassificationBench", raw_files=("hard_small.npz",), full_file="hard.npz",
                url=cite.BENCH_URL, reader=_read_bench, short_title="b-hard",
                note="Counts are those of hard_small.npz; hard.npz (1,800 graphs) is read instead when it is there."),
)  # fmt: skip

_MOTIF_SETS = (
    _motif_set("easy", 29_968, 76_496, inside=0.75, noise=0.3),
    _motif_set("medium", 30_144, 115_444, inside=0.5, noise=0.5),
    _motif_set("hard", 30_140, 144_171, inside=0.4, noise=1.0),
)
_BONDS = {"cox2-md": ("cox2-md", 8_642), "er-md": ("er-md", 10_406), "mutagenicity": ("mutagen", 133_447)}
"""Datasets of molecules with types of bonds: the beginning of the new name, and the number of bonds."""
CATALOG: Registry[DatasetInfo] = Registry("dataset")


def _key(name: str) -> str:
    return str(name).strip().lower().replace("_", "-")


def register_dataset(info: DatasetInfo) -> DatasetInfo:
    """Add a dataset to the catalogue. `load`, the command line and the experiments then accept its name.

    Args:
        info: Its entry. Set ``loader`` if the dataset is in memory or if you read it yourself.

    Returns:
        The same entry.

    Raises:
        ValueError: The name is taken, or is not in lower case with hyphens.
    """
    if info.name != _key(info.name):
        raise ValueError(f"name: expected lower case and hyphens, such as {_key(info.name)!r}, got {info.name!r}")
    CATALOG.add(info.name, info)
    return info


_MOLECULES = [_bonds(info, *_BONDS[info.name]) for info in _ENTRIES if info.name in _BONDS]
for _entry in (*_ENTRIES, *_MOLECULES, *_MOTIF_SETS, *readings_of(_ENTRIES)):
    register_dataset(_entry)


def list_datasets(kind: Kind | None = None) -> list[str]:
    """The names of all datasets, or of one kind: ``"node"`` for `load`, ``"graph"`` for `load_graphs`.

    Raises:
        ValueError: The kind is unknown.

    Examples:
        >>> list_datasets("node")[:3]
        ['cora', 'citeseer', 'pubmed']
    """
    if kind not in (None, "node", "graph"):
        raise ValueError(f"kind: expected 'node', 'graph' or None, got {kind!r}")
    return [name for name, info in CATALOG.items() if kind in (None, info.kind)]


def dataset_info(name: str) -> DatasetInfo:
    """The catalogue entry of a dataset. Case does not matter, and underscores count as hyphens.

    Raises:
        ValueError: There is no dataset of that name. The message lists the valid names.

    Examples:
        >>> dataset_info("Cora").nodes
        2708
    """
    return CATALOG.find(_key(name))
