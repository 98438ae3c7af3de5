"""Training an assignment as the paper does: with our estimator's parts, and with dense textbook equations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from hoscpool.graph import Graph

if TYPE_CHECKING:
    from hoscpool.cluster import Run

MOTIFS = {"edge": 0.5, "triangle": 0.5}
MU, LEARNING_RATE, CLIP, HIDDEN = 0.1, 1e-3, 2.0, 32
Losses = npt.NDArray[np.float64]
"""The loss of every epoch."""


@dataclass(frozen=True)
class Workload:
    """A graph with features, the number of clusters, and how long to train."""

    graph: Graph
    num_clusters: int
    epochs: int


@dataclass
class Dense:
    """The input of the textbook form: X ``[N, F]``, the matrix of every motif ``[N, N]``, and the workload."""

    x: Tensor
    matrices: dict[str, Tensor]
    workload: Workload


def prepare_ours(workload: Workload) -> Run:
    """A run of the paper's preset, with everything prepared."""
    from hoscpool.cluster import Objective, Run, as_input, as_operator, make_network, motif_matrices, resolve_settings

    graph = workload.graph
    endless = {"max_epochs": workload.epochs, "schedule": "constant", "patience": 10**9, "decay_patience": 10**9}
    settings = resolve_settings("paper", endless)
    operators = {name: as_operator(matrix) for name, matrix in motif_matrices(graph, MOTIFS).items()}
    x = as_input(graph.features)
    sizes = (workload.num_clusters,)
    network = make_network(x.shape[1], settings.hidden, sizes, message_passing=True, random_state=0)
    return Run(network, x, operators["edge"], Objective("hosc", operators, MOTIFS, MU), settings)


def train_ours(prepared: Run) -> Losses:
    """All epochs, from the same parameters in every call."""
    from hoscpool.cluster import Run

    network = prepared.network
    fresh = Run(network, prepared.x, prepared.adjacency, prepared.objective, prepared.settings)
    begin = {name: value.clone() for name, value in network.state_dict().items()}
    fresh.train()
    network.load_state_dict(begin)
    return np.array(fresh.progress.history["loss"])


def fit_ours(workload: Workload) -> Losses:
    """Motif matrices, then all epochs."""
    return train_ours(prepare_ours(workload))


def prepare_dense(workload: Workload) -> Dense:
    """Dense features, A, and (A A) ⊙ A."""
    warmed(workload)
    a = torch.from_numpy(workload.graph.adjacency.toarray().astype(np.float32))
    return Dense(dense_features(workload.graph), {"edge": a, "triangle": (a @ a).mul_(a)}, workload)


def dense_features(graph: Graph) -> Tensor:
    """X as a full table ``[N, F]``."""
    x: Any = graph.features
    return torch.tensor(np.asarray(x.toarray() if hasattr(x, "toarray") else x, dtype=np.float32))


def warmed(workload: Workload) -> Workload:
    """The workload itself. One network and one step load modules, so that these do not count as memory of a fit."""
    parameters = list(_parameters(1, 2).values())
    optimizer = torch.optim.Adam(parameters)
    parameters[0].sum().backward()  # type: ignore[no-untyped-call]
    optimizer.step()
    return workload


def train_dense(data: Dense) -> Losses:
    """All epochs with torch's autograd. It starts from our parameters."""
    parameters = _parameters(data.x.shape[1], data.workload.num_clusters)
    optimizer = torch.optim.Adam(list(parameters.values()), lr=LEARNING_RATE)
    losses = []
    for _ in range(data.workload.epochs):
        optimizer.zero_grad()
        loss = _objective(data.matrices, _assignment(data, parameters))
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(list(parameters.values()), CLIP)
        optimizer.step()
        losses.append(loss.item())
    return np.array(losses)


def fit_dense(workload: Workload) -> Losses:
    """Dense matrices, then all epochs."""
    return train_dense(prepare_dense(workload))


def first_losses(_workload: Workload, losses: Losses) -> Losses:
    """The losses of the first epochs, before rounding errors grow."""
    return losses[:5]


def shapes(_workload: Workload, prepared: Run | Dense) -> list[int]:
    """The number of nodes and the sum of the triangle matrix, to check that both sides did the work."""
    if isinstance(prepared, Dense):
        matrix: Any = prepared.matrices["triangle"]
        total = matrix.sum(dtype=torch.float64)
    else:
        matrix = prepared.objective.adjacencies["triangle"]
        total = (matrix @ torch.ones(matrix.num_nodes, 1)).sum(dtype=torch.float64)
    return [prepared.x.shape[0], round(float(total))]


def compare(ours: Losses, theirs: Losses) -> str | None:
    """How the losses of the first epochs differ beyond the rounding of single precision."""
    worst = float(np.abs(np.asarray(ours) - np.asarray(theirs)).max())
    return None if worst < 1e-4 else f"differs by {worst:.1e}"


def _parameters(in_channels: int, k: int) -> dict[str, Tensor]:
    from hoscpool.cluster import make_network

    network = make_network(in_channels, HIDDEN, (k,), message_passing=True, random_state=0)
    return {name: value.detach().clone().requires_grad_() for name, value in network.named_parameters()}


def _assignment(data: Dense, p: Mapping[str, Tensor]) -> Tensor:
    """softmax(MLP(ReLU(A (X Θ₁) + X Θ₂ + b)))."""
    sent, kept = data.x @ p["encoders.0.neighbours.weight"].T, data.x @ p["encoders.0.skip.weight"].T
    h = torch.relu(data.matrices["edge"] @ sent + kept + p["encoders.0.neighbours.bias"])
    h = torch.relu(h @ p["heads.0.0.weight"].T + p["heads.0.0.bias"])
    return torch.softmax(h @ p["heads.0.2.weight"].T + p["heads.0.2.bias"], dim=1)


def _objective(matrices: Mapping[str, Tensor], s: Tensor) -> Tensor:
    """Σ_j α_j L_mc^j + μ L_o, the cut as a trace of dense products."""
    n, k = s.shape
    cuts = []
    for name, weight in MOTIFS.items():
        inside = torch.diagonal(s.T @ matrices[name] @ s)
        cuts.append(-weight * (inside / (matrices[name].sum(1) @ s)).mean())
    balance: Tensor = (k**0.5 - s.norm(dim=0).sum() / n**0.5) / (k**0.5 - 1)
    return torch.stack(cuts).sum() + MU * balance
