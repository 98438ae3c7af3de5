"""Random swaps of edges that keep the degrees (Maslov & Sneppen 2002).

A graph is held as rows of neighbours whose lengths never change. Entry p of row u stands for an edge u – v, and
``twin[p]`` is the entry of the same edge in the row of v. A swap exchanges four values, and needs no search tables.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hoscpool.support.compiled import compiled

Array = Any


@compiled(inline="always")
def _draw(state: Array, below: int) -> Any:
    """A random number in [0, below), by splitmix64."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return np.int64(np.float64(z >> np.uint64(11)) * (1.0 / 9007199254740992.0) * below)


@compiled(inline="always")
def _find(indptr: Array, indices: Array, u: int, v: int) -> Any:
    """The entry of v in the row of u, or −1."""
    for p in range(indptr[u], indptr[u + 1]):
        if indices[p] == v:
            return p
    return np.int64(-1)


@compiled(inline="always")
def _is_there(out_ptr: Array, out: Array, in_ptr: Array, into: Array, u: int, v: int) -> bool:
    """Whether there is an arc u → v: a look into the shorter of its two rows."""
    if out_ptr[u + 1] - out_ptr[u] <= in_ptr[v + 1] - in_ptr[v]:
        return _find(out_ptr, out, u, v) >= 0
    return _find(in_ptr, into, v, u) >= 0


@compiled()
def rewire(
    out_ptr: Array,
    out: Array,
    out_row: Array,
    out_twin: Array,
    in_ptr: Array,
    into: Array,
    in_twin: Array,
    pair_ptr: Array,
    pair: Array,
    pair_row: Array,
    pair_twin: Array,
    exclusive: bool,
    steps: int,
    seed: int,
) -> int:
    """Try so many random swaps in place. Returns how many were done.

    Arcs are swapped with arcs, pairs (undirected edges) with pairs. Swaps that would make a loop or a double edge are
    not done; the state then counts again, so that all graphs with these degrees become equally likely. Directed cycles
    of three arcs are turned round, too, because swaps alone cannot do that. With ``exclusive`` no two arcs may become
    mutual, and no arc may run along a pair.
    """
    state = np.empty(1, np.uint64)
    state[0] = np.uint64(seed)
    arcs, pairs, done = len(out), len(pair) // 2, 0
    for _ in range(steps):
        if _draw(state, arcs + pairs) < arcs:
            p, q = _draw(state, arcs), _draw(state, arcs)
            u, v, x, y = out_row[p], out[p], out_row[q], out[q]
            if u in (x, y) or v == y:
                continue
            if v == x:  # u → v → y: turn the cycle round if there is y → u
                r = _find(out_ptr, out, y, u)
                if (
                    r < 0
                    or _is_there(out_ptr, out, in_ptr, into, v, u)
                    or _is_there(out_ptr, out, in_ptr, into, y, v)
                    or _is_there(out_ptr, out, in_ptr, into, u, y)
                ):
                    continue
                at_v, at_y, at_u = out_twin[p], out_twin[q], out_twin[r]
                out[p], out[q], out[r] = y, u, v
                into[at_v], into[at_y], into[at_u] = y, u, v
                out_twin[p], out_twin[q], out_twin[r] = at_y, at_u, at_v
                in_twin[at_y], in_twin[at_u], in_twin[at_v] = p, q, r
                done += 1
                continue
            if _is_there(out_ptr, out, in_ptr, into, u, y) or _is_there(out_ptr, out, in_ptr, into, x, v):
                continue
            if exclusive and (
                _is_there(out_ptr, out, in_ptr, into, y, u)
                or _is_there(out_ptr, out, in_ptr, into, v, x)
                or _is_there(pair_ptr, pair, pair_ptr, pair, u, y)
                or _is_there(pair_ptr, pair, pair_ptr, pair, x, v)
            ):
                continue
            at_v, at_y = out_twin[p], out_twin[q]
            out[p], out[q] = y, v
            into[at_y], into[at_v] = u, x
            out_twin[p], out_twin[q] = at_y, at_v
            in_twin[at_y], in_twin[at_v] = p, q
            done += 1
        else:
            p, q = _draw(state, 2 * pairs), _draw(state, 2 * pairs)
            u, v, x, y = pair_row[p], pair[p], pair_row[q], pair[q]
            if u in (x, y) or v in (x, y):
                continue
            if _is_there(pair_ptr, pair, pair_ptr, pair, u, y) or _is_there(pair_ptr, pair, pair_ptr, pair, x, v):
                continue
            if arcs and (
                _is_there(out_ptr, out, in_ptr, into, u, y)
                or _is_there(out_ptr, out, in_ptr, into, y, u)
                or _is_there(out_ptr, out, in_ptr, into, x, v)
                or _is_there(out_ptr, out, in_ptr, into, v, x)
            ):
                continue
            at_v, at_y = pair_twin[p], pair_twin[q]
            pair[p], pair[at_y], pair[q], pair[at_v] = y, u, v, x
            pair_twin[p], pair_twin[at_y], pair_twin[q], pair_twin[at_v] = at_y, p, at_v, q
            done += 1
    return done
