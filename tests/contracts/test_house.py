"""The rules of the house: doors, small folders, one name for one module, and tests that mirror the source."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import hoscpool

ROOT = Path(hoscpool.__file__).parent
TESTS = Path(__file__).parent.parent
MOST_FILES = 20

THROUGH_ANOTHER: dict[str, tuple[str, ...]] = {
    "bench/peers/test_peers.py": (
        "bench.peers.common",
        "bench.peers.graphblas",
        "bench.peers.igraph",
        "bench.peers.motifcluster",
        "bench.peers.networkit",
        "bench.peers.orca",
        "bench.peers.own_motifs",
        "bench.peers.scipy",
    ),
    "bench/peers/test_communities.py": ("bench.peers.own_clusters",),
    "bench/suites/test_science_cases.py": (
        "bench.peers.network_science",
        "bench.suites.science_suite",
    ),
    "bench/suites/test_suites.py": (
        "bench.suites.classify_suite",
        "bench.suites.cluster_suite",
        "bench.suites.fit_suite",
        "bench.suites.motifs_suite",
        "bench.suites.objective_suite",
        "bench.suites.scale_suite",
    ),
    "bench/test_classify.py": (
        "bench.peers.classifiers",
        "bench.suites.classify_cases",
    ),
    "bench/test_fit.py": (
        "bench.peers.assignment_training",
        "bench.peers.tgp_training",
        "bench.suites.fit_cases",
    ),
    "bench/test_objective.py": (
        "bench.peers.cut_losses",
        "bench.suites.objective_cases",
    ),
    "bench/harness/test_result_tables.py": ("bench.harness.suite_run",),
    "classify/test_graph_classifier.py": (
        "classify.architecture",
        "classify.data.labelled_parts",
        "classify.epochs",
    ),
    "cli/test_classify.py": ("report.classification.class_files",),
    "cli/test_cli.py": (
        "cli.console",
        "cli.demo",
        "cli.parser",
    ),
    "cli/test_cluster.py": (
        "cli.cluster_answer",
        "cli.cluster_options",
    ),
    "cli/test_report.py": ("report.results.records_page",),
    "cluster/engine/test_multilevel.py": ("cluster.engine.single_run",),
    "graph/test_exports.py": ("graph.converters.igraph_graphs",),
    "cluster/test_hosc_clustering.py": ("cluster.fit",),
    "contracts/test_motifs.py": (
        "motifs.counting.directed",
        "motifs.counting.listing",
    ),
    "contracts/test_pools.py": (
        "nn.batch.graph_batch",
        "nn.pools.base",
        "nn.pools.diffpool",
        "nn.pools.dmon",
        "nn.pools.edge",
        "nn.pools.just_balance",
        "nn.pools.mincut",
        "nn.pools.none",
        "nn.pools.scoring",
    ),
    "datasets/test_loading.py": ("datasets.citations",),
    "datasets/test_planted.py": ("datasets.planted_groups",),
    "distributed/blocks/test_block_build.py": (
        "distributed.blocks.edge_spill",
        "graph.readers.edge_stream",
    ),
    "distributed/counting/test_block_motifs.py": (
        "distributed.counting.blocked_matrix",
        "distributed.counting.count_files",
        "distributed.counting.count_kinds",
        "distributed.counting.part_structure",
        "distributed.counting.task_steps",
    ),
    "experiments/protocols/test_node_clustering.py": ("experiments.protocols.two_layer",),
    "experiments/running/test_scheduler.py": ("experiments.running.progress_board",),
    "experiments/test_paper_tables.py": (
        "experiments.experiment",
        "experiments.protocols.four_node",
        "experiments.tables.loss_curves",
    ),
    "distributed/training/test_rank_fit.py": (
        "distributed.training.block_training",
        "distributed.training.halo",
        "distributed.training.launch",
        "distributed.training.placement",
        "distributed.training.rank_classifier",
        "distributed.training.rank_run",
        "distributed.training.rank_sums",
        "distributed.training.rank_work",
        "distributed.training.ranks",
        "distributed.training.spread_objective",
    ),
    "graph/readers/test_formats.py": (
        "graph.readers.edge_columns",
        "graph.readers.edge_list_exact",
        "graph.readers.numbering",
    ),
    "motifs/test_adjacency.py": (
        "motifs.counting.pairs",
        "motifs.counting.skeleton",
        "motifs.counting.supports",
    ),
    "nn/encoders/test_encoders.py": (
        "nn.encoders.encoder",
        "nn.encoders.gat",
        "nn.encoders.gcn",
        "nn.encoders.gin",
        "nn.encoders.gine",
        "nn.batch.propagation",
        "nn.encoders.sage",
    ),
    "nn/pools/asap/test_asap_pool.py": ("nn.pools.asap.ego_networks",),
    "nn/pools/eigen/test_eigen_pool.py": ("nn.pools.eigen.fourier",),
    "nn/sums/test_node_sums.py": (
        "nn.sums._small_sums",
        "nn.sums._sparse_sums",
        "nn.sums.plain_sums",
    ),
    "objectives/test_losses.py": ("objectives.baselines",),
    "graph/test_small_picture.py": ("support.html_tables",),
    "plot/test_of_models.py": ("support.colours",),
    "report/results/test_reproduction.py": ("report.results.quality",),
}
"""Tests → modules without a test of their own name that are tested there."""


def module_name(file: Path) -> str:
    parts = file.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(file): file for file in sorted(ROOT.rglob("*.py"))}
FILES = {name: file for name, file in MODULES.items() if not file.name.startswith("__")}


def room(module: str) -> str:
    """The top-level package of a module."""
    return module.split(".")[1] if "." in module else ""


def imported_files(module: str) -> Iterator[str]:
    """The files of the library from which a module imports; packages are not among them."""
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module in FILES:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in FILES)


def is_kernel(module: str) -> bool:
    return ".kernels." in module


@pytest.mark.parametrize("module", [name for name in MODULES if room(name)])
def test_other_rooms_are_entered_by_the_door(module: str) -> None:
    free = {room(module), "support"}  # support is a box of tools: each is taken from its own file
    others = {name for name in imported_files(module) if room(name) not in free and not is_kernel(name)}
    assert others == set(), "import from the package, and name it in its __init__"


def test_a_folder_can_be_taken_in_at_a_glance() -> None:
    folders = Counter(file.parent for file in MODULES.values() if file.name != "__init__.py")
    assert {str(folder): count for folder, count in folders.items() if count > MOST_FILES} == {}


def test_no_two_modules_have_one_name() -> None:
    names = Counter(file.stem for file in FILES.values())
    assert [name for name, count in names.items() if count > 1] == []


def own_test(module: str) -> Path:
    """Where the test of a module stands if it has one: in the same place of the mirror tree."""
    file = FILES[module].relative_to(ROOT)
    return TESTS / file.parent / f"test_{file.name}"


def test_tests_mirror_the_source() -> None:
    listed = {f"hoscpool.{name}" for names in THROUGH_ANOTHER.values() for name in names}
    alone = {name for name in FILES if not is_kernel(name) and not own_test(name).exists()}
    assert sorted(alone - listed) == [], "write a test of its name, or say where it is tested"
    assert sorted(listed - alone) == [], "these have a test of their own, or are gone"


@pytest.mark.parametrize("test", THROUGH_ANOTHER)
def test_the_other_test_is_there(test: str) -> None:
    assert (TESTS / test).exists()


def names_in(file: Path) -> set[str]:
    """The functions, classes, methods and imported names of a module, and those of the files of a folder."""
    files = [*file.rglob("*.py")] if file.is_dir() else [file.with_suffix(".py")]
    nodes = [node for one in files for node in ast.walk(ast.parse(one.read_text(encoding="utf-8")))]
    return {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def test_the_walks_name_what_is_there() -> None:
    """Every ``room/file.name`` on the map of the code stands in that file; ``file`` may leave out the room."""
    page = (TESTS.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    walks = page.split("## Five walks")[1].split("## Why")[0]
    named = re.findall(r"`([a-z_0-9]+(?:/[a-z_0-9]+)*)\.([A-Za-z_.]+)`", walks)
    everything = [*ROOT.rglob("*.py"), *(folder for folder in ROOT.rglob("*") if folder.is_dir())]
    assert len(named) > 30
    for path in re.findall(r"`([a-z_0-9]+(?:/[a-z_0-9]+)+)/?`", page):
        assert (ROOT / path).is_dir() or [*ROOT.rglob(f"{path}.py")], path
    for path, name in named:
        places = [one for one in everything if f"/{one.relative_to(ROOT).with_suffix('')}".endswith(f"/{path}")]
        found = [place for place in places if set(name.split(".")) <= names_in(place)]
        assert found or path == "out", f"{path}.{name}"  # out is a result, not a file


OUR_WORDS = ("hard objective", "live cluster", "equally good but for chance")


def test_no_words_that_only_we_use() -> None:
    """What a reader meets: pages, changelog, docstrings and messages."""
    root = TESTS.parent
    pages = [*root.glob("*.md"), *(root / "docs").glob("*.md"), *ROOT.rglob("*.py"), *ROOT.rglob("*.md")]
    texts = {page: " ".join(page.read_text(encoding="utf-8").lower().split()) for page in pages}
    found = [(page.name, word) for page, text in texts.items() for word in OUR_WORDS if word in text]
    assert found == [], "say it in usual words: objective of the labels, clusters in use, tied runs"
