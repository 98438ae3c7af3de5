"""Features and edges coarsened in one product: the textbook's values, and its gradients for any gradient from above."""

from __future__ import annotations

import pytest
import torch

from hoscpool.nn.sums import segments
from hoscpool.nn.sums.reduction import reduce_both
from hoscpool.objectives import as_adjacency

SIZES = (4, 1, 6, 3)


@pytest.mark.parametrize("most_padding", [0, 100], ids=["one by one", "padded"])
def test_is_the_product_of_every_graph_with_its_gradients(most_padding: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "MOST_PADDING", most_padding)
    generator = torch.Generator().manual_seed(0)
    blocks = [torch.rand(size, size, generator=generator).double() for size in SIZES]
    adjacency = torch.block_diag(*[block + block.T for block in blocks])  # type: ignore[no-untyped-call]
    s, x = (torch.rand(sum(SIZES), width, generator=generator).double().requires_grad_() for width in (3, 2))
    features, inside, product = reduce_both(s, x, as_adjacency(adjacency.to_sparse()), SIZES)
    found = torch.cat([inside, features], dim=-1)
    parts = (torch.split(table, list(SIZES)) for table in (s, torch.cat([adjacency @ s, x], dim=1)))
    textbook = torch.stack([members.T @ both for members, both in zip(*parts, strict=True)])
    torch.testing.assert_close(found, textbook)
    torch.testing.assert_close(product, (adjacency @ s).detach())
    above = torch.rand(found.shape, generator=generator).double()  # of an edge and of its reverse not the same
    ours = torch.autograd.grad((found * above).sum(), [s, x])
    torch.testing.assert_close(ours, torch.autograd.grad((textbook * above).sum(), [s, x]))
