"""Graphs with planted communities whose nodes have features of several kinds, from words to numbers of mixed scale.

The edges follow a degree-corrected stochastic block model with two levels: communities, and groups inside them.
Features follow the same groups, as strongly as asked for. With ``signal=0`` they are noise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.datasets.planted_groups import check_counts, community_bounds
from hoscpool.graph import Graph, build_graph
from hoscpool.support.names import lookup

Kind = Literal["words", "counts", "shares", "tfidf", "numbers", "scales"]
_Array = npt.NDArray[Any]
_NEAR = 0.6
"""Share of the edges inside a community that stay inside a group."""
_HEAVIEST = 30.0
"""Largest expected degree in units of the smallest."""


def attributed_communities(
    num_nodes: int,
    num_edges: int,
    num_communities: int,
    num_features: int,
    *,
    kind: Kind = "words",
    signal: float = 1.0,
    mixing: float = 0.2,
    groups: int = 4,
    size_spread: float = 0.5,
    degree_exponent: float = 3.0,
    words: float = 30.0,
    random_state: int | np.random.Generator = 0,
) -> Graph:
    """Generate an undirected graph whose planted communities are the labels and whose features know of them.

    Args:
        num_nodes: Number of nodes N.
        num_edges: Number of edges drawn. Repeated edges are merged, so there are somewhat fewer.
        num_communities: Number of communities K. Sizes are log-normal with deviation ``size_spread``.
        num_features: Width F of the features.
        kind: What the features look like. ``"words"``: which words of a vocabulary a text has, 0 or 1; ``"counts"``:
            how often; ``"shares"``: counts divided by their sum; ``"tfidf"``: weighted counts; these four are sparse.
            ``"numbers"``: dense Gaussian numbers; ``"scales"``: the same with columns of very different scale and
            shift.
        signal: How strongly features follow communities and groups; 0 for noise. For words: standard deviation of the
            logarithm of a word's frequency between communities. For numbers: distance of two centres in units of the
            noise.
        mixing: Share of the edges whose ends are drawn from all nodes.
        groups: Groups inside a community, which attract edges and share words too.
        size_spread: Standard deviation of the logarithm of the community sizes.
        degree_exponent: Exponent of the power-law tail of the expected degrees, above 2.
        words: Mean number of words of a node.
        random_state: Seed or generator. The same seed gives the same graph.

    Returns:
        The graph with labels ``[N]`` and features ``[N, F]``.

    Raises:
        ValueError: An argument is out of range.

    Examples:
        >>> attributed_communities(300, 900, 3, 50)
        Graph('attributed': 300 nodes, 8... edges, undirected, 50 features, 3 classes)
    """
    check_counts(num_nodes, num_edges, num_communities, num_features)
    _check(kind, signal, mixing, groups, size_spread, degree_exponent, words)
    layout, links, table = np.random.default_rng(random_state).spawn(3)
    bounds = community_bounds(num_nodes, num_communities, size_spread, layout)
    labels = layout.permutation(np.repeat(np.arange(num_communities), np.diff(bounds)))
    group = labels * groups + layout.integers(groups, size=num_nodes)
    weight = np.minimum((1 - layout.random(num_nodes)) ** (-1 / (degree_exponent - 1)), _HEAVIEST)
    rows, cols = _draw_edges(num_edges, labels, group, weight, mixing, links)
    x = _FEATURES[kind](labels, group, num_features, signal, words, table)
    return build_graph(rows, cols, None, num_nodes, directed=False, features=x, labels=labels, name="attributed")


def _check(kind: str, signal: float, mixing: float, groups: int, spread: float, exponent: float, words: float) -> None:
    lookup(kind, _FEATURES, "kind")
    for name, value, least in [("signal", signal, 0), ("groups", groups, 1), ("size_spread", spread, 0)]:
        if not value >= least:
            raise ValueError(f"{name}: expected {least} or more, got {value}")
    if not 0 <= mixing <= 1:
        raise ValueError(f"mixing: expected a share from 0 to 1, got {mixing}")
    if not exponent > 2:
        raise ValueError(f"degree_exponent: expected a number above 2, so that the mean exists, got {exponent}")
    if not words > 0:
        raise ValueError(f"words: expected a mean number above 0, got {words}")


def _draw_edges(
    count: int, labels: _Array, group: _Array, weight: _Array, mixing: float, rng: np.random.Generator
) -> tuple[_Array, _Array]:
    """Both ends of every edge. The second end is in the group or the community of the first, or anywhere."""
    first = rng.choice(len(labels), size=count, p=weight / weight.sum())
    second = np.empty_like(first)
    level = rng.choice(3, size=count, p=[mixing, (1 - mixing) * (1 - _NEAR), (1 - mixing) * _NEAR])
    for number, kind in enumerate((np.zeros_like(labels), labels, group)):
        chosen = np.flatnonzero(level == number)
        second[chosen] = _partners(kind, weight, kind[first[chosen]], rng)
    low, high = np.minimum(first, second), np.maximum(first, second)
    pairs = np.unique((low * len(labels) + high)[low < high])
    return pairs // len(labels), pairs % len(labels)


def _partners(kind: _Array, weight: _Array, wanted: _Array, rng: np.random.Generator) -> _Array:
    """A node of every wanted kind, drawn by weight."""
    order = np.argsort(kind, kind="stable")
    ends = np.cumsum(weight[order])
    last = np.searchsorted(kind[order], np.arange(kind.max() + 2))
    edges = np.concatenate([[0.0], ends])[last]  # weight before every kind
    place = edges[wanted] + rng.random(len(wanted)) * (edges[wanted + 1] - edges[wanted])
    nodes: _Array = order[np.clip(np.searchsorted(ends, place, side="right"), last[wanted], last[wanted + 1] - 1)]
    return nodes


def _counts(
    labels: _Array, group: _Array, width: int, signal: float, words: float, rng: np.random.Generator
) -> sp.csr_array:
    """How often every node uses every word. Frequencies fall like 1 / rank and differ between groups."""
    base = -np.log(np.arange(1, width + 1))
    topics = signal * rng.standard_normal((labels.max() + 1, width))
    owner, words_of = np.unique(group), rng.poisson(words, size=len(labels))
    rows, cols = [], []
    for number in owner:
        members = np.flatnonzero(group == number)
        log = base + topics[labels[members[0]]] + signal / 2 * rng.standard_normal(width)
        share = np.exp(log - log.max())
        rows.append(np.repeat(members, words_of[members]))
        cols.append(rng.choice(width, size=len(rows[-1]), p=share / share.sum()))
    places = (np.concatenate(rows), np.concatenate(cols))
    table = sp.coo_array((np.ones(len(places[0]), np.float32), places), shape=(len(labels), width))
    return sp.csr_array(table)


def _words(*arguments: Any) -> sp.csr_array:
    table = _counts(*arguments)
    table.data[:] = 1
    return table


def _shares(*arguments: Any) -> sp.csr_array:
    table = _counts(*arguments)
    return sp.csr_array(sp.diags_array(1 / np.maximum(table.sum(axis=1), 1)) @ table)


def _tfidf(*arguments: Any) -> sp.csr_array:
    table = _shares(*arguments)
    found = np.bincount(table.indices, minlength=table.shape[1])
    return sp.csr_array(table @ sp.diags_array(np.log((1 + table.shape[0]) / (1 + found)) + 1))


def _numbers(
    labels: _Array,
    group: _Array,
    width: int,
    signal: float,
    _words: float,
    rng: np.random.Generator,
) -> _Array:
    """Gaussian noise around one centre per group. Centres of groups lie around those of their community."""
    scale = signal / np.sqrt(2 * max(width, 1))
    centres = rng.standard_normal((labels.max() + 1, width)) * scale
    near = rng.standard_normal((group.max() + 1, width)) * scale / 2
    return np.asarray(centres[labels] + near[group] + rng.standard_normal((len(labels), width)), dtype=np.float32)


def _scales(*arguments: Any) -> _Array:
    rng, width = arguments[-1], arguments[2]
    scale, shift = 10.0 ** rng.uniform(-4, 4, size=width), rng.standard_normal(width)
    return np.asarray(scale * (_numbers(*arguments) + 3 * shift), dtype=np.float32)


_FEATURES: dict[str, Callable[..., Any]] = {
    "words": _words,
    "counts": _counts,
    "shares": _shares,
    "tfidf": _tfidf,
    "numbers": _numbers,
    "scales": _scales,
}
