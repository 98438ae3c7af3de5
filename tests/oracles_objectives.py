"""The losses written down once more in plain NumPy, one graph at a time, with every N × N matrix spelt out."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float64]


def motif_cut(A: Matrix, S: Matrix, volume: str = "soft") -> float:
    K, total = S.shape[1], 0.0
    for k in range(K):
        inside = float(S[:, k] @ A @ S[:, k])
        d = A.sum(axis=1)
        vol = float(d @ S[:, k] if volume == "soft" else S[:, k] @ np.diag(d) @ S[:, k])
        total += inside / vol if vol > 0 else 0.0
    return -total / int(K)


def orthogonality(S: Matrix) -> float:
    (N, K) = S.shape
    if K == 1 or N == 0:
        return 0.0
    return float((math.sqrt(K) - np.linalg.norm(S, axis=0).sum() / math.sqrt(N)) / (math.sqrt(K) - 1))


def mincut(A: Matrix, S: Matrix) -> float:
    den = np.trace(S.T @ np.diag(A.sum(axis=1)) @ S)
    return -float(np.trace(S.T @ A @ S) / den) if den > 0 else 0.0


def mincut_orthogonality(S: Matrix) -> float:
    SS, K = S.T @ S, S.shape[1]
    return float(np.linalg.norm(SS / np.linalg.norm(SS) - np.eye(K) / math.sqrt(K))) if len(S) else 0.0


def link_prediction(A: Matrix, S: Matrix) -> float:
    return float(np.linalg.norm(A - S @ S.T)) / max(len(A), 1) ** 2


def entropy(S: Matrix) -> float:
    return -sum(p * math.log(p) for p in S.ravel().tolist() if p > 0) / max(len(S), 1)


def modularity(A: Matrix, S: Matrix) -> float:
    d = A.sum(axis=1)
    two_m = d.sum()
    return -float(np.trace(S.T @ (A - np.outer(d, d) / two_m) @ S) / two_m) if two_m > 0 else 0.0


def collapse(S: Matrix) -> float:
    return math.sqrt(S.shape[1]) / len(S) * float(np.linalg.norm(S.sum(axis=0))) - 1 if len(S) else 0.0


def just_balance(S: Matrix) -> float:
    if not S.size:
        return 0.0
    return -float(np.trace(np.sqrt(S.T @ S)) / math.sqrt(S.size))


def hard(labels: Sequence[int], K: int) -> Matrix:
    return np.eye(K)[list(labels)]


def motif_cut_by_counting(instances: npt.NDArray[np.int64], labels: npt.NDArray[np.int64], k: int) -> tuple[int, int]:
    """cut_M and vol_M of a hard cluster, from their definitions under Eq. (2)."""
    cut = vol = 0
    for members in instances.tolist():
        inside = [labels[i] == k for i in members]
        cut += any(inside) and not all(inside)
        vol += sum(inside)
    return cut, vol


def expected_exact(instances: npt.NDArray[np.int64], S: Matrix) -> float:
    """The exact loss by going through every outcome of every member's independent draw."""
    K, total = S.shape[1], 0.0
    for k in range(K):
        cut = vol = 0.0
        for members in instances.tolist():
            vol += float(S[members, k].sum())
            for outcome in itertools.product((False, True), repeat=len(members)):
                p = math.prod(
                    float(S[i, k] if inside else 1 - S[i, k]) for i, inside in zip(members, outcome, strict=True)
                )
                cut += p * (any(outcome) and not all(outcome))
        total += 1 - cut / vol if vol > 0 else 0.0
    return -total / int(K)
