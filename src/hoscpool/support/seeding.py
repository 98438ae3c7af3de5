"""Seeds, and parameters drawn from a seed without touching torch's global generator."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import torch
    from torch import nn

_LOCK = threading.RLock()


@contextmanager
def seeded(random_state: int, devices: Iterable[torch.device] = ()) -> Iterator[None]:
    """Inside the block torch draws from a seed. Afterwards its global generators are as before.

    Only one thread at a time may enter, because all threads share these generators. Draws outside the block do not
    wait.

    Args:
        random_state: The seed.
        devices: Devices that also draw. Only CUDA devices are used; others are ignored.
    """
    import torch

    places = sorted({device.index or 0 for device in devices if device.type == "cuda"})
    with _LOCK, torch.random.fork_rng(devices=places):
        for generator in (torch.default_generator, *(torch.cuda.default_generators[place] for place in places)):
            generator.manual_seed(random_state)  # torch.manual_seed would seed all devices, which are not restored
        yield


def seed_parameters(module: nn.Module, random_state: int) -> nn.Module:
    """Draw all parameters of a module again from a seed. Torch's global generator does not change.

    Args:
        module: Any module. It or its parts must have ``reset_parameters``, as all layers of torch, PyG and this library
            do, or ``_reset_parameters``, as torch's attention does.
        random_state: The seed.

    Returns:
        The module.

    Raises:
        ValueError: A part with parameters has neither method. Nothing was drawn.
    """
    _check_resettable(module)
    with seeded(random_state, (parameter.device for parameter in module.parameters())):
        reset(module)
    return module


def reset(module: nn.Module) -> None:
    """Draw the parameters of a module again. If it has no method for that, do it for its parts."""
    if _has(module, "reset_parameters"):
        module.reset_parameters()  # type: ignore[operator]
        return
    for child in module.children():
        reset(child)
    if _has(module, "_reset_parameters"):  # torch's attention; its output projection is a part and was done above
        module._reset_parameters()  # type: ignore[operator]


def _has(module: nn.Module, method: str) -> bool:
    return callable(getattr(module, method, None))


def _check_resettable(module: nn.Module) -> None:
    """Refuse a module if `reset` would miss some of its parameters."""
    if _has(module, "reset_parameters"):
        return
    own = [name for name, _ in module.named_parameters(recurse=False)]
    if own and not _has(module, "_reset_parameters"):
        raise ValueError(
            f"module: expected every part with parameters to have reset_parameters(), but {type(module).__name__} with "
            f"{', '.join(own)} has none; add this method and let it draw them"
        )
    for child in module.children():
        _check_resettable(child)


def draw_seeds(random_state: Any, count: int) -> list[int]:
    """A list of seeds. The same number gives the same seeds, and a longer list begins with the shorter one.

    >>> draw_seeds(0, 2) == draw_seeds(0, 3)[:2]
    True

    Raises:
        ValueError: It is not ``None``, a whole number, a ``Generator`` or a ``RandomState``.
    """
    if isinstance(random_state, np.random.RandomState):
        return [int(random_state.randint(2**31 - 1)) for _ in range(count)]
    if isinstance(random_state, np.random.Generator):
        generator = random_state
    elif random_state is None or (isinstance(random_state, int | np.integer) and random_state >= 0):
        generator = np.random.default_rng(random_state)
    else:
        raise ValueError(f"random_state: expected None, a whole number ≥ 0 or a generator, got {random_state!r}")
    return [int(seed) for seed in generator.integers(2**31 - 1, size=count)]


def check_seed(random_state: Any) -> int:
    """A whole number as a seed; a new one for ``None``.

    Raises:
        ValueError: It is neither, or out of range.
    """
    if random_state is None:
        return int(np.random.default_rng().integers(2**31))
    if isinstance(random_state, bool) or not isinstance(random_state, int | np.integer):
        raise ValueError(f"random_state: expected None or a whole number ≥ 0, got {random_state!r}")
    if not 0 <= random_state < 2**32:
        raise ValueError(f"random_state: expected a number from 0 to 2**32 - 1, got {random_state}")
    return int(random_state)
