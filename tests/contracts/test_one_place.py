"""An encoder, a pool, a dataset and a table are each added by one object, and everything knows them then."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch_geometric.data import Data

import hoscpool as hp
from hoscpool.cli import main
from hoscpool.datasets import DatasetInfo, register_dataset
from hoscpool.datasets.dataset_catalog import CATALOG
from hoscpool.experiments.experiment import Experiment, experiments, register_experiment
from hoscpool.experiments.paper_tables import PAPER_TABLES, Number, PaperTable, register_table
from hoscpool.experiments.running.cell import Cell
from hoscpool.experiments.tables import make_view
from hoscpool.experiments.tables.summaries import Results
from hoscpool.nn import Encoder, NoPool, register_encoder, register_pool
from hoscpool.nn.encoders.encoder import ENCODERS, apply_linear
from hoscpool.nn.pools.registry import POOLS
from hoscpool.report.results.reproduction import reproduction_pages


class SumOnly(Encoder):
    """An encoder: A X Θ."""

    def __init__(self, in_channels: int, out_channels: int) -> None:
        super().__init__(in_channels, out_channels)
        self.linear = nn.Linear(in_channels, out_channels)

    def encode(self, x: Any, graph: Any) -> Tensor:
        return graph.propagate(apply_linear(self.linear, x))  # type: ignore[no-any-return]


class SamePool(NoPool):
    """A pool."""


class EdgeCutPool(hp.nn.MlpPool):
    """A pool with a loss of its own, and so a way to cluster."""

    cut_along = ("edge",)

    @staticmethod
    def losses(graph: Any, assignment: Tensor, sums: Any) -> dict[str, Tensor]:  # noqa: ARG004
        kept = (sums.association[0] / sums.volume[0].clamp(min=1e-6)).mean()
        return {"cut": -kept, "even": (assignment.mean(dim=0) ** 2).sum()}


def two_cliques(_data_root: object) -> hp.Graph:
    """A graph."""
    rows = nx.to_scipy_sparse_array(nx.barbell_graph(5, 0), weight=None)
    return hp.as_graph(rows, labels=np.repeat([0, 1], 5))


def paths_and_cliques(_data_root: object) -> list[Data]:
    """A set of graphs."""
    shapes = [(nx.path_graph, nx.complete_graph)[number % 2](4 + number % 3) for number in range(40)]
    edges = [torch.tensor([*shape.edges, *((v, u) for u, v in shape.edges)]).T for shape in shapes]
    return [
        Data(edge_index=found, y=torch.tensor([number % 2]), num_nodes=len(shape))
        for number, (shape, found) in enumerate(zip(shapes, edges, strict=True))
    ]


CLIQUES = DatasetInfo("two-cliques", "node", "two cliques and an edge", 10, 21, 0, 2, loader=two_cliques)
SHAPES = DatasetInfo("shapes", "graph", "paths and cliques", 199, 0, 0, 2, graphs=40, loader=paths_and_cliques)


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """Nothing of this stays for other tests."""
    registries = (ENCODERS, POOLS, CATALOG, PAPER_TABLES, experiments())
    before = [list(registry) for registry in registries]
    with ENCODERS.restored(), POOLS.restored(), CATALOG.restored(), PAPER_TABLES.restored(), experiments().restored():
        yield
    assert [list(registry) for registry in registries] == before


def classify(folder: Path, *arguments: str) -> int:
    """``hoscpool classify`` on the set of graphs, as short as can be."""
    register_dataset(SHAPES)
    return main(["classify", "shapes", "--splits", "1", "--max-epochs", "1", "-o", str(folder), *arguments])


def test_an_encoder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    register_encoder("sum-only")(SumOnly)
    assert "sum-only" in hp.nn.list_encoders()
    assert isinstance(hp.nn.make_encoder("sum-only", 3, 4), SumOnly)
    assert classify(tmp_path / "out", "--encoder", "sum-only") == 0
    model = hp.GraphClassifier.load(tmp_path / "out" / "model")
    assert all(isinstance(encoder, SumOnly) for encoder in model.network_.encoders)
    assert classify_error(capsys, "--encoder", "sum-onyl") == "sum-only"


def test_a_pool(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    register_pool("same", "the same graphs again", title="SamePool")(SamePool)
    assert "same" in hp.nn.list_pools()
    assert isinstance(hp.nn.make_pool("same", in_channels=3), SamePool)
    assert classify(tmp_path / "out", "--pooling", "same") == 0
    model = hp.GraphClassifier.load(tmp_path / "out" / "model")
    assert all(isinstance(pool, SamePool) for pool in model.network_.pools)
    assert classify_error(capsys, "--pooling", "smae") == "same"
    assert experiments()["classification"].title("same") == "SamePool"


def test_a_pool_with_losses_is_a_way_to_cluster(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    register_pool("edge-cut", "the mean share of edges inside")(EdgeCutPool)
    register_dataset(CLIQUES)
    graph = hp.datasets.load("two-cliques")
    model = hp.HoscClustering(2, method="edge-cut", n_init=1, max_epochs=20, random_state=0).fit(graph)
    assert set(model.history_) == {"loss", "objective", "cut", "even"}
    assert hp.metrics.nmi(graph.labels, model.labels_) == 1
    out = tmp_path / "out"
    assert main(["cluster", "two-cliques", "-k", "2", "--method", "edge-cut", "-o", str(out)]) == 0
    assert main(["cluster", "two-cliques", "-k", "2", "--method", "edge-cutt"]) == 2
    assert "Did you mean 'edge-cut'?" in capsys.readouterr().err


def classify_error(capsys: pytest.CaptureFixture[str], option: str, misspelt: str) -> str:
    """The name that the command line takes for the right one, when it lists it among the valid ones."""
    capsys.readouterr()
    assert main(["classify", "shapes", option, misspelt]) == 2
    message = capsys.readouterr().err
    meant = message.split("Did you mean '")[1].split("'")[0]
    assert meant in message.split("Valid")[1]
    return meant


def test_the_documentation_lists_every_pool_and_encoder() -> None:
    text = (Path(__file__).resolve().parents[2] / "docs" / "pooling.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([a-z0-9-]+)` \| (.*) \| .* \|$", text, re.MULTILINE)
    assert listed == [(name, hp.nn.pool_info(name).description) for name in hp.nn.list_pools()]
    match = re.search(r"make_encoder\((.*), in_channels", text)
    assert match
    assert sorted(re.findall(r'"([a-z-]+)"', match[1])) == hp.nn.list_encoders()


def test_a_class_may_stand_where_a_name_does() -> None:
    assert isinstance(hp.nn.make_encoder(SumOnly, 3, 4), SumOnly)
    assert isinstance(hp.nn.make_pool(SamePool, in_channels=3), SamePool)
    assert isinstance(hp.nn.make_pool(hp.nn.pool_info("hp-1"), in_channels=3, num_clusters=2), hp.nn.HoscPool)
    with pytest.raises(ValueError, match="unknown option 'heads' of 'SumOnly'"):
        hp.nn.make_encoder(SumOnly, 3, 4, heads=2)


def test_a_dataset(capsys: pytest.CaptureFixture[str]) -> None:
    register_dataset(CLIQUES)
    assert "two-cliques" in hp.datasets.list_datasets("node")
    assert hp.datasets.load("two-cliques").num_edges == 21
    assert main(["motifs", "two-cliques", "--motif", "triangle"]) == 0
    assert main(["datasets"]) == 0
    assert "two-cliques" in capsys.readouterr().out
    assert main(["motifs", "two-clique", "--motif", "triangle"]) == 2
    assert "did you mean 'two-cliques'?" in capsys.readouterr().err
    with pytest.raises(ValueError, match="Did you mean 'two-cliques'"):
        hp.datasets.load("two-clique")


def test_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    register_dataset(CLIQUES)
    table = PaperTable(
        *("cliques", "NMI on two cliques", "", "clustering"),
        datasets=("two-cliques",),
        methods=("sc", "msc"),
        numbers=(Number("nmi"),),
        seeds=1,
        note="Made up.",
    )
    register_table(table)
    with pytest.raises(SystemExit):
        main(["reproduce", "--help"])
    assert "cliques" in capsys.readouterr().out
    assert main(["reproduce", "cliques", "--results", str(tmp_path)]) == 0
    assert "1.000" in capsys.readouterr().out
    found = make_view("cliques", Results(tmp_path)).at("two-cliques", "MSC")
    assert found is not None
    assert found.measured is not None
    assert found.measured.mean == 1
    pages = reproduction_pages(Results(tmp_path))
    assert pages["reproduction/cliques.md"].startswith("# NMI on two cliques (not in the paper)\n")
    assert "\nMade up.\n" in pages["reproduction/cliques.md"]
    assert "| two-cliques | 1.000 (1) | 1.000 (1) |" in pages["reproduction/cliques.md"]
    assert "[NMI on two cliques](reproduction/cliques.md)" in pages["reproduction.md"]


def test_an_experiment(tmp_path: Path) -> None:
    def run(cell: Cell, _data_root: object) -> dict[str, Any]:
        return {"metrics": {"length": len(cell.method)}, "seconds": {"wall": 0.0, "cpu": 0.0}, "info": {}}

    register_experiment(Experiment("lengths", lambda _, method: {"method": method}, run, {"ab": "A and B"}))
    numbers = (Number("length", digits=0),)
    register_table(PaperTable("lengths", "lengths of names", "", "lengths", ("karate",), ("ab", "abc"), numbers))
    assert main(["reproduce", "lengths", "--results", str(tmp_path), "--seeds", "2"]) == 0
    found = make_view("lengths", Results(tmp_path)).at("Karate", "A and B")
    assert found is not None
    assert found.measured is not None
    assert (found.measured.mean, found.measured.count) == (2, 2)
