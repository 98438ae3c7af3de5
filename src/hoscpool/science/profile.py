"""Which motifs a graph has more often than chance would give."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hoscpool.graph import Graph, as_graph
from hoscpool.motifs import MOTIFS, Engine, Motif, get_motif
from hoscpool.science.rewiring import SWAPS_PER_EDGE, Rewirer, share_kept
from hoscpool.support.names import lookup
from hoscpool.support.progress import Progress
from hoscpool.support.seeding import draw_seeds
from hoscpool.support.threads import resolve_threads

if TYPE_CHECKING:
    import pandas as pd

Array = npt.NDArray[np.float64]
NULLS = {"configuration": "graphs with the same degrees, by random swaps of edges"}


def motif_profile(
    graph: Any,
    motifs: Iterable[str | Motif] | None = None,
    *,
    null: str = "configuration",
    samples: int = 100,
    induced: bool = True,
    keep_mutual: bool = False,
    swaps_per_edge: float = SWAPS_PER_EDGE,
    random_state: Any = None,
    n_jobs: int | None = None,
) -> pd.DataFrame:
    """Compare motif counts with those of random graphs that have the same degrees.

    Every random graph comes from the given one by swaps of two random edges. In a directed graph every node keeps its
    in-degree and its out-degree.

    Args:
        graph: A `Graph` or anything that `as_graph` takes. Weights are ignored.
        motifs: Names or motifs. Default: all of three nodes that fit the graph.
        null: The random graphs. Only ``"configuration"``.
        samples: Number of random graphs, at least 2.
        induced: Count instances without further edges among their nodes, as usual in this field. Otherwise count all
            subgraphs.
        keep_mutual: Every node of a directed graph keeps its number of mutual edges, too.
        swaps_per_edge: Swaps that are done per edge. More mix better and take longer.
        random_state: A seed or a generator. The result does not depend on the number of jobs.
        n_jobs: Number of threads. Default: one per core.

    Returns:
        A table with one row per motif, in the given order:

        - ``count``: instances in the graph,
        - ``mean``, ``std``: their mean and standard deviation in the random graphs,
        - ``z``: (count − mean) / std; 0 if all counts are equal; infinite if only the random ones are,
        - ``significance``: z divided by the length of the vector of all z, the profile of Milo et al. (2004),
        - ``p``: two-sided, by rank: twice the share of counts, this one included, that are at least as extreme.

        ``attrs`` has the share of edges that swaps left where they were (``edges_kept``), for a look at the mixing.

    Raises:
        ValueError: The graph is too small to rewire, or an argument is not valid.

    Examples:
        >>> import networkx as nx
        >>> profile = motif_profile(nx.karate_club_graph(), ["triangle"], samples=50, random_state=0)
        >>> profile.loc["triangle", "count"], bool(profile.loc["triangle", "z"] > 1)
        (np.int64(45), True)
    """
    import pandas as pd

    lookup(null, NULLS, "null model")
    if isinstance(samples, bool) or not isinstance(samples, int | np.integer) or samples < 2:
        raise ValueError(f"samples: expected a whole number of at least 2, got {samples!r}")
    if not swaps_per_edge > 0:
        raise ValueError(f"swaps_per_edge: expected a number above 0, got {swaps_per_edge!r}")
    graph = as_graph(graph)
    labels, chosen = read_motifs(motifs, graph)
    if keep_mutual and not graph.is_directed:
        raise ValueError("keep_mutual: expected a directed graph; an undirected one has no mutual edges")
    if not any(motif.is_directed for motif in chosen):
        graph = graph.undirected()
    rewirer = Rewirer(Graph(graph.indptr, graph.indices, is_directed=graph.is_directed), keep_mutual, swaps_per_edge)
    counts = np.array(_counts(rewirer.graph, chosen, induced, None), dtype=np.float64)
    drawn, kept = _sample(rewirer, chosen, induced, draw_seeds(random_state, int(samples)), resolve_threads(n_jobs))
    table = pd.DataFrame(_statistics(counts, drawn), index=pd.Index(labels, name="motif"))
    table.attrs = {"null": null, "samples": int(samples), "edges_kept": kept}
    return table


def read_motifs(motifs: Iterable[str | Motif] | None, graph: Graph) -> tuple[list[str], list[Motif]]:
    """The motifs with the names that the caller gave them. Default: those of three nodes that fit the graph.

    Raises:
        ValueError: It is a single string, a name is unknown, or a directed motif meets an undirected graph.
    """
    if motifs is None:
        motifs = [m for m in MOTIFS.values() if m.num_nodes == 3 and m.is_directed == graph.is_directed]
    if isinstance(motifs, str | Motif):
        shown = motifs if isinstance(motifs, str) else motifs.name
        raise ValueError(f"motifs: expected a list, got only {shown!r}; use [{shown!r}]")
    given = list(motifs)
    labels, chosen = [m if isinstance(m, str) else m.name for m in given], [get_motif(m) for m in given]
    if not chosen:
        raise ValueError("motifs: expected at least one, got none")
    if len(set(labels)) < len(labels):
        raise ValueError(f"motifs: expected every motif once, got {', '.join(labels)}")
    for motif in chosen:
        if motif.is_directed and not graph.is_directed:
            raise ValueError(f"motifs: {motif.name} is directed, but the graph is not; pass directed=True to as_graph")
    return labels, chosen


def _counts(graph: Graph, motifs: list[Motif], induced: bool, n_threads: int | None) -> list[int]:
    directed, undirected = Engine(graph, n_threads), Engine(graph.undirected(), n_threads)
    undirected.prepare([motif for motif in motifs if not motif.is_directed], induced)
    return [(directed if motif.is_directed else undirected).total(motif, induced) for motif in motifs]


def _sample(rewirer: Rewirer, motifs: list[Motif], induced: bool, seeds: list[int], n_jobs: int) -> tuple[Array, float]:
    """The counts in every random graph, ``[samples, motifs]``, and the mean share of edges that were kept."""
    with Progress("counting motifs in random graphs", len(seeds)) as progress:

        def one(seed: int) -> tuple[list[int], float]:
            drawn = rewirer.sample(seed)
            found = _counts(drawn, motifs, induced, 1), share_kept(rewirer.graph, drawn)
            progress.advance(1)
            return found

        if n_jobs == 1:
            results = [one(seed) for seed in seeds]
        else:
            with ThreadPoolExecutor(n_jobs) as pool:
                results = list(pool.map(one, seeds))
    counts, kept = zip(*results, strict=True)
    return np.array(counts, dtype=np.float64), float(np.mean(kept))


def _statistics(counts: Array, drawn: Array) -> dict[str, npt.NDArray[Any]]:
    mean, std = drawn.mean(axis=0), drawn.std(axis=0, ddof=1)
    gap = counts - mean
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(gap == 0, 0.0, np.where(std > 0, gap / std, np.copysign(np.inf, gap)))
    endless = np.isinf(z)
    shares = np.sign(z) * endless if endless.any() else z  # the limit, if some z are infinite
    length = float(np.linalg.norm(shares))
    above, below = (drawn >= counts).sum(axis=0), (drawn <= counts).sum(axis=0)
    p = np.minimum(1.0, 2 * (1 + np.minimum(above, below)) / (len(drawn) + 1))
    significance = shares / length if length else np.zeros(len(z))
    return {"count": counts.astype(np.int64), "mean": mean, "std": std, "z": z, "significance": significance, "p": p}
