"""`explore`: a page about a graph and clusterings from anywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from hoscpool.graph import as_graph
from hoscpool.metrics import number_clusters
from hoscpool.motifs import get_motif
from hoscpool.plot import require_plotly
from hoscpool.report.clustering.answer import make_answer
from hoscpool.report.explorer.explorer_page import explorer_block
from hoscpool.report.page import Page


def explore(
    graph: Any,
    labels: Any,
    *,
    path: str | Path,
    motif: str = "triangle",
    titles: Sequence[Any] | None = None,
    feature_names: Sequence[str] | None = None,
) -> Path:
    """Write a page on which a person can explore communities: search, click, compare, filter, download.

    The page is one file. It loads nothing from the network.

    Args:
        graph: Anything that `as_graph` takes. Its names, features and classes are shown.
        labels: Community of every node, numbers or text, from any method; or several clusterings by name, between which
            the reader can switch.
        path: The file to write.
        motif: The motif that explains why two nodes are together; ``"edge"``: ties alone.
        titles: What every node is called on the page. Default: its name.
        feature_names: Name of every feature.

    Returns:
        The file.

    Raises:
        MissingDependencyError: Plotly is not installed.
        ValueError: Labels, titles or names of features do not fit the graph, or the motif is unknown or directed.

    Examples:
        >>> import networkx as nx
        >>> graph = nx.karate_club_graph()
        >>> page = explore(graph, [graph.nodes[i]["club"] for i in graph], path="club.html")  # doctest: +SKIP
    """
    require_plotly()
    found = as_graph(graph)
    if get_motif(motif).is_directed:
        raise ValueError(f"motif: expected an undirected motif, got {motif!r}; the page ignores directions")
    for what, given, wanted in (
        ("titles", titles, found.num_nodes),
        ("feature_names", feature_names, found.num_features),
    ):
        if given is not None and len(given) != wanted:
            raise ValueError(f"{what}: expected {wanted:,}, got {len(given):,}")
    several = labels if isinstance(labels, Mapping) else {"": labels}
    if not several:
        raise ValueError("labels: expected at least one clustering, got none")
    clusterings = {}
    for name, one in several.items():
        cluster, count = number_clusters(one, found.num_nodes)
        clusterings[str(name) or f"{count} communities"] = np.asarray(cluster, dtype=np.int64)
    page = Page(found.name or "Communities")
    answer = make_answer(replace(found, features=None), next(iter(clusterings.values())), motif)
    page.text(
        f"{found.num_nodes:,} nodes, {found.num_edges:,} ties. {answer.quality if found.num_edges else ''}".rstrip()
    )
    block = explorer_block(found, clusterings, motif=motif, titles=titles, feature_names=feature_names)
    page.block(block.html, block.style, block.script, block.data, "explorer", webgl=block.webgl)
    return page.write(Path(path))
