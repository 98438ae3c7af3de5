"""Higher-order clustering coefficients: how often a clique with one more edge is part of a larger clique."""

from __future__ import annotations

from typing import Any, overload

import numpy as np
import numpy.typing as npt

from hoscpool.metrics.labels import read_undirected
from hoscpool.motifs import Engine, get_motif

Array = npt.NDArray[np.float64]
CLIQUES = ("edge", "triangle", "clique4", "clique5")
"""The cliques of two to five nodes."""


@overload
def higher_order_clustering(
    graph: Any, order: int = ..., average: str = ..., *, n_threads: int | None = ...
) -> float: ...
@overload
def higher_order_clustering(graph: Any, order: int, average: None, *, n_threads: int | None = ...) -> Array: ...
def higher_order_clustering(
    graph: Any, order: int = 2, average: str | None = "global", *, n_threads: int | None = None
) -> float | Array:
    r"""The higher-order clustering coefficient of Yin, Benson & Leskovec (2018).

    An ℓ-wedge is an ℓ-clique and one more edge at one of its nodes u, the centre. It is closed if all its nodes form an
    (ℓ+1)-clique. With the number of ℓ-cliques at u, |K_ℓ(u)|:

    .. math::
        C_\ell(u) = \frac{\ell \, |K_{\ell+1}(u)|}{(d_u - \ell + 1) \, |K_\ell(u)|}

    Args:
        graph: A `Graph` or anything that `as_graph` takes. Directions are ignored with a warning, weights silently.
        order: ℓ = 2, 3 or 4. Order 2 is the usual clustering coefficient.
        average: ``"global"``: the share of all ℓ-wedges that are closed; for order 2 the transitivity. ``"mean"``: the
            mean of C_ℓ(u) over the centres of ℓ-wedges, as in the paper. ``None``: C_ℓ(u) of every node, 0 where no
            ℓ-wedge has its centre.
        n_threads: Number of threads. Default: one per core.

    Returns:
        A number in [0, 1], 0 without ℓ-wedges. For ``average=None`` an array ``[N]``.

    Raises:
        ValueError: ``order`` or ``average`` is not one of these.

    Examples:
        >>> import networkx as nx
        >>> higher_order_clustering(nx.complete_graph(5), order=3)
        1.0
        >>> club = nx.karate_club_graph()
        >>> round(higher_order_clustering(club), 4), round(nx.transitivity(club), 4)
        (0.2557, 0.2557)
    """
    if order not in (2, 3, 4):
        raise ValueError(f"order: expected 2, 3 or 4, got {order!r}")
    if average not in ("global", "mean", None):
        raise ValueError(f"average: expected 'global', 'mean' or None, got {average!r}")
    graph = read_undirected(graph, "higher-order clustering")
    engine = Engine(graph, n_threads)
    smaller, larger = (engine.at_nodes(get_motif(CLIQUES[size - 2])) for size in (order, order + 1))
    wedges = (np.maximum(graph.degree - order + 1, 0) * smaller).astype(np.float64)
    closed = (order * larger).astype(np.float64)
    if average == "global":
        return float(closed.sum() / wedges.sum()) if wedges.any() else 0.0
    local = np.asarray(np.divide(closed, wedges, out=np.zeros(len(wedges)), where=wedges > 0))
    if average is None:
        return local
    return float(local[wedges > 0].mean()) if wedges.any() else 0.0
