"""How functions are compiled. Importing this module imports numba, so only modules of kernels do."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numba


def compiled(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function at its first call, and keep the machine code for the next process where that is possible.

    The code is kept where numba can write: in ``NUMBA_CACHE_DIR``, beside the package, or in the user's cache folder.
    Where none of them can be written, as for the user of a container, every process compiles anew. A shared folder such
    as ``/tmp`` is not used: whoever can write there could plant code.

    Args:
        options: Further options of ``numba.njit``.

    Returns:
        The decorator.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        try:
            return numba.njit(function, nogil=True, cache=True, **options)
        except RuntimeError:  # numba found no folder
            warnings.warn(
                "compiled code cannot be kept, because no folder for it can be written: every run compiles it anew and "
                "takes some seconds longer; set NUMBA_CACHE_DIR to a folder of yours",
                stacklevel=2,
            )
            return numba.njit(function, nogil=True, **options)

    return decorate
