"""Encoders by name."""

from __future__ import annotations

from typing import Any

from hoscpool.nn.batch.layer_checks import check_count
from hoscpool.nn.encoders.encoder import Encoder
from hoscpool.nn.encoders.gat import GAT
from hoscpool.nn.encoders.gcn import GCN
from hoscpool.nn.encoders.gin import GIN
from hoscpool.nn.encoders.sage import SAGE
from hoscpool.support.names import build, lookup

ENCODERS: dict[str, type[Encoder]] = {"gcn": GCN, "gin": GIN, "sage": SAGE, "gat": GAT}
ALIASES = {"gcn-skip": "gcn"}
"""Other names of the same encoders."""


def list_encoders() -> list[str]:
    """The names that `make_encoder` knows.

    Examples:
        >>> list_encoders()
        ['gcn', 'gin', 'sage', 'gat']
    """
    return list(ENCODERS)


def find_encoder(name: str) -> type[Encoder]:
    """The class of that name.

    Raises:
        ValueError: There is none; the message lists the valid names.
    """
    return lookup(name, ENCODERS | {alias: ENCODERS[known] for alias, known in ALIASES.items()}, "encoder")


def make_encoder(name: str, in_channels: int, out_channels: int, **options: Any) -> Encoder:
    """Build the encoder of that name.

    Args:
        name: One of `list_encoders`; ``"gcn-skip"`` is ``"gcn"``.
        in_channels: Width of the input features.
        out_channels: Width of the output.
        **options: Options of that encoder's class.

    Returns:
        The layer.

    Raises:
        ValueError: The name or an option is not known; the message lists the valid ones.

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
    return build(find_encoder(name), name, {"in_channels": in_channels, "out_channels": out_channels}, options)
