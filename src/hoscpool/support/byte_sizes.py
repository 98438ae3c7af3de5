"""Amounts of memory as people write them."""

from __future__ import annotations

import re

_UNITS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}


def parse_bytes(name: str, text: str) -> int:
    """A number of bytes.

    Args:
        name: Where it was given, for the message.
        text: A number with or without a unit.

    Raises:
        ValueError: It is not a size.

    Examples:
        >>> parse_bytes("memory", "16GB") == 16 * 2**30, parse_bytes("memory", "1.5 m") == 3 * 2**19
        (True, True)
    """
    found = re.fullmatch(r"(\d{1,15}(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE | re.ASCII)
    if found is None:
        raise ValueError(f"{name}: expected a size in bytes such as 16GB, got {text!r}")
    return int(float(found[1]) * 2 ** _UNITS[found[2].upper()])


def bytes_text(size: float) -> str:
    """A number of bytes in the largest unit that fits.

    Examples:
        >>> bytes_text(3 * 2**29), bytes_text(250 * 2**20), bytes_text(900)
        ('1.5 GB', '250 MB', '900 bytes')
    """
    for unit in "TGM":
        if size >= 2 ** _UNITS[unit]:
            return f"{size / 2 ** _UNITS[unit]:.3g} {unit}B"
    return f"{size:,.0f} bytes"
