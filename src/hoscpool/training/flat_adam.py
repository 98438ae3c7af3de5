"""Adam over all parameters of a network as one vector: a handful of operations a step, whatever their number."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

MOMENTS = ("exp_avg", "exp_avg_sq")


class FlatAdam(torch.optim.Adam):
    """Adam on one vector; the parameters of the network, and their gradients, become views of it.

    Its ``state_dict`` is that of Adam over the parameters one by one, so that checkpoints do not know the difference.
    A parameter without gradient has gradient 0.

    Args:
        network: Its parameters are all of one type and on one device.
        lr: Learning rate.
    """

    def __init__(self, network: nn.Module, lr: float) -> None:
        self._members = list(network.parameters())
        self.vector = nn.Parameter(torch.cat([member.detach().flatten() for member in self._members]))
        self.gradient = torch.zeros_like(self.vector)
        self.vector.grad = self.gradient
        pairs = zip(self._cut(self.vector.detach()), self._cut(self.gradient), strict=True)
        for member, (value, gradient) in zip(self._members, pairs, strict=True):
            member.data, member.grad = value, gradient
        super().__init__([self.vector], lr=lr, fused=True)

    def zero_grad(self, set_to_none: bool = False) -> None:  # noqa: ARG002 (the gradients stay views)
        """Set all gradients to 0."""
        self.gradient.zero_()

    def clip(self, limit: float) -> float:
        """Scale the gradient down to a norm of at most ``limit``; its norm before, which may not be finite."""
        norm = float(torch.linalg.vector_norm(self.gradient))
        if norm > limit:
            self.gradient.mul_(limit / norm)
        return norm

    def release(self) -> None:
        """Give every parameter memory of its own again, and no gradient; there are no more steps after this."""
        for member in self._members:
            member.data, member.grad = member.data.clone(), None

    def state_dict(self) -> dict[str, Any]:
        """The averages of every parameter by its number, and the settings."""
        packed = super().state_dict()
        (group,) = packed["param_groups"]
        packed["param_groups"] = [{**group, "params": list(range(len(self._members)))}]
        if packed["state"]:
            whole = packed["state"][0]
            parts = [self._cut(whole[name]) for name in MOMENTS]
            packed["state"] = {
                number: {"step": whole["step"], **dict(zip(MOMENTS, moments, strict=True))}
                for number, moments in enumerate(zip(*parts, strict=True))
            }
        return packed

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Put back what `state_dict` gave, here or of plain Adam; a parameter that it does not know begins at 0."""
        state, (group,) = state_dict["state"], state_dict["param_groups"]
        joined: dict[int, dict[str, Tensor]] = {}
        if state:
            known = [state.get(number, {}) for number in range(len(self._members))]
            joined[0] = {"step": next(iter(state.values()))["step"].clone()}
            for name in MOMENTS:
                parts = zip(known, self._members, strict=True)
                joined[0][name] = torch.cat([own.get(name, torch.zeros_like(p)).flatten() for own, p in parts])
        super().load_state_dict({"state": joined, "param_groups": [{**group, "params": [0], "fused": True}]})

    def _cut(self, vector: Tensor) -> list[Tensor]:
        """The part of every parameter, in its shape."""
        parts = torch.split(vector, [member.numel() for member in self._members])
        return [part.view_as(member) for part, member in zip(parts, self._members, strict=True)]
