"""The demo's tables and page: how motifs see the Karate club and Syn1."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from hoscpool.graph import Graph
from hoscpool.motifs import get_motif, motif_adjacency, motif_count, motif_instances
from hoscpool.report.figures import matrix_figure, network_figure
from hoscpool.report.page import Page, require_plotly

MOTIFS = ("edge", "wedge", "triangle", "cycle4", "diamond", "clique4")
COLUMNS = ("motif", "instances", "nodes in one", "in one community", "by chance")


def motif_statistics(graph: Graph) -> list[tuple[str, ...]]:
    """One row a motif: instances, nodes that lie in one, share inside a single community, and that share by chance."""
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
    """Probability that k nodes drawn without replacement are of one class."""
    steps = np.arange(k)
    drawn = np.clip(sizes[:, None] - steps, 0, None) / (sizes.sum() - steps)
    return float(drawn.prod(axis=1).sum())


def write_demo_page(path: Path, graphs: Sequence[Graph], statistics: dict[str, list[tuple[str, ...]]]) -> Path:
    """The page of the demo: the first graph drawn, the others as matrices, with their tables.

    Raises:
        MissingDependencyError: Plotly is not installed.
    """
    require_plotly()
    page = Page("HoscPool demo: what motifs reveal")
    page.text(
        "A motif adjacency matrix counts, for every pair of nodes, the motif instances that contain both. "
        "Communities that are invisible in the edges can be plain in the triangles."
    )
    for graph in graphs:
        page.heading(str(graph.name))
        page.text(_caption(graph))
        edges, triangles = motif_adjacency(graph, "edge"), motif_adjacency(graph, "triangle")
        if graph.num_nodes <= 100:
            page.figures(
                network_figure(graph, edges, "Edges"), network_figure(graph, triangles, "Edges by their triangles")
            )
        else:
            labels = np.asarray(graph.labels)
            page.figures(
                matrix_figure(edges, labels, "Adjacency A"), matrix_figure(triangles, labels, "Triangles A² ⊙ A")
            )
        page.table(COLUMNS, statistics[str(graph.name)])
    return page.write(path)


def _caption(graph: Graph) -> str:
    size = (
        f"{graph.num_nodes:,} nodes, {graph.num_edges:,} edges, {len(np.unique(np.asarray(graph.labels)))} communities"
    )
    if graph.num_nodes <= 100:
        return f"{size}. Nodes are coloured by community; edges are the darker the more triangles they lie in."
    return f"{size}. Rows and columns are ordered by community; grey points join different communities."
