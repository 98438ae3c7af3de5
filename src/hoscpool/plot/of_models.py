"""`hp.plot`: one call for a picture of a graph, of clusters, of motifs, of a training, of a hierarchy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from hoscpool.graph import as_graph
from hoscpool.motifs import motif_count
from hoscpool.plot.figures import (
    clusters_figure,
    coarse_figure,
    colour,
    layout,
    loss_figure,
    nodes_to_draw,
    require_plotly,
    with_axes,
)

COUNTED = ("edge", "wedge", "triangle", "cycle4", "diamond", "clique4")
"""Motifs that are counted where none are named."""


def graph(source: Any, labels: Any = None, *, title: str | None = None) -> Any:
    """The nodes of a graph, placed by their edges and coloured by label.

    Of a large graph, the nodes with most neighbours are drawn; the title says so.

    Args:
        source: Anything that `as_graph` takes.
        labels: Label of every node, numbers or text. Default: the graph's classes, if it has any.
        title: Title of the figure.

    Returns:
        A Plotly figure.

    Raises:
        MissingDependencyError: Plotly is not installed.
        ValueError: The labels do not fit the graph.

    Examples:
        >>> import networkx as nx
        >>> figure = graph(nx.karate_club_graph(), [0] * 17 + [1] * 17)
        >>> [trace.name for trace in figure.data]
        ['edges', '0', '1']
    """
    require_plotly("a picture")
    found = as_graph(source)
    given = found.labels if labels is None else labels
    numbers, words = _numbered(given, found.num_nodes)
    nodes, notice = nodes_to_draw(found)
    figure = clusters_figure(found, numbers, nodes, " ".join(filter(None, [title or found.name or "Graph", notice])))
    if given is None:
        figure.update_layout(showlegend=False)
    for trace in figure.data[1:]:
        name = words[int(trace.name.removeprefix("cluster "))]
        trace.name = name if labels is not None else f"class {name}"
    return figure


def clusters(source: Any, labels: Any = None, *, title: str | None = None) -> Any:
    """The coarsened graph: a disc for every cluster, and a line between two clusters as wide as their edge weight.

    Args:
        source: A fitted `HoscClustering`, or anything that `as_graph` takes.
        labels: Cluster of every node of the graph. Not with a model.
        title: Title of the figure.

    Raises:
        MissingDependencyError: Plotly is not installed.
        ValueError: There are no labels, or they do not fit the graph.

    Examples:
        >>> import networkx as nx
        >>> clusters(nx.ring_of_cliques(3, 5), [0] * 5 + [1] * 5 + [2] * 5).data[-1].text
        ('0', '1', '2')
    """
    require_plotly("a picture")
    words = None
    if hasattr(source, "coarse_"):
        links, sizes = source.coarse_.matrices["edge"], source.coarse_.sizes
    elif labels is None:
        raise ValueError("labels: expected the cluster of every node, got none; pass labels, or a fitted model")
    else:
        found = as_graph(source).undirected()
        numbers, words = _numbered(labels, found.num_nodes)
        onto = sp.csr_array((np.ones(len(numbers)), (np.arange(len(numbers)), numbers)))
        links, sizes = (onto.T @ found.adjacency @ onto).toarray(), np.bincount(numbers).astype(float)
    figure = coarse_figure(links, sizes, title or "Clusters")
    if words is not None:
        figure.data[-1].text = tuple(words)
    return figure


def motifs(source: Any, names: Iterable[Any] | None = None, *, title: str | None = None) -> Any:
    """How often motifs occur: a bar for each, on a logarithmic axis.

    Args:
        source: Anything that `as_graph` takes; or a table of `motif_profile`, of which the z-scores are drawn.
        names: The motifs to count. Default: the undirected ones of up to four nodes that are quick to count.
        title: Title of the figure.

    Raises:
        MissingDependencyError: Plotly is not installed.

    Examples:
        >>> import networkx as nx
        >>> motifs(nx.complete_graph(4), ["edge", "triangle"]).data[0].y
        (6, 4)
    """
    require_plotly("a picture")
    import plotly.graph_objects as go

    if hasattr(source, "columns") and "z" in source.columns:
        shown, values = [str(name) for name in source.index], [float(z) for z in source["z"]]
        marker = {"color": [colour(0) if z >= 0 else colour(1) for z in values]}
        axes = with_axes(title or "Motifs beyond chance", "motif", "z-score")
        return go.Figure(go.Bar(x=shown, y=values, marker=marker), axes)
    found = as_graph(source)
    chosen = list(COUNTED if names is None else names)
    counts = {str(getattr(name, "name", name)): motif_count(found, name) for name in chosen}
    bars = go.Bar(
        x=list(counts),
        y=list(counts.values()),
        text=[f"{number:,}" for number in counts.values()],
        marker={"color": colour(0)},
    )
    figure = go.Figure(bars, with_axes(title or "Motifs", "motif", "instances"))
    figure.update_yaxes(type="log")
    return figure


def training(model: Any, *, title: str | None = None) -> Any:
    """Every curve of a fit over its epochs. A click on a name hides its curve.

    Args:
        model: A fitted `HoscClustering` or `GraphClassifier`.
        title: Title of the figure.

    Raises:
        MissingDependencyError: Plotly is not installed.
        ValueError: The clusters were found without training.
    """
    require_plotly("a picture")
    history = {name: values for name, values in model.history_.items() if len(values)}
    if not history:
        raise ValueError(
            "model: expected a fit that trained a network, got one without epochs; pass max_epochs=200 to train one"
        )
    return loss_figure(history, title or "Training")


def hierarchy(model: Any, n_clusters: Sequence[int] | None = None, *, title: str | None = None) -> Any:
    """Clusters within larger clusters, from one level to the next. A click on a part shows it alone.

    Args:
        model: A fitted `HoscClustering`.
        n_clusters: Numbers of clusters of the levels. Default: all in use, a half of them, a quarter, and so on.
        title: Title of the figure.

    Raises:
        MissingDependencyError: Plotly is not installed.
        ValueError: A number is not between 1 and the number of clusters in use.
    """
    require_plotly("a picture")
    import plotly.graph_objects as go

    used = int(np.count_nonzero(model.coarse_.sizes))
    wanted = halves(used) if n_clusters is None else list(n_clusters)
    levels = model.hierarchy(wanted)
    ids, texts, parents, values, colours = ["all"], ["all nodes"], [""], [len(model.labels_)], ["#dde3ea"]
    for number in reversed(range(len(levels))):  # the coarsest first
        level, above = levels[number], levels[number + 1] if number + 1 < len(levels) else None
        for k, size in enumerate(np.bincount(level.labels, minlength=level.n_clusters).tolist()):
            member = int(np.argmax(level.labels == k))
            ids.append(f"{level.n_clusters}:{k}")
            texts.append(f"cluster {k} of {level.n_clusters}")
            parents.append("all" if above is None else f"{above.n_clusters}:{above.labels[member]}")
            values.append(size)
            colours.append(colour(k))
    boxes = go.Icicle(
        ids=ids,
        labels=texts,
        parents=parents,
        values=values,
        branchvalues="total",
        marker={"colors": colours},
        hovertemplate="%{label}: %{value:,} nodes<extra></extra>",
    )
    return go.Figure(boxes, layout(title or "Hierarchy of clusters", height=460))


def halves(used: int) -> list[int]:
    """A number, a half of it, a quarter, and so on, down to 2.

    >>> halves(12)
    [12, 6, 3]
    """
    found = [max(used, 1)]
    while found[-1] // 2 >= 2:
        found.append(found[-1] // 2)
    return found


def _numbered(labels: Any, count: int) -> tuple[np.ndarray[Any, Any], list[str]]:
    """Labels as numbers 0 … K−1, and what each is called."""
    if labels is None:
        return np.zeros(count, dtype=np.int64), [""]
    given = np.asarray(labels)
    if given.shape != (count,):
        raise ValueError(f"labels: expected one for each of {count:,} nodes, got the shape {given.shape}")
    values, numbers = np.unique(given, return_inverse=True)
    return numbers.astype(np.int64), [str(value) for value in values.tolist()]
