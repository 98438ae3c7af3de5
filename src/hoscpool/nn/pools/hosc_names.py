"""HoscPool and its two special cases by name."""

from __future__ import annotations

from hoscpool.nn.pools.hosc import HoscPool
from hoscpool.nn.pools.registry import register_pool

register_pool("hosc", "motif cuts of edges and triangles, or any motifs", title="HoscPool")(HoscPool)
register_pool("hp-1", "HoscPool on edges only", title="HP-1", preset={"motifs": {"edge": 1.0}})(HoscPool)
register_pool("hp-2", "HoscPool on triangles only", title="HP-2", preset={"motifs": {"triangle": 1.0}})(HoscPool)
