"""ASAP: every ego network is a cluster, and the best ones are kept."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch_geometric.nn import ASAPooling

from hoscpool.nn.pools.asap.ego_networks import EgoNetworks
from hoscpool.nn.pools.dropping import DropPool, Kept, check_ratio, pyg_ratio
from hoscpool.nn.pools.registry import register_pool
from hoscpool.nn.sums.kernels import has_kernels
from hoscpool.objectives import HALVES, quiet_sparse, without_autocast


@register_pool("asap", "ego networks that score best (Ranjan et al. 2020)", title="ASAP")
class ASAPool(DropPool):
    """Adaptive structure aware pooling (Ranjan, Sanyal & Talukdar 2020), with the parameters of PyG's ``ASAPooling``.

    The coarsened edges have weights. PyG's sparse product has no gradient, so these weights are constants. A node
    belongs to the kept ego networks of its neighbours and to its own. ``assignment`` has a 1 for each of them.

    Compiled loops compute the same as PyG, without its tables of edges times channels. There are none for other
    devices, half precision, tracing by torch.compile and training with dropout. There PyG itself is called, in float32
    if the features are of half precision.

    Args:
        in_channels: Width of the input features.
        ratio: Share of the nodes to keep, or their number in every graph.
        dropout: Of the attention within an ego network.
    """

    def __init__(self, in_channels: int, ratio: float | int = 0.5, *, dropout: float = 0.0) -> None:
        super().__init__(in_channels)
        self.ratio = check_ratio(ratio)
        self.operator = ASAPooling(in_channels, ratio=pyg_ratio(ratio), dropout=dropout)

    def keep(self, x: Tensor, edge_index: Tensor, edge_weight: Tensor | None, batch: Tensor) -> Kept:
        """The best ego networks, and the weighted edges between them."""
        weight = x.new_ones(edge_index.size(1)) if edge_weight is None else edge_weight.to(x.dtype)
        if has_kernels(x) and not (self.training and self.operator.dropout):
            with without_autocast(x.device):  # the loops do not support half precision
                return self._keep(x, EgoNetworks(edge_index, weight, x.size(0)), batch)
        with quiet_sparse(), without_autocast(x.device):  # torch has no sparse product of half precision
            pooled, edges, weights, graphs, kept = self._run_pyg(x, edge_index, weight, batch)
        node, supernode = _ego_networks(edge_index, kept, x.size(0))
        return Kept(pooled, edges, weights.detach(), graphs, node=node, supernode=supernode)

    def _run_pyg(self, x: Tensor, edge_index: Tensor, weight: Tensor, batch: Tensor) -> tuple[Any, ...]:
        """PyG's operator, in float32 if the features are of half precision."""
        if x.dtype not in HALVES:
            return self.operator(x, edge_index, weight, batch)  # type: ignore[no-any-return]
        parameters = {name: parameter.float() for name, parameter in self.operator.named_parameters()}
        wide = (x.float(), edge_index, weight.float(), batch)
        pooled, edges, weights, graphs, kept = torch.func.functional_call(self.operator, parameters, wide)
        return pooled.to(x.dtype), edges, weights.to(x.dtype), graphs, kept

    def _keep(self, x: Tensor, egos: EgoNetworks, batch: Tensor) -> Kept:
        """PyG's formula. Linear terms are computed once per node, not once per edge."""
        operator, width = self.operator, self.in_channels
        query, key = operator.att.weight[0, :width], operator.att.weight[0, width:]
        far = egos.max(x) @ (query @ operator.lin.weight) + (query @ operator.lin.bias + operator.att.bias)
        h, score = egos.attend(x, x @ key, far, operator.negative_slope)
        rank = operator.gnn_score
        sent, own, free = (layer(h).view(-1) for layer in (rank.lin1, rank.lin2, rank.lin3))
        fitness = (egos.sum_differences(sent, own) + free).sigmoid()
        kept = operator.select(fitness, batch).node_index
        edges, weights, (node, supernode) = egos.coarsen(score, kept, batch)
        return Kept(h[kept] * fitness[kept].view(-1, 1), edges, weights, batch[kept], node=node, supernode=supernode)

    def extra_repr(self) -> str:
        """The size and the ratio."""
        return f"{self.in_channels}, ratio={self.ratio}"


def _ego_networks(edge_index: Tensor, kept: Tensor, num_nodes: int) -> tuple[Tensor, Tensor]:
    """Pairs of a node and a kept node that it sends to, and of every kept node with itself. No pair occurs twice."""
    number = torch.full((num_nodes,), -1, dtype=torch.int64, device=kept.device)
    number[kept] = torch.arange(len(kept), device=kept.device)
    node = torch.cat([edge_index[0], kept])
    supernode = number[torch.cat([edge_index[1], kept])]
    inside = supernode >= 0
    pairs = torch.unique(
        node[inside] * len(kept) + supernode[inside]
    )  # one number per pair: unique columns take ten times as long
    return pairs // len(kept), pairs % len(kept)
