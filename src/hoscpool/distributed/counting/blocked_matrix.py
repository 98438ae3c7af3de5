"""A motif adjacency on the edges of a graph in blocks, computed from its counts whenever a block is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.distributed.blocks import BlockGraph
from hoscpool.distributed.counting.count_files import CountFiles
from hoscpool.distributed.counting.count_kinds import COUNT_KINDS
from hoscpool.motifs import CLOSED_FORMS, Counts, csr, edge_form, exact_sum, index_kind
from hoscpool.support.machine import require_memory

Ints = npt.NDArray[np.int64]
BYTES_OF_ENTRY = 40
"""What an entry takes while the whole matrix is put together."""


class EdgeCounts(NamedTuple):
    """Some edges, each once, with their counts.

    Attributes:
        rows: One end of every edge, a node as in the source of the blocks.
        cols: The other end.
        counts: Number of instances that contain both.
    """

    rows: Ints
    cols: Ints
    counts: Ints


@dataclass(frozen=True)
class _BlockEdges:
    """The edges of a block, with what `Counts` needs to know of a graph."""

    source: npt.NDArray[np.int32]
    target: npt.NDArray[np.int64]
    degree: Ints

    @property
    def num_edges(self) -> int:
        return len(self.target)


@dataclass(frozen=True)
class BlockedMatrix:
    """The motif adjacency on the edges of a graph in blocks: (A_M)_ij is the number of instances with i and j.

    Iterate over it for `EdgeCounts`, one block after the other, or make one matrix of it. Edges with the count 0 are
    left out.

    Attributes:
        graph: The blocks.
        motif: The name of the motif.
        motifs: The motifs with closed forms that are summed, with their coefficients.
    """

    graph: BlockGraph
    motif: str
    motifs: Mapping[str, int]

    @property
    def shape(self) -> tuple[int, int]:
        """Number of nodes, twice."""
        return self.graph.num_nodes, self.graph.num_nodes

    def __iter__(self) -> Iterator[EdgeCounts]:
        """The counts of one block after the other. Nodes are numbered as in the source of the blocks."""
        cuts, order = self.graph.shape.cuts, self.graph.order
        form = edge_form(self.motifs)
        for a, b in self.graph.pairs:
            counts, edges = self._counts(a, b)
            total = counts.combine(form)
            kept = np.flatnonzero(total)
            if len(kept):
                rows = order[edges.source[kept] + cuts[a]]
                cols = order[edges.target[kept] - (cuts[a + 1] - cuts[a]) + cuts[b]]
                yield EdgeCounts(rows, cols, total[kept])

    def _counts(self, a: int, b: int) -> tuple[Counts, _BlockEdges]:
        block, cuts = self.graph.block(a, b), self.graph.shape.cuts
        rows = len(block.indptr) - 1
        source = np.repeat(np.arange(rows, dtype=np.int32), np.diff(block.indptr))
        degree = np.concatenate([self.graph.degree[cuts[x] : cuts[x + 1]] for x in (a, b)])
        edges = _BlockEdges(source, block.indices + np.int64(rows), degree)
        counts = Counts(edges)  # type: ignore[arg-type]  # it looks at no more of a skeleton for these forms
        for files in self._files():
            setattr(counts, files.kind.name, files.read((a, b)))
        return counts, edges

    def count_instances(self) -> int:
        """Number of instances of the motif in the graph."""
        sums: dict[str, Any] = {"degree": self.graph.degree, "skeleton": self.graph}  # it knows its number of edges
        for files in self._files():
            sums[files.kind.name] = np.array([exact_sum(files.read(pair)) for pair in self.graph.pairs])
        counts: Any = SimpleNamespace(**sums)  # totals add up what they count, so sums of blocks are as good
        return sum(c * CLOSED_FORMS[name].total(counts) for name, c in self.motifs.items())

    def _files(self) -> list[CountFiles]:
        """The counts that are there."""
        found = [CountFiles(self.graph, kind) for kind in COUNT_KINDS.values()]
        return [files for files in found if files.is_complete()]

    def count_entries(self) -> int:
        """Number of entries of the matrix that are not 0."""
        return 2 * sum(len(part.counts) for part in self)

    def to_matrix(self) -> sp.csr_array:
        """The whole matrix, equal to that of `hoscpool.motif_adjacency` on the graph in memory.

        Raises:
            MemoryEstimateError: It does not fit in memory.
        """
        size = self.count_entries()
        advice = "iterate over the result instead, which reads one block at a time"
        require_memory(BYTES_OF_ENTRY * size, f"the matrix of {self.motif} with {size:,} entries", advice)
        kind = index_kind(size + 1)
        rows, cols, data = np.empty(size, kind), np.empty(size, kind), np.empty(size, np.int64)
        end = 0
        for part in self:
            for one, other in ((part.rows, part.cols), (part.cols, part.rows)):
                stop = end + len(one)
                rows[end:stop], cols[end:stop], data[end:stop] = one, other, part.counts
                end = stop
        matrix = sp.csr_array(sp.coo_array((data, (rows, cols)), shape=self.shape))
        matrix.sort_indices()
        return csr(matrix.indptr.astype(kind, copy=False), matrix.indices.astype(kind, copy=False), matrix.data)

    def __repr__(self) -> str:
        return f"BlockedMatrix({self.motif} on the edges of {self.graph})"
