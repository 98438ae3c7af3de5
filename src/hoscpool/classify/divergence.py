"""A training that leaves the finite numbers, and what can be said about why."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from hoscpool.classify.pooling_network import Prediction


class DivergenceError(ArithmeticError):
    """A loss or a gradient is not finite; the message says where, and what to do."""


ADVICE = "lower learning_rate or clip, or scale the features"


def check_finite(
    loss: Tensor, norm: float, task: Tensor, found: Prediction, network: nn.Module, epoch: int, batch: int
) -> None:
    """Refuse to go on with a loss or gradient that is not finite.

    Args:
        loss: The total loss.
        norm: Norm of its gradient.
        task: The part that is due to the task.
        found: What the network said.
        network: The network, with its gradients.
        epoch: Epochs done.
        batch: Number of the batch in the epoch.

    Raises:
        DivergenceError: One of them is not.
    """
    if math.isfinite(float(loss.detach())) and math.isfinite(norm):
        return
    values = {"the loss of the task": task}
    for level, out in enumerate(found.pools, start=1):
        values |= {f"the loss {name!r} of pool {level}": value for name, value in out.losses.items()}
        values |= {f"the features from pool {level}": out.x}
        values |= {} if out.adjacency is None else {f"the adjacency from pool {level}": out.adjacency}
    broken = [name for name, value in values.items() if not bool(torch.isfinite(value.detach()).all())]
    if not broken:
        gradients = ((name, parameter.grad) for name, parameter in network.named_parameters())
        broken = [
            f"the gradient of {name}"
            for name, grad in gradients
            if grad is not None and not bool(grad.isfinite().all())
        ]
    what = ", ".join(broken[:4]) or "the norm of the gradient"
    raise DivergenceError(f"epoch {epoch + 1}, batch {batch + 1}: not finite: {what}; {ADVICE}")
