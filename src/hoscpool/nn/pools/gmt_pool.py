"""GMT: attention turns the whole graph into one supernode."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout, linear
from torch_geometric.nn.aggr import GraphMultisetTransformer
from torch_geometric.nn.aggr.utils import MultiheadAttentionBlock, PoolingByMultiheadAttention

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.batch.read_graphs import check_count
from hoscpool.nn.pools.base import Motifs, Pool
from hoscpool.nn.pools.output import PoolingOutput
from hoscpool.nn.pools.registry import register_pool
from hoscpool.nn.sums.segments import Sizes, pad_segments


@register_pool("gmt", "graph multiset transformer (Baek et al. 2021)", title="GMT", is_global=True)
class GMTPool(Pool):
    """Graph multiset transformer (Baek, Kang & Hwang 2021), as PyG's ``GraphMultisetTransformer``: a global pool.

    Every graph becomes one supernode, so ``x`` is ``[B, 1, F]`` and the adjacency is a single 0. For a graph without
    nodes the attention is undefined, and the result is 0.

    Args:
        in_channels: Width of the input features.
        num_clusters: Number of representative nodes in the middle of the network.
        heads: Number of attention heads. It must divide ``in_channels``.
        layer_norm: Normalise after every block.
        dropout: Dropout of the attention.
    """

    takes_counts = True

    def __init__(
        self, in_channels: int, num_clusters: int, *, heads: int = 1, layer_norm: bool = False, dropout: float = 0.0
    ) -> None:
        super().__init__(in_channels)
        self.num_clusters = check_count(num_clusters, "num_clusters")
        if in_channels % check_count(heads, "heads"):
            raise ValueError(f"heads: expected a divisor of in_channels={in_channels}, got {heads}")
        self.operator = GraphMultisetTransformer(
            in_channels, num_clusters, heads=heads, layer_norm=layer_norm, dropout=dropout
        )

    def reset_parameters(self) -> None:
        """Draw all parameters again. PyG would not draw the output projections of the attentions."""
        for module in self.modules():
            if isinstance(module, nn.MultiheadAttention):
                module.out_proj.reset_parameters()
        super().reset_parameters()

    def pool(self, graph: GraphBatch, motifs: Motifs | None) -> PoolingOutput:  # noqa: ARG002
        """Attend over the nodes of every graph that has any."""
        x = graph.x.new_zeros(len(graph.sizes), self.in_channels)
        filled = [i for i, size in enumerate(graph.sizes) if size]
        if filled:
            sizes = tuple(graph.sizes[i] for i in filled)
            attended = transform_sets(self.operator, graph.x, sizes, graph.counts)
            x = x.index_copy(0, torch.tensor(filled, device=x.device), attended)
        return PoolingOutput(
            x=x.unsqueeze(1),
            adjacency=x.new_zeros(x.size(0), 1, 1),
            assignment=x.new_ones(graph.x.size(0), 1),
            node_batch=graph.batch,
            sizes=graph.sizes,
            loss=x.new_zeros(()),
            objective=x.new_zeros(()),
        )

    def extra_repr(self) -> str:
        """The sizes."""
        return f"{self.in_channels}, num_clusters={self.num_clusters}"


WORTH_A_GROUP = 4_000_000
"""Multiplications with padding that take as long as one more group of graphs."""
_SOFTMAX = 16
"""Multiplications that take as long as the softmax of one score."""


def transform_sets(operator: GraphMultisetTransformer, x: Tensor, sizes: Sizes, counts: Tensor | None) -> Tensor:
    """The output of the operator for every set, ``[B, C]``.

    Args:
        operator: Holds the parameters.
        x: The elements of all sets, one set under the other, ``[N, C]``.
        sizes: Number of elements of every set, at least 1.
        counts: How often every element counts, ``[N]``. ``None`` means once.
    """
    if counts is not None and operator.dropout and operator.training:  # dropout treats equal elements separately
        x, sizes, counts = _repeat(x, sizes, counts)
    h = _pool_elements(operator.pma1, x, sizes, counts)
    for encoder in operator.encoders:
        h = _attend_within(encoder.mab, h)
    return _pool_rows(operator.pma2, h).squeeze(1)


def group_sizes(sizes: Sizes, work: int) -> list[list[int]]:
    """Groups of graphs that are padded together. A new group begins where padding would cost more than a group.

    Args:
        sizes: Number of nodes of every graph.
        work: Multiplications for each row.
    """
    groups: list[list[int]] = []
    largest = padding = 0
    for graph in sorted(range(len(sizes)), key=lambda i: -sizes[i]):
        padding += largest - sizes[graph]
        if not groups or padding * work > WORTH_A_GROUP:
            groups.append([])
            largest, padding = sizes[graph], 0
        groups[-1].append(graph)
    return groups


def _repeat(x: Tensor, sizes: Sizes, counts: Tensor) -> tuple[Tensor, Sizes, None]:
    """Every element as often as it counts."""
    times = counts.long()
    each = torch.stack([part.sum() for part in torch.split(times, list(sizes))]).tolist()
    return x.repeat_interleave(times, dim=0), tuple(each), None


def _pool_elements(block: PoolingByMultiheadAttention, x: Tensor, sizes: Sizes, counts: Tensor | None) -> Tensor:
    """The representatives of every set, ``[B, K, C]``."""
    queries = _project(block.mab.attn, block.seed, 0, 1)
    parts = torch.split(_project(block.mab.attn, block.lin(x).relu(), 1, 3), list(sizes))
    times = None if counts is None else torch.split(counts, list(sizes))
    groups = group_sizes(sizes, queries.size(1) * (2 * x.size(1) + _SOFTMAX * block.mab.heads))
    found = []
    for group in groups:
        own = tuple(sizes[i] for i in group)
        keys, values = pad_segments(torch.cat([parts[i] for i in group]), own).chunk(2, dim=-1)
        bias = _bias(own, None if times is None else torch.cat([times[i] for i in group]), keys)
        found.append(_attend(block.mab, queries, keys, values, bias))
    order = torch.tensor([i for group in groups for i in group], device=x.device).argsort()
    return _finish(block.mab, torch.cat(found).index_select(0, order), block.seed)


def _pool_rows(block: PoolingByMultiheadAttention, h: Tensor) -> Tensor:
    """The representatives of sets of one size, ``[B, n, C]`` → ``[B, K, C]``."""
    queries = _project(block.mab.attn, block.seed, 0, 1)
    keys, values = _project(block.mab.attn, block.lin(h).relu(), 1, 3).chunk(2, dim=-1)
    return _finish(block.mab, _attend(block.mab, queries, keys, values), block.seed)


def _bias(sizes: Sizes, counts: Tensor | None, like: Tensor) -> Tensor | None:
    """The bias log n makes a row count n times in a softmax, ``[B, 1, 1, n]``. Padding counts 0 times."""
    if counts is None and min(sizes) == max(sizes):
        return None
    counts = like.new_ones(sum(sizes)) if counts is None else counts
    return pad_segments(counts.unsqueeze(1), sizes).log().to(like.dtype).view(len(sizes), 1, 1, -1)


def _attend_within(block: MultiheadAttentionBlock, h: Tensor) -> Tensor:
    """Attention of the rows of every set to each other."""
    return _finish(block, _attend(block, *_project(block.attn, h, 0, 3).chunk(3, dim=-1)), h)


def _project(attention: nn.MultiheadAttention, x: Tensor, start: int, stop: int) -> Tensor:
    """Queries (0), keys (1) and values (2) from start to stop, side by side."""
    rows = slice(start * x.size(-1), stop * x.size(-1))
    return linear(x, attention.in_proj_weight[rows], attention.in_proj_bias[rows])


def _attend(
    block: MultiheadAttentionBlock, queries: Tensor, keys: Tensor, values: Tensor, bias: Tensor | None = None
) -> Tensor:
    """Softmax(QKᵀ/√d + bias) V of every head, the heads side by side, ``[B, K, C]``."""
    q, k, v = (part.reshape(*part.shape[:2], block.heads, -1).transpose(1, 2) for part in (queries, keys, values))
    scores = (q / math.sqrt(q.size(-1))) @ k.mT
    weights = (scores if bias is None else scores.add_(bias)).softmax(dim=-1)
    if block.dropout:
        weights = dropout(weights, block.dropout, block.training)
    heads: Tensor = weights @ v
    return heads.transpose(1, 2).flatten(2)


def _finish(block: MultiheadAttentionBlock, attended: Tensor, x: Tensor) -> Tensor:
    """The layers after the attention of x."""
    out = block.attn.out_proj(attended) + x
    out = out if block.layer_norm1 is None else block.layer_norm1(out)
    out = out + block.lin(out).relu()
    result: Tensor = out if block.layer_norm2 is None else block.layer_norm2(out)
    return result
