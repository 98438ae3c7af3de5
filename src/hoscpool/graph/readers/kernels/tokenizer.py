"""Cut the lines of an edge list into cells, and number the ids. Anything unusual is left to the exact reader."""

from __future__ import annotations

from typing import Any

import numpy as np

from hoscpool.support.compiled import compiled

MORE, GROW, UNUSUAL, NAMED = range(4)
"""Why `tokenize` returned: it needs more text, it needs more room, the file needs the exact reader, or an id is not an
integer."""
NAMES, LETTERS, EDGES, LATER = range(4)
"""Places in ``counts``: names, their bytes, edges, and weights left for later."""
WHITE_SPACE = -1
"""The delimiter if cells are separated by spaces and tabs."""
NONE, PLAIN, EXACT = -2, -1, 0
"""What `read_weight` says of a cell: it is no weight, it is one to parse later, or it was parsed."""


@compiled()
def tokenize(text: Any, is_last: Any, layout: Any, seed: Any, table: Any, starts: Any, letters: Any, edges: Any,
             weights: Any, later: Any, counts: Any) -> Any:  # fmt: skip
    """Read whole lines of a text. Returns how many bytes were read, and why it stopped.

    Args:
        text: Bytes of the file.
        is_last: Whether the file ends here.
        layout: Delimiter (a byte, or `WHITE_SPACE`), number of cells in a line, column of source, target and weight (−1
            for none), and whether ids are integers, which are then the ends of the edges themselves.
        seed: Start of the hash, so that nobody can prepare names that collide.
        table: Hash table of names: number, or −1.
        starts: Where every name begins in ``letters``.
        letters: The bytes of all names.
        edges: Source and target of the edges of this call, ``[E, 2]``.
        weights: Their weights.
        later: Edge, start and end of weights that were not parsed, ``[E, 3]``.
        counts: What is in use; see `NAMES` and the following.
    """
    position, end = 0, len(text)
    delimiter, width, columns, integers = layout[0], layout[1], layout[2:5], layout[5]
    cell = np.zeros((3, 2), np.int64)
    while position < end:
        stop = position
        while stop < end and text[stop] != 10:
            stop += 1
        if stop == end and not is_last:
            break
        if not _has_room(stop - position, starts, table, letters, edges, counts):
            return position, GROW
        last = stop - 1 if stop > position and text[stop - 1] == 13 else stop
        if stop == end and last < stop:  # a carriage return alone ends a line too
            return position, UNUSUAL
        found = _cells(text, position, last, delimiter, columns, cell)
        if found:
            if found != width or cell[0, 0] == cell[0, 1] or cell[1, 0] == cell[1, 1]:
                return position, UNUSUAL
            edge = counts[EDGES]
            for side in range(2):
                first, beyond = cell[side, 0], cell[side, 1]
                if integers:
                    is_integer, value = _integer(text, first, beyond)
                    if not is_integer:
                        return position, NAMED
                    edges[edge, side] = value
                else:
                    edges[edge, side] = _number(text, first, beyond, seed, table, starts, letters, counts)
            if columns[2] >= 0:
                kind, weight = read_weight(text, cell[2, 0], cell[2, 1])
                if kind == NONE:
                    return position, UNUSUAL
                weights[edge] = weight
                if kind == PLAIN:
                    place = counts[LATER]
                    later[place, 0], later[place, 1], later[place, 2] = edge, cell[2, 0], cell[2, 1]
                    counts[LATER] += 1
            counts[EDGES] += 1
        position = min(stop + 1, end)
    return position, MORE


@compiled()
def _has_room(length: Any, starts: Any, table: Any, letters: Any, edges: Any, counts: Any) -> Any:
    names = counts[NAMES] + 2
    return (
        names < len(starts)
        and 2 * names <= len(table)
        and counts[LETTERS] + length <= len(letters)
        and counts[EDGES] < len(edges)
    )


