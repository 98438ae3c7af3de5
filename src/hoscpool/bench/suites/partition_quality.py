"""How good the clusters of any method are: the objective of HoscPool, modularity, conductances and agreement."""

from __future__ import annotations

import warnings

import numpy as np
import numpy.typing as npt
import torch

from hoscpool.bench.graphs.labelled_graphs import Task
from hoscpool.graph import Graph
from hoscpool.metrics import conductance, modularity, motif_conductance, nmi
from hoscpool.objectives import orthogonality_of

MOTIFS = {"edge": 0.5, "triangle": 0.5}
"""The cuts of F, which are those of a fit by default."""
MU = 0.1
"""The weight of L_o in F."""


def judge(task: Task, labels: npt.NDArray[np.int64]) -> dict[str, float]:
    """Numbers about the labels of a method; low is good for F and both φ, high for modularity and NMI.

    Raises:
        ValueError: There is not one label for every node.
    """
    if labels.shape != (task.graph.num_nodes,):
        raise ValueError(f"expected {task.graph.num_nodes:,} labels, got an array of shape {labels.shape}")
    used, numbers = np.unique(labels, return_inverse=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about graphs without triangles
        shares = _cut_shares(task.graph, numbers)
    return {
        "K": len(used),
        "F": objective(shares, np.bincount(numbers)),
        "edge φ": _mean(shares["edge"]),
        "triangle φ": _mean(shares["triangle"]),
        "modularity": modularity(task.graph, numbers),
        "NMI": nmi(task.graph.labels, numbers),
    }


def objective(shares: dict[str, npt.NDArray[np.float64]], sizes: npt.NDArray[np.int64]) -> float:
    """F of hard labels: Σ_j α_j L_mc^j + μ L_o.

    L_mc of a motif is −(1/K) Σ_k (1 − φ_k) over the clusters that have volume.

    Args:
        shares: φ of every cluster for each motif, NaN without volume.
        sizes: Nodes of every cluster.
    """
    cuts = sum(weight * -np.nansum(1 - shares[name]) / len(sizes) for name, weight in MOTIFS.items())
    squares = torch.from_numpy(sizes.astype(np.float64))
    return float(cuts + MU * orthogonality_of(squares[None], squares.sum()[None]))


def _cut_shares(graph: Graph, numbers: npt.NDArray[np.int64]) -> dict[str, npt.NDArray[np.float64]]:
    triangle = motif_conductance(graph, numbers, "triangle", average=None)
    return {"edge": conductance(graph, numbers, average=None), "triangle": triangle}


def _mean(shares: npt.NDArray[np.float64]) -> float:
    """The mean over the clusters that have volume; 0 if none has."""
    return float(shares[~np.isnan(shares)].mean()) if not np.isnan(shares).all() else 0.0
