"""Features of few kinds, such as one mark out of many: kept as a table of the kinds and the kind of every node."""

from __future__ import annotations

from typing import NamedTuple

from torch import Tensor


class Kinds(NamedTuple):
    """Features whose row i is ``table[of_node[i]]``; what is linear in them is worked out on the table alone.

    Attributes:
        table: Every kind once, ``[R, F]``.
        of_node: The kind of every node, ``[N]``.
    """

    table: Tensor
    of_node: Tensor


Features = Tensor | Kinds
"""What an encoder takes."""
