"""A clustering as files: labels, memberships, the coarsened graph, the model, a summary, and a page with pictures."""

from __future__ import annotations

import gzip
import io
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from hoscpool import __version__
from hoscpool.graph import Graph, write_rows
from hoscpool.report.clustering.cluster_page import write_cluster_page
from hoscpool.report.clustering.exchange_files import MOST_EDGES, node_attributes, write_gexf, write_graphml
from hoscpool.report.clustering.summary import Clustering, higher_order, why_kept, why_solver
from hoscpool.report.folder import Step, write_report_folder
from hoscpool.support.errors import GraphWarning
from hoscpool.support.progress import Progress
from hoscpool.training import number_of_ranks

MAX_PLAIN = 2_000_000
"""Up to this many numbers the table is a plain .csv, which any program opens. A larger one is a .csv.gz."""
ROWS = 10_000
"""Rows written between two steps of the progress bar."""


def write_clustering(folder: Path, result: Clustering, *, force: bool = False, quiet: bool = False) -> list[Path]:
    """Write all files, completely or not at all; see `write_folder`.

    Returns:
        The files. Without Plotly there is no page, and a warning says so.
    """
    steps: list[Step] = [
        lambda path: _write_labels(path / "labels.csv", result),
        lambda path: _write_memberships(path, result, quiet),
        lambda path: _write_coarse(path, result),
        lambda path: _write_exchange(path, result),
        lambda path: result.model.save(path / "model"),
    ]
    page, title = partial(write_cluster_page, result=result), None if quiet else "writing"
    return write_report_folder(folder, steps, clustering_summary(result), page, force=force, title=title)


def clustering_summary(result: Clustering) -> dict[str, Any]:
    """Everything except the nodes, ready for JSON."""
    graph, model = result.graph, result.model
    selection = getattr(model, "selection_", None)
    return {
        "version": __version__,
        "command": "cluster",
        "graph": {
            "name": graph.name,
            "nodes": graph.num_nodes,
            "edges": graph.num_edges,
            "directed": graph.is_directed,
            "weighted": graph.is_weighted,
            "features": graph.num_features,
            "notes": list(graph.notes),
        },
        "settings": {name: _plain(value) for name, value in model.get_params(deep=False).items()},
        "n_clusters": model.n_clusters_,
        "motifs": model.motifs_,
        "feature_weight": model.feature_weight_,
        **result.answer.as_json(),
        "scores": asdict(result.scores),
        "clusters": [asdict(cluster) for cluster in result.clusters],
        "runs": model.runs_,
        "kept_run": model.kept_run_,
        "solver": why_solver(model),
        "why_kept": why_kept(model),
        "agreement": model.agreement_,
        "selection": None if selection is None else asdict(selection),
        "ranks": number_of_ranks(),
        "seconds": None if result.seconds is None else round(result.seconds, 3),
    }


def _plain(value: Any) -> Any:
    if isinstance(value, dict | list | tuple | str | int | float | None):
        return value
    return str(value)


def _write_labels(path: Path, result: Clustering) -> None:
    columns, rows = node_rows(result)
    with path.open("w", newline="", encoding="utf-8") as file:
        _write_table(file, columns, rows)


def node_rows(result: Clustering) -> tuple[list[str], Iterable[Sequence[Any]]]:
    """The columns of ``labels.csv``, and one row for every node."""
    columns = node_columns(result.graph, result.model)
    return list(columns), zip(*columns.values(), strict=True)


def node_columns(graph: Graph, model: Any) -> dict[str, Sequence[Any]]:
    """Every node with its title, if it has one, its cluster, how sure that is, and the second choice (−1: none)."""
    columns: dict[str, Sequence[Any]] = {"node": graph.names}
    if graph.node_titles is not None:
        columns["title"] = graph.node_titles
    columns["cluster"] = model.labels_.tolist()
    if model.knows_confidence:
        columns["confidence"] = [round(share, 3) for share in model.confidence_.tolist()]
        columns["second_choice"] = model.second_choice_.tolist()
    return columns


def _write_memberships(folder: Path, result: Clustering, quiet: bool) -> None:
    """S by node name, one column per cluster, six digits."""
    assignment, names = result.model.assignment_, result.graph.names
    with (
        _open_table(folder / "memberships.csv", assignment.size) as file,
        Progress(None if quiet else "writing memberships", len(assignment)) as progress,
    ):
        _write_table(file, ["node", *(f"cluster_{k}" for k in range(assignment.shape[1]))], ())
        form = ",".join(["%.6g"] * assignment.shape[1])
        for first in range(0, len(assignment), ROWS):
            rows = assignment[first : first + ROWS].tolist()
            part = names[first : first + ROWS]
            file.writelines(f"{_first_cell(name)}{form % tuple(row)}\n" for name, row in zip(part, rows, strict=True))
            progress.advance(len(rows))


def _first_cell(name: Any) -> str:
    """A name as the first cell of a row, with its quotes and the comma. The csv module would take minutes for S."""
    if isinstance(name, int):
        return f"{name},"
    row = io.StringIO()
    write_rows(row, [[name, 0]])
    return row.getvalue().removesuffix("0\n")


def _write_coarse(folder: Path, result: Clustering) -> None:
    """The clusters as nodes, and the edge weight between every two clusters."""
    motifs = higher_order(result.model.motifs_)
    columns = ["cluster", "nodes", "confidence", "inside", "cut", "conductance"]
    rows = (
        [c.number, c.nodes, c.confidence, c.inside, c.cut, c.conductance, *(c.motif_conductance[m] for m in motifs)]
        for c in result.clusters
    )
    with (folder / "coarse_nodes.csv").open("w", newline="", encoding="utf-8") as file:
        _write_table(file, [*columns, *(f"{motif}_conductance" for motif in motifs)], rows)
    links = np.triu(result.model.coarse_.matrices["edge"], k=1)
    pairs = ([a, b, links[a, b]] for a, b in np.argwhere(links != 0).tolist())
    with (folder / "coarse_edges.csv").open("w", newline="", encoding="utf-8") as file:
        _write_table(file, ["source", "target", "weight"], pairs)


def _write_exchange(folder: Path, result: Clustering) -> None:
    """The graph with its clusters for Gephi and Cytoscape."""
    graph, model = result.graph, result.model
    if graph.num_edges > MOST_EDGES:
        message = f"the graph has more than {MOST_EDGES:,} edges, so graph.gexf and graph.graphml were left out"
        warnings.warn(message, GraphWarning, stacklevel=2)
        return
    between = model.between_.tolist() if model.knows_confidence else None
    attributes = node_attributes(graph, node_columns(graph, model), between)
    write_gexf(folder / "graph.gexf", graph, attributes, model.labels_.tolist())
    write_graphml(folder / "graph.graphml", graph, attributes)


def _open_table(path: Path, size: int) -> Any:
    if size <= MAX_PLAIN:
        return path.open("w", newline="", encoding="utf-8")
    return gzip.open(path.with_suffix(".csv.gz"), "wt", compresslevel=4, newline="", encoding="utf-8")


def _write_table(file: Any, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    write_rows(file, [columns])
    write_rows(file, rows)
