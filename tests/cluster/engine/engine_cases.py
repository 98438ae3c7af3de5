"""Small graphs with all that makes a cut difficult, and the objective by its one statement."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
import torch

from hoscpool.objectives import hosc_loss

Matrix = npt.NDArray[np.float64]


def stated_value(
    matrices: Mapping[str, Matrix], weights: Mapping[str, float], labels: object, k: int, mu: float
) -> float:
    """F by `hosc_loss` of the one-hot assignment, in float64."""
    s = torch.nn.functional.one_hot(torch.as_tensor(np.asarray(labels), dtype=torch.int64), k).to(torch.float64)
    dense = {name: torch.from_numpy(matrix) for name, matrix in matrices.items()}
    return float(hosc_loss(dense, s, weights, mu=mu).total)


def sparse(matrices: Mapping[str, Matrix]) -> dict[str, sp.csr_array]:
    return {name: sp.csr_array(matrix) for name, matrix in matrices.items()}


def random_matrix(
    rng: np.random.Generator, n: int, density: float, *, weighted: bool = False, loops: bool = False
) -> Matrix:
    upper = np.triu(rng.random((n, n)) < density, 0 if loops else 1) * 1.0
    upper *= rng.integers(1, 4, (n, n)) if not weighted else rng.uniform(0.1, 2.0, (n, n)).astype(np.float32)
    return np.asarray(upper + np.triu(upper, 1).T)


def triangles(adjacency: Matrix) -> Matrix:
    binary = (adjacency > 0) * 1.0
    return np.asarray((binary @ binary) * binary * (1 - np.eye(len(binary))))


def hub(n: int) -> Matrix:
    star = np.zeros((n, n))
    star[0, 1:] = star[1:, 0] = 1
    return star


def cases(rng: np.random.Generator) -> dict[str, dict[str, Matrix]]:
    """Matrices on nine nodes by the name of their difficulty."""
    plain = random_matrix(rng, 9, 0.4)
    apart = np.zeros((9, 9))
    apart[:4, :4], apart[4:8, 4:8] = 1 - np.eye(4), 1 - np.eye(4)
    return {
        "one": {"edge": plain},
        "two": {"edge": plain, "triangle": triangles(plain)},
        "three": {"edge": plain, "triangle": triangles(plain), "other": random_matrix(rng, 9, 0.2, weighted=True)},
        "loops": {"edge": random_matrix(rng, 9, 0.4, weighted=True, loops=True), "triangle": triangles(plain)},
        "without triangles": {"edge": hub(9), "triangle": np.zeros((9, 9))},
        "pieces and a node alone": {"edge": apart, "triangle": triangles(apart)},
        "no edge": {"edge": np.zeros((9, 9))},
    }
