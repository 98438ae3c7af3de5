"""The demo's tables and page: motifs of Syn1, the clusters found by edges and by motifs, and a graph with names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hoscpool.cluster import match_numbers
from hoscpool.graph import Graph
from hoscpool.motifs import get_motif, motif_adjacency, motif_count, motif_instances
from hoscpool.plot import matrix_figure, network_figure, require_plotly
from hoscpool.report.clustering.answer import told_motif
from hoscpool.report.clustering.cluster_page import shown_clusterings
from hoscpool.report.clustering.summary import Clustering, Scores
from hoscpool.report.explorer.explorer_page import explorer_block
from hoscpool.report.page import Page

MOTIFS = ("edge", "wedge", "triangle", "cycle4", "diamond", "clique4")
COLUMNS = ("motif", "instances", "nodes in one", "in one community", "by chance")
SCORE_COLUMNS = ("method", "sees", "NMI", "triangle conductance", "conductance")
DRAWN = 100
"""A graph is drawn up to this number of nodes. A larger one is shown as a matrix."""


@dataclass(frozen=True)
class DemoRun:
    """One clustering of the demo.

    Attributes:
        method: Its name.
        sees: What it uses: edges, or more.
        labels: The clusters.
        scores: How good they are.
    """

    method: str
    sees: str
    labels: np.ndarray[Any, Any]
    scores: Scores

    @property
    def row(self) -> tuple[str, ...]:
        """The clustering under `SCORE_COLUMNS`."""
        s = self.scores
        numbers = (s.nmi or 0.0, s.motif_conductance["triangle"], s.conductance)
        return self.method, self.sees, *(f"{number:.3f}" for number in numbers)


def motif_statistics(graph: Graph) -> list[tuple[str, ...]]:
    """One row per motif: instances, nodes in one, share inside a single community, and this share by chance."""
    return [_row(graph, name) for name in MOTIFS]


def _row(graph: Graph, name: str) -> tuple[str, ...]:
    instances = motif_instances(graph, name)
    labels = np.asarray(graph.labels)[instances]
    inside = (labels == labels[:, :1]).all(axis=1).mean() if len(instances) else float("nan")
    count, nodes = motif_count(graph, name), len(np.unique(instances))
    chance = _chance(np.bincount(np.asarray(graph.labels)), get_motif(name).num_nodes)
    share = f"{inside:.1%}" if len(instances) else "–"
    return name, f"{count:,}", f"{nodes:,} of {graph.num_nodes:,}", share, f"{chance:.1%}"


def _chance(sizes: np.ndarray[tuple[int], np.dtype[np.int64]], k: int) -> float:
    """Probability that k different random nodes have the same class."""
    steps = np.arange(k)
    drawn = np.clip(sizes[:, None] - steps, 0, None) / (sizes.sum() - steps)
    return float(drawn.prod(axis=1).sum())


def write_demo_page(
    path: Path, graph: Graph, statistics: Sequence[tuple[str, ...]], runs: Sequence[DemoRun], named: Clustering
) -> Path:
    """The page of the demo: a graph as its edges and as its triangles, and communities of named nodes to explore.

    Args:
        path: Where to write it.
        graph: With classes.
        statistics: What `motif_statistics` gave.
        runs: The clusterings. One by edges and one by triangles are drawn.
        named: A clustering of a graph with names.

    Raises:
        MissingDependencyError: Plotly is not installed.
    """
    require_plotly()
    page = Page("HoscPool demo: what motifs reveal")
    page.text(
        "A motif adjacency matrix counts, for every pair of nodes, the motif instances that contain both. "
        "Communities that the edges hide can be obvious in the triangles."
    )
    page.heading(f"{graph.name}: hidden in the edges, obvious in the triangles")
    page.text(_caption(graph))
    page.figures(*_graph_figures(graph))
    page.table(COLUMNS, statistics)
    page.text(
        "We cluster by edges alone and by triangles, with as many clusters as communities. The pictures below show "
        "the triangles again, ordered or coloured by the clusters found. NMI: agreement with the communities; 1 "
        "is perfect. Conductance: the share of a cluster's volume (in edges or triangles) that is cut; 0 is "
        "perfect."
    )
    page.table(SCORE_COLUMNS, [run.row for run in runs], text=("sees",))
    page.figures(*_run_figures(graph, runs))
    page.heading("A graph with names: who appears together in Les Misérables")
    page.text(f"{named.answer.quality} Click a character or a community, or search for a name.")
    motif = told_motif(named.model.motifs_)
    block = explorer_block(named.graph, shown_clusterings(named), motif=motif)
    page.block(block.html, block.style, block.script, block.data, "explorer", webgl=block.webgl)
    return page.write(path)


def _graph_figures(graph: Graph) -> list[Any]:
    """Edges and triangles, with the known communities."""
    draw, labels = _picture(graph), np.asarray(graph.labels)
    titles = ("Edges", "Edges by their triangles") if graph.num_nodes <= DRAWN else ("Adjacency A", "Triangles A² ⊙ A")
    return [draw(motif, labels, title) for motif, title in zip(("edge", "triangle"), titles, strict=True)]


def _run_figures(graph: Graph, runs: Sequence[DemoRun]) -> list[Any]:
    """The triangles with the clusters found: the first clustering by edges alone, and the first that uses more."""
    draw = _picture(graph)
    alone = next(run for run in runs if run.sees == "edges")
    more = next(run for run in runs if run.sees != "edges")
    found = [(match_numbers(np.asarray(graph.labels), run.labels), run) for run in (alone, more)]
    return [draw("triangle", labels, f"Clusters by {run.sees} ({run.method})") for labels, run in found]


def _picture(graph: Graph) -> Callable[[str, np.ndarray[Any, Any], str], Any]:
    def draw(motif: str, labels: np.ndarray[Any, Any], title: str) -> Any:
        weights = motif_adjacency(graph, motif)
        if graph.num_nodes <= DRAWN:
            return network_figure(graph, weights, title, labels=labels)
        return matrix_figure(weights, labels, title)

    return draw


def _caption(graph: Graph) -> str:
    size = (
        f"{graph.num_nodes:,} nodes, {graph.num_edges:,} edges, {len(np.unique(np.asarray(graph.labels)))} communities"
    )
    if graph.num_nodes <= DRAWN:
        return f"{size}. Nodes are coloured by community. Darker edges lie in more triangles."
    return f"{size}. Rows and columns are ordered by community. Grey points join different communities."
