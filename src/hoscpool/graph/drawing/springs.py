"""Positions of nodes in a picture."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

Positions = npt.NDArray[np.float32]
ITERATIONS = 80
GRAVITY = 0.8
"""Pull towards the middle. It keeps separate parts of a graph on the page."""
STRONGEST = 5.0
"""An edge pulls in proportion to its weight, and at most so many times as strongly as the mean edge."""


def spring_positions(adjacency: Any, seed: int = 0, iterations: int = ITERATIONS) -> Positions:
    """Positions ``[N, 2]`` by the springs of Fruchterman & Reingold (1991): joined nodes attract, all repel.

    Only the edges decide, never the clusters. So a picture coloured by clusters also shows when they are bad. Every
    round is two dense products, Σ_j r_ij (p_i − p_j) = p_i Σ_j r_ij − Σ_j r_ij p_j with r_ij = 1 / d_ij², and takes
    O(N²) memory.

    Args:
        adjacency: Symmetric matrix of weights w_ij ≥ 0. The mean weight counts as 1, and a weight as `STRONGEST` at
            most.
        seed: Seed of the random positions at the start.
        iterations: Rounds.
    """
    links = _springs(adjacency)
    count = links.shape[0]
    p: Positions = np.random.default_rng(seed).uniform(-0.5, 0.5, size=(count, 2)).astype(np.float32)
    ideal = np.float32(1 / np.sqrt(max(count, 1)))  # distance at which two joined nodes rest, on a page of width 1
    for step in range(iterations if count > 1 else 0):
        force = ideal**2 * _repulsion(p, ideal) - _attraction(p, links) / ideal - GRAVITY * p
        length = np.linalg.norm(force, axis=1, keepdims=True)
        heat = np.float32(0.1 * (1 - step / iterations) ** 2)
        p = p + force / np.maximum(length, 1e-9) * np.minimum(length, heat)
    centred: Positions = p - p.mean(axis=0) if count else p
    return centred


def _springs(adjacency: Any) -> sp.csr_array:
    """How strongly the nodes at both ends of an edge attract each other."""
    links = sp.csr_array(adjacency, dtype=np.float32, copy=True)
    links.eliminate_zeros()
    if links.nnz:
        links.data = np.minimum(links.data / links.data.mean(dtype=np.float64), STRONGEST).astype(np.float32)
    return links


def _repulsion(p: Positions, ideal: np.float32) -> Positions:
    square = (p * p).sum(axis=1)
    near = square[:, None] + square - 2 * (p @ p.T)
    np.maximum(near, (0.05 * ideal) ** 2, out=near)  # two nodes at the same place would push infinitely
    np.reciprocal(near, out=near)
    np.fill_diagonal(near, 0)
    force: Positions = p * near.sum(axis=1, keepdims=True) - near @ p
    return force


def _attraction(p: Positions, links: sp.csr_array) -> Positions:
    """Σ over the neighbours of w_ij d_ij (p_i − p_j)."""
    rows = np.repeat(np.arange(len(p)), np.diff(links.indptr))
    arrow = p[rows] - p[links.indices]
    pull = sp.csr_array((links.data * np.linalg.norm(arrow, axis=1), links.indices, links.indptr), shape=links.shape)
    force: Positions = np.asarray(pull.sum(axis=1), dtype=np.float32)[:, None] * p - pull @ p
    return force
