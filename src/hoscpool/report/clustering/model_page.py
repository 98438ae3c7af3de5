"""The page of a fitted model, without the other files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from hoscpool.graph import Graph, as_graph
from hoscpool.plot import require_plotly
from hoscpool.report.clustering.cluster_page import write_cluster_page
from hoscpool.report.clustering.summary import Clustering, describe_clusters, score

if TYPE_CHECKING:
    from hoscpool.cluster import HoscClustering


def report_model(model: HoscClustering, path: Path, graph: Any = None) -> Path:
    """Write the page of a fitted model; see `HoscClustering.report`."""
    require_plotly()
    return write_cluster_page(path, clustering_of(model, graph))


def clustering_of(model: HoscClustering, graph: Any = None) -> Clustering:
    """A fitted model with its scores.

    Raises:
        ValueError: The graph is not known, or has other nodes.
    """
    found: Graph | None = getattr(model, "graph_", None) if graph is None else as_graph(graph)
    if found is None:
        raise ValueError("graph: expected the graph of the fit, which is not saved with a model; pass graph=…")
    if found.num_nodes != len(model.labels_):
        raise ValueError(
            f"graph: expected the {len(model.labels_):,} nodes of the fit, got {found.num_nodes:,}; "
            "pass the graph that was clustered"
        )
    scores = score(found, model.labels_, model.motifs_)
    return Clustering(found, model, scores, describe_clusters(found, model), None)
