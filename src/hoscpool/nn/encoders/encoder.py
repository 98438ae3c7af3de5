"""The one interface of message-passing layers, and these layers by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

import torch
from torch import Tensor, nn

from hoscpool.nn.batch.propagation import Propagation, propagation
from hoscpool.nn.batch.read_graphs import check_count, check_dense, check_edges, check_one_graph
from hoscpool.support.names import Registry, build, lookup
from hoscpool.support.seeding import reset


class Encoder(nn.Module):
    """A message-passing layer. The same parameters serve edge lists and coarsened dense graphs.

    Args:
        in_channels: Width of the input features.
        out_channels: Width of the output.

    Attributes:
        sums: Whether it uses neighbours only in sums. Then one row can stand for several equal nodes.
        takes_edges: Whether it has an option ``edge_channels`` and then uses features of edges.
        edge_channels: Width of the features of edges; 0 if it uses none.
    """

    sums: ClassVar[bool] = True
    takes_edges: ClassVar[bool] = False

    def __init__(self, in_channels: int, out_channels: int) -> None:
        super().__init__()
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.edge_channels = 0

    def reset_parameters(self) -> None:
        """Draw all parameters again."""
        for module in self.children():
            reset(module)

    def forward(
        self,
        x: Tensor,
        edge_index: Tensor | None = None,
        edge_weight: Tensor | None = None,
        batch: Tensor | None = None,  # noqa: ARG002 (so that **out.graph fits)
        *,
        adjacency: Tensor | None = None,
        mask: Tensor | None = None,
        edge_attr: Tensor | None = None,
    ) -> Tensor:
        """Encode the nodes: ``encoder(x, edge_index)`` or, after a pool, ``encoder(out.x, **out.graph)``.

        Args:
            x: Features ``[N, F]`` beside ``edge_index`` (a torch sparse tensor is fine) or ``[B, N, F]`` beside
                ``adjacency``.
            edge_index: Edges ``[2, E]``. Each sends from the first row to the second.
            edge_weight: Weights ``[E]``. 1 if left out.
            batch: Not used: message passing follows the edges.
            adjacency: Dense symmetric adjacency ``[B, N, N]`` instead of ``edge_index``.
            mask: Real nodes of a dense batch ``[B, N]``. The output of the others is 0.
            edge_attr: Features of the edges ``[E, edge_channels]``, for an encoder that was built with
                ``edge_channels``. Coarsened graphs have none.

        Returns:
            Features ``[N, out_channels]`` or ``[B, N, out_channels]``.
        """
        check_one_graph(edge_index, adjacency)
        self._check(x, edge_index, edge_weight, adjacency, mask)
        self._check_edge_attr(edge_index, edge_attr)
        h = self.encode(x, propagation(x, edge_index, edge_weight, adjacency, edge_attr))
        return h if mask is None else h * mask.unsqueeze(-1)

    def encode(self, x: Tensor, graph: Propagation) -> Tensor:
        """The layer's formula, with ``graph.propagate(h)`` for the sums over neighbours."""
        raise NotImplementedError

    def extra_repr(self) -> str:
        """The sizes."""
        return f"{self.in_channels}, {self.out_channels}"

    def _check(self, x: Tensor, edge_index: Tensor | None, edge_weight: Tensor | None, adjacency: Tensor | None,
               mask: Tensor | None) -> None:  # fmt: skip
        if x.size(-1) != self.in_channels:
            raise ValueError(f"x: expected {self.in_channels} features per node (in_channels), got {x.size(-1)}")
        if edge_index is not None:
            check_edges(edge_index, edge_weight, x.size(0))
        if adjacency is not None:
            check_dense(x, adjacency, mask)

    def _check_edge_attr(self, edge_index: Tensor | None, edge_attr: Tensor | None) -> None:
        width = self.edge_channels
        if edge_attr is None:
            if width and edge_index is not None:
                raise ValueError(
                    f"edge_attr: expected {width} features per edge (edge_channels), got none; on graphs without edge "
                    "features use a layer with edge_channels=0"
                )
            return
        if not width:
            able = ", ".join(name for name, cls in ENCODERS.items() if cls.takes_edges)
            raise ValueError(
                f"edge_attr: this layer uses no features of edges; build one of {able} with edge_channels=…, or leave "
                "edge_attr out"
            )
        expected = None if edge_index is None else (edge_index.size(1), width)
        if expected is None or tuple(edge_attr.shape) != expected or not edge_attr.is_floating_point():
            wanted = "an edge_index beside it" if expected is None else f"floating point numbers of shape {expected}"
            raise ValueError(f"edge_attr: expected {wanted}, got {edge_attr.dtype} of shape {tuple(edge_attr.shape)}")


def apply_linear(layer: nn.Linear, x: Tensor, offset: Tensor | None = None) -> Tensor:
    """``X Θ``, plus the bias if there is one. X may be a torch sparse tensor and is not made dense."""
    if x.layout == torch.strided:
        return nn.functional.linear(x, layer.weight, offset)
    h: Tensor = torch.sparse.mm(x, layer.weight.t())
    return h if offset is None else h + offset


E = TypeVar("E", bound=type[Encoder])
ENCODERS: Registry[type[Encoder]] = Registry("encoder")
_ALIASES: dict[str, str] = {}


def register_encoder(name: str, *aliases: str) -> Callable[[E], E]:
    """Give an encoder a name, above its class; `make_encoder`, `GraphClassifier` and the command line then know it.

    Args:
        name: The name to ask for it by.
        *aliases: Other names that lead to it, which are not listed.

    Returns:
        What takes the class and returns it unchanged.

    Raises:
        ValueError: The name is taken.
    """

    def register(cls: E) -> E:
        ENCODERS.add(name, cls)
        _ALIASES.update(dict.fromkeys(aliases, name))
        return cls

    return register


def list_encoders() -> list[str]:
    """The names for `make_encoder`.

    Examples:
        >>> list_encoders()
        ['gat', 'gcn', 'gin', 'gine', 'sage']
    """
    return sorted(ENCODERS)


def find_encoder(name: str | type[Encoder]) -> type[Encoder]:
    """The class of that name; a class is returned as it is.

    Raises:
        ValueError: There is none. The message lists the valid names.
    """
    if isinstance(name, type):
        return name
    others = {alias: ENCODERS[known] for alias, known in _ALIASES.items() if known in ENCODERS}
    return lookup(name, {**ENCODERS, **others}, ENCODERS.what)


def make_encoder(name: str | type[Encoder], in_channels: int, out_channels: int, **options: Any) -> Encoder:
    """Build an encoder.

    Args:
        name: A name of `list_encoders`, or a class; ``"gcn-skip"`` is ``"gcn"``.
        in_channels: Width of the input features.
        out_channels: Width of the output.
        **options: Options of that encoder's class.

    Returns:
        The layer.

    Raises:
        ValueError: The name or an option is unknown. The message lists the valid ones.

    Examples:
        >>> make_encoder("gcn", 7, 32)
        GCN(
          7, 32
          (neighbours): Linear(in_features=7, out_features=32, bias=True)
          (skip): Linear(in_features=7, out_features=32, bias=False)
        )
    """
    check_count(in_channels, "in_channels")
    check_count(out_channels, "out_channels")
    cls = find_encoder(name)
    return build(
        cls,
        name if isinstance(name, str) else cls.__name__,
        {"in_channels": in_channels, "out_channels": out_channels},
        options,
    )
