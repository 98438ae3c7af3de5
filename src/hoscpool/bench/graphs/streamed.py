"""A planted graph of any size, written to a file shard by shard."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from hoscpool.support.errors import MissingDependencyError
from hoscpool.support.files import whole_file

SHARD = 10_000_000
"""Edges of one shard."""
DEGREE = 50
"""Mean degree."""
COMMUNITY = 50_000
"""Nodes of a community, about."""
LINKS = 1 << 21
"""Links between shards that are drawn at a time."""

Ids = npt.NDArray[np.int64]


def edge_parts(num_edges: int, mixing: float = 0.1, seed: int = 0, shard: int = SHARD) -> Iterator[tuple[Ids, Ids]]:
    """The edges of a planted graph, some at a time. Few edges are repeated.

    A shard is a graph of `planted_communities`, with half of the mixing inside. The other half are links between any
    two nodes of the graph. Nodes are numbered without regard to shards.

    Args:
        num_edges: Wanted number of edges, met within about 1 %.
        mixing: Share of the edges that join two communities.
        seed: The same seed gives the same edges.
        shard: Edges of one shard.

    Yields:
        Both ends of some edges.
    """
    from hoscpool.datasets import planted_communities

    links = round(num_edges * mixing / 2)
    shards = max(1, round((num_edges - links) / shard))
    edges = (num_edges - links) // shards
    nodes = 2 * num_edges // DEGREE // shards
    total, step = nodes * shards, _coprime(nodes * shards)
    for number in range(shards):
        communities = max(1, nodes // COMMUNITY)
        graph = planted_communities(nodes, edges, communities, mixing=mixing / 2, random_state=seed + number)
        rows = np.repeat(np.arange(nodes), np.diff(graph.indptr))
        once = rows < graph.indices
        first = number * nodes
        yield (rows[once] + first) * step % total, (graph.indices[once] + np.int64(first)) * step % total
    rng = np.random.default_rng(seed + shards)
    for start in range(0, links, LINKS):
        ends = rng.integers(total, size=(2, min(LINKS, links - start)))
        different = ends[0] != ends[1]
        yield ends[0][different], ends[1][different]


def _coprime(number: int) -> int:
    """A factor with which multiplication mixes the numbers below ``number``, each to another."""
    step = int(number * 0.618) | 1
    while math.gcd(step, number) > 1:
        step += 2
    return step


def write_edges(path: Path, parts: Iterator[tuple[Ids, Ids]]) -> None:
    """Write edges as a Parquet file, one row group for every part. The file appears when it is complete.

    Raises:
        MissingDependencyError: pyarrow is not installed.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingDependencyError("pyarrow", "parquet", "writing a .parquet file") from error
    kinds = pa.schema([("source", pa.int64()), ("target", pa.int64())])
    with whole_file(path) as place, pq.ParquetWriter(place, kinds, compression="none", use_dictionary=False) as file:
        for source, target in parts:
            file.write_table(pa.table({"source": source, "target": target}, schema=kinds))
