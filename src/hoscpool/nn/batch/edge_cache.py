"""A cache of values computed from an ``edge_index``. They live as long as that tensor."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable, MutableMapping
from typing import Any, TypeVar

import torch
from torch import Tensor
from torch.utils.weak import WeakIdKeyDictionary

T = TypeVar("T")

_LIMIT = 16
_STORE: MutableMapping[Tensor, dict[Hashable, _Entry]] = WeakIdKeyDictionary()


class _Entry:
    """A value, and the version of the tensors that it was computed from."""

    def __init__(self, value: Any, edge_index: Tensor, edge_weight: Tensor | None) -> None:
        self.value = value
        self.version = edge_index._version
        self.weight = None if edge_weight is None else weakref.ref(edge_weight)
        self.weight_version = None if edge_weight is None else edge_weight._version

    def is_current(self, edge_index: Tensor, edge_weight: Tensor | None) -> bool:
        if self.version != edge_index._version or (self.weight is None) != (edge_weight is None):
            return False
        if self.weight is None or edge_weight is None:
            return True
        return self.weight() is edge_weight and self.weight_version == edge_weight._version


def cached(key: Hashable, edge_index: Tensor, edge_weight: Tensor | None, build: Callable[[], T]) -> T:
    """Return ``build()``, or its earlier result for the same tensors.

    An entry is valid for the same tensor objects at the same version (torch's version counter). A new tensor or an
    in-place change builds again. A change through a NumPy view of the same memory is not noticed. Entries are deleted
    with their ``edge_index``, and one tensor keeps at most 16.
    """
    if torch.compiler.is_compiling() or edge_index.is_inference() or _is_untracked(edge_weight):
        return build()
    entries = _STORE.setdefault(edge_index, {})
    entry = entries.get(key)
    if entry is None or not entry.is_current(edge_index, edge_weight):
        with torch.inference_mode(False):  # a tensor of inference mode could not be used in training later
            entry = _Entry(build(), edge_index, edge_weight)
        entries.pop(key, None)
        while len(entries) >= _LIMIT:
            entries.pop(next(iter(entries)))
        entries[key] = entry
    return entry.value  # type: ignore[no-any-return]


def _is_untracked(edge_weight: Tensor | None) -> bool:
    """Whether the weights have a gradient graph, which must not be kept, or lack a version counter."""
    return edge_weight is not None and (edge_weight.requires_grad or edge_weight.is_inference())
