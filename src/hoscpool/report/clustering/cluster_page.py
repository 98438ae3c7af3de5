"""The page of a clustering: scores, runs and pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hoscpool.cluster import clusterings_to_compare
from hoscpool.graph import Graph, as_graph
from hoscpool.plot import coarse_figure, curves_figure, loss_figure, require_plotly, sizes_figure
from hoscpool.report.clustering.answer import told_motif
from hoscpool.report.clustering.summary import (
    Clustering,
    describe_clusters,
    higher_order,
    is_multilevel,
    score,
    why_kept,
    why_solver,
)
from hoscpool.report.explorer.explorer_page import Shown, explorer_block
from hoscpool.report.page import Page

if TYPE_CHECKING:
    from hoscpool.cluster import HoscClustering


MAX_DISCS = 60
"""The coarsened graph is drawn up to this number of clusters."""
MAX_ROWS = 200
"""The table shows all clusters up to this number."""
RUN_COLUMNS = {
    "start": "start",
    "hard_objective": "objective of labels",
    "objective": "of memberships",
    "epochs": "epochs",
    "live_clusters": "clusters in use",
}
"""Columns of the table of runs, by the names in ``model.runs_``."""
SEARCH_COLUMNS = {
    "hard_objective": "objective of labels",
    "objective": "with weight μ",
    "mu": "μ",
    "levels": "levels",
    "live_clusters": "clusters in use",
    "seconds": "CPU seconds",
}
"""The same of the multilevel solver."""


def write_cluster_page(path: Path, result: Clustering) -> Path:
    """Write the page. Plotly must be installed."""
    model, graph = result.model, result.graph
    found = len(np.unique(model.labels_))
    page = Page(f"{graph.name or 'Graph'}: {found:,} {'community' if found == 1 else 'communities'}")
    page.text(f"{graph.num_nodes:,} nodes, {graph.num_edges:,} ties. {result.answer.quality}")
    block = explorer_block(graph, shown_clusterings(result), motif=told_motif(model.motifs_))
    page.block(block.html, block.style, block.script, block.data, "explorer", webgl=block.webgl)
    page.begin_fold("What do the words mean?")
    page.table(("word", "meaning"), _words(graph, told_motif(model.motifs_)), text=("meaning",))
    page.end_fold()
    page.begin_fold("How good is it?")
    page.table(("score", "value"), result.scores.lines())
    figures = [sizes_figure(model.coarse_.sizes.astype(int).tolist(), "Nodes in every cluster")]
    if np.count_nonzero(model.coarse_.sizes) <= MAX_DISCS:
        figures.append(coarse_figure(model.coarse_.matrices["edge"], model.coarse_.sizes, "Coarsened graph"))
    page.figures(*figures)
    page.text("Confidence: the mean of a cluster's nodes. Conductance: the share of its ties or motifs that is cut.")
    page.table(*cluster_table(result, MAX_ROWS))
    page.end_fold()
    page.begin_fold("How was it found?")
    page.text(_caption(result))
    _show_training(page, model)
    page.end_fold()
    return page.write(path)


def _words(graph: Graph, motif: str) -> list[tuple[str, str]]:
    """The words of the page. Those of motifs only if the page tells of motifs."""
    weight = "weight of the ties" if graph.is_weighted else "ties"
    words = [
        ("tie", "An edge of the graph: a line between two nodes."),
        ("triangle", "Three nodes, each tied to the two others.")
        if motif == "triangle"
        else (motif, "The motif told of."),
        ("ties inside", f"The share of the {weight} of a node, or of a community, that stays in the community."),
        ("by chance", "The same share if every node kept its ties, and all ties led to random nodes."),
        ("confidence", "How probable it is that a node belongs to its community."),
        ("second choice", "The community that a node would belong to otherwise."),
        ("place", "Nodes that are tied lie close to each other. In a large graph a community is a disc."),
    ]
    return [(word, meaning) for word, meaning in words if word != "edge"]


def cluster_table(result: Clustering, limit: int) -> tuple[list[str], list[list[str]]]:
    """Columns and rows of the table of clusters: all in order, or only the largest if there are more than ``limit``."""
    motifs = higher_order(result.model.motifs_)
    columns = ["cluster", "nodes", "share", "confidence", "conductance", *(f"{name} conductance" for name in motifs)]
    shown = result.clusters
    if len(shown) > limit:
        shown = sorted(shown, key=lambda cluster: -cluster.nodes)[:limit]
    rows = [
        [
            str(cluster.number),
            f"{cluster.nodes:,}",
            f"{cluster.nodes / result.graph.num_nodes:.1%}",
            _number(cluster.confidence),
            _number(cluster.conductance),
            *(_number(cluster.motif_conductance[name]) for name in motifs),
        ]
        for cluster in shown
    ]
    return columns, rows


def run_table(model: Any) -> tuple[list[str], list[list[str]]]:
    """Columns and rows of the table of runs."""
    columns = SEARCH_COLUMNS if is_multilevel(model) else RUN_COLUMNS
    rows = [
        [
            str(number + 1),
            *(_run_cell(name, run[name], model.n_clusters_) for name in columns),
            "kept" if number == model.kept_run_ else "",
        ]
        for number, run in enumerate(model.runs_)
    ]
    return ["run", *columns.values(), ""], rows


def _run_cell(name: str, value: Any, n_clusters: int) -> str:
    if name == "live_clusters":
        return f"{value} of {n_clusters}"
    if name == "mu":
        return f"{value:g}"
    return f"{value:.{2 if name == 'seconds' else 4}f}" if isinstance(value, float) else str(value)


def _caption(result: Clustering) -> str:
    graph, model = result.graph, result.model
    motifs = ", ".join(f"{name} {weight:g}" for name, weight in model.motifs_.items())
    share = f" ({model.feature_weight_:.0%} of the cuts on similar features)" if model.feature_weight_ else ""
    features = f", {graph.num_features:,} features" if graph.features is not None else ""
    how = "multilevel solver" if is_multilevel(model) else f"preset {model.preset!r}"
    return (
        f"{graph.num_nodes:,} nodes, {graph.num_edges:,} edges{features}. Method {model.method!r}, "
        f"{how}, motifs: {motifs}{share}; μ = {model.mu:g}, seed {model.random_state}"
        f"{'' if result.seconds is None else f', {result.seconds:.1f} s'}."
    )


def shown_clusterings(result: Clustering) -> dict[str, Any]:
    """The fitted clusters with their confidence, and the clusterings to compare them with."""
    model = result.model
    sure = (model.confidence_, model.second_choice_, model.between_) if model.knows_confidence else ()
    own = {f"{len(np.unique(model.labels_))} communities": Shown(model.labels_, *sure)}
    return {**own, **clusterings_to_compare(model, result.graph)}


def _show_training(page: Page, model: Any) -> None:
    page.text(why_solver(model))
    page.text(why_kept(model))
    page.text(_SEARCH_WORDS if is_multilevel(model) else _RUN_WORDS)
    page.table(*run_table(model), text=("start", ""))
    figures = _loss_figures(model.history_)
    if hasattr(model, "selection_"):
        chosen = model.selection_
        names = ("motif_conductance", "modularity", "stability", "score")
        curves = {name.replace("_", " "): getattr(chosen, name) for name in names}
        figures.append(curves_figure(chosen.k, curves, f"Choice of K: {chosen.n_clusters}", "number of clusters"))
    if figures:
        page.figures(*figures)


_RUN_WORDS = (
    "Every run starts from another view of the graph. Objective of labels: the loss of the final clusters, with "
    "weight 1 for balance. Runs are compared by it; lower is better. Of memberships: the same for the soft "
    "memberships, with weight μ for balance."
)
_SEARCH_WORDS = (
    "The multilevel solver trains no network, so there are no loss curves. It minimises the loss of the labels with "
    "weight μ for balance, and raises μ while a cluster is tiny. Objective of labels: the same loss with weight 1 "
    "for balance, to compare with other fits; lower is better. Memberships: the share of a node's weight that goes to "
    "each cluster."
)


def _loss_figures(history: dict[str, list[float]]) -> list[Any]:
    """Two figures: the minimised loss, and its terms, whose values may differ much."""
    whole = {name: values for name, values in history.items() if name in ("loss", "objective")}
    terms = {name: values for name, values in history.items() if name not in whole}
    pairs = ((whole, "Loss, and objective with constant weights"), (terms, "Terms of the loss, without their weights"))
    return [loss_figure(curves, title) for curves, title in pairs if any(curves.values())]


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


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
