"""EigenPool: spectral clusters with their Fourier modes as features."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.batch.read_graphs import check_count
from hoscpool.nn.pools.clustering import HardPool
from hoscpool.nn.pools.eigen.fourier import Basis, partition, spectral_basis, subgraph_modes
from hoscpool.nn.pools.registry import register_pool
from hoscpool.nn.sums.plain_sums import NodeSums
from hoscpool.nn.sums.segments import reduce_segments

_NO_NODES = np.empty(0, dtype=np.int64)


@register_pool("eigen", "spectral clusters and their Fourier modes (Ma et al. 2019)", title="EigPool")
class EigenPool(HardPool):
    """EigenPooling (Ma, Wang, Aggarwal & Tang 2019).

    Spectral clustering cuts each graph into K subgraphs. Supernode k gets the features Θ_lᵀX for l < ``num_modes``,
    side by side. Θ_l holds the l-th eigenvector of the subgraph's own Laplacian. So ``out_channels`` is ``num_modes`` ×
    ``in_channels``. The coarsened edges are those between subgraphs. Nothing is learned, and there is no loss.

    If the weights of a graph are not learned, its basis is cached, and only the first epoch computes it. This holds for
    graphs that come as edges, and for graphs that another EigenPool has coarsened. Where symmetry leaves a choice (an
    eigenvalue that occurs twice, or an eigenvector whose sign the degrees do not decide), node order decides. An empty
    cluster is masked out. It occurs, for example, if a graph has fewer than K nodes.

    Args:
        in_channels: Width of the input features.
        num_clusters: K, the number of supernodes of every graph.
        num_modes: Number of eigenvectors of each subgraph.
        normalize: Normalise the coarsened adjacency symmetrically.
    """

    def __init__(self, in_channels: int, num_clusters: int, *, num_modes: int = 3, normalize: bool = True) -> None:
        super().__init__(in_channels, num_clusters, remove_self_loops=True, normalize=normalize)
        self.num_modes = check_count(num_modes, "num_modes")

    @property
    def out_channels(self) -> int:
        """Width of the supernodes' features."""
        return self.num_modes * self.in_channels

    def select(self, graph: GraphBatch) -> Tensor:
        """A one-hot S, ``[N, K]``."""
        if graph.is_learned:  # it never comes again
            clusters = [partition(rows.to_scipy(), self.num_clusters) for rows in graph.split()]
        else:
            clusters = [basis.cluster for basis in self._known_bases(graph)]
        cluster = torch.from_numpy(np.concatenate([_NO_NODES, *clusters]))
        return nn.functional.one_hot(cluster.to(graph.x.device), self.num_clusters).to(graph.x.dtype)

    def reduce(self, graph: GraphBatch, assignment: Tensor, sums: NodeSums) -> Tensor:  # noqa: ARG002
        """Θ_lᵀX for every mode l, ``[B, K, H·F]``."""
        if graph.is_learned:
            clusters = np.split(assignment.argmax(dim=1).cpu().numpy(), graph.ptr[1:-1])
            parts = zip(graph.split(), clusters, strict=True)
            modes = [subgraph_modes(rows.to_scipy(), cluster, self.num_modes) for rows, cluster in parts]
        else:
            modes = [basis.modes for basis in self._known_bases(graph)]
        table = torch.from_numpy(np.concatenate([np.empty((0, self.num_modes)), *modes])).to(graph.x)  # [N, H]
        columns = table.t().unsqueeze(-1)  # [H, N, 1]
        return torch.cat([reduce_segments(assignment * mode, graph.x, graph.sizes) for mode in columns], dim=-1)

    def extra_repr(self) -> str:
        """The sizes."""
        return f"{super().extra_repr()}, num_modes={self.num_modes}"

    def _known_bases(self, graph: GraphBatch) -> list[Basis]:
        """The basis of every graph, computed once for the same graph."""
        return [spectral_basis(rows, self.num_clusters, self.num_modes) for rows in graph.split()]