@compiled()
def _cells(text: Any, begin: Any, end: Any, delimiter: Any, columns: Any, cell: Any) -> Any:
    """Find the wanted cells of a line. Returns the number of cells: 0 for a blank line, −1 if it is unusual."""
    i = begin
    while i < end and (text[i] == 32 or text[i] == 9):
        i += 1
    if i == end:
        return 0
    if text[i] == 35 or text[i] == 37:  # a comment
        return -1
    i = i if delimiter == WHITE_SPACE else begin
    number = 0
    while True:
        start, is_ascii = i, True
        while i < end:
            c = text[i]
            is_ascii &= c < 128
            if c == delimiter or (delimiter == WHITE_SPACE and (c == 32 or c == 9)):
                break
            if c == 34 or (9 < c < 32):  # a quote or a control character
                return -1
            i += 1
        first, last = start, i
        while first < last and (text[first] == 32 or text[first] == 9):
            first += 1
        while last > first and (text[last - 1] == 32 or text[last - 1] == 9):
            last -= 1
        is_name = columns[0] == number or columns[1] == number
        if not (is_ascii or is_name):  # it may hold rare white space, or be no valid text
            return -1
        for which in range(3):
            if columns[which] == number:
                cell[which, 0], cell[which, 1] = first, last
        number += 1
        if delimiter == WHITE_SPACE:
            while i < end and (text[i] == 32 or text[i] == 9):
                i += 1
            if i == end:
                return number
        else:
            if i == end:
                return number
            i += 1


@compiled()
def _number(text: Any, begin: Any, end: Any, seed: Any, table: Any, starts: Any, letters: Any, counts: Any) -> Any:
    """The number of a name. A new name gets the next one."""
    mask = len(table) - 1
    slot = _hash(text, begin, end, seed) & mask
    while table[slot] >= 0:
        name = table[slot]
        if _is_equal(text, begin, end, letters, starts[name], starts[name + 1]):
            return name
        slot = (slot + 1) & mask
    name, at = counts[NAMES], counts[LETTERS]
    table[slot] = name
    for i in range(begin, end):
        letters[at + i - begin] = text[i]
    counts[LETTERS] = starts[name + 1] = at + end - begin
    counts[NAMES] = name + 1
    return name


@compiled()
def _hash(text: Any, begin: Any, end: Any, seed: Any) -> Any:
    value = np.uint64(seed)
    for i in range(begin, end):
        value = (value ^ np.uint64(text[i])) * np.uint64(1099511628211)
    value ^= value >> np.uint64(32)
    return np.int64(value & np.uint64(0x7FFFFFFFFFFFFFFF))


@compiled()
def _is_equal(text: Any, begin: Any, end: Any, letters: Any, first: Any, last: Any) -> Any:
    if end - begin != last - first:
        return False
    for i in range(end - begin):  # noqa: SIM110  # compiled
        if text[begin + i] != letters[first + i]:
            return False
    return True


@compiled()
def _integer(text: Any, begin: Any, end: Any) -> Any:
    """Whether a cell is an integer of up to 18 digits as Python prints it, and its value."""
    negative = text[begin] == 45
    first = begin + 1 if negative else begin
    digits = end - first
    if digits < 1 or digits > 18 or (text[first] == 48 and (digits > 1 or negative)):
        return 0, 0
    value: Any = 0
    for i in range(first, end):
        if text[i] < 48 or text[i] > 57:
            return 0, 0
        value = 10 * value + np.int64(text[i] - 48)
    return 1, -value if negative else value


@compiled()
def rehash(table: Any, starts: Any, letters: Any, names: Any, seed: Any) -> Any:
    """Fill a new, empty table with all names."""
    mask = len(table) - 1
    for name in range(names):
        slot = _hash(letters, starts[name], starts[name + 1], seed) & mask
        while table[slot] >= 0:
            slot = (slot + 1) & mask
        table[slot] = name


@compiled()
def read_weight(text: Any, begin: Any, end: Any) -> Any:
    """What a cell is (see `NONE`), and its value if it is a number like ``12.5`` of up to 15 digits.

    With so few digits the whole number and the power of ten are exact, so the quotient is the nearest float.
    """
    value: Any = 0
    digits, point = 0, -1
    for i in range(begin, end):
        c = text[i]
        if 48 <= c <= 57:
            value = 10 * value + np.int64(c - 48)
            digits += 1
            if digits > 15:
                return _left_for_later(text, begin, end)
        elif c == 46 and point < 0:
            point = i
        else:
            return _left_for_later(text, begin, end)
    if digits == 0:
        return NONE, 0.0
    scale = 1.0
    for _ in range(0 if point < 0 else end - 1 - point):
        scale *= 10.0
    return EXACT, value / scale


@compiled()
def _left_for_later(text: Any, begin: Any, end: Any) -> Any:
    for i in range(begin, end):
        c = text[i]
        if not (48 <= c <= 57 or c == 46 or c == 43 or c == 45 or c == 101 or c == 69):
            return NONE, 0.0
    return PLAIN, 0.0
