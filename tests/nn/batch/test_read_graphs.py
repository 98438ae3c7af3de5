from __future__ import annotations

import pytest
import torch

from hoscpool.nn import list_pools, make_encoder, make_pool
from hoscpool.nn.batch.read_graphs import check_symmetric_weights
from nn.cases import random_case


@pytest.mark.parametrize("name", list_pools())
def test_short_integers(name: str) -> None:
    case, pool = random_case(), make_pool(name, in_channels=6, num_clusters=3).double().eval()
    expected = pool(case.x, **case.arguments)
    found = pool(case.x, case.edge_index.int(), batch=case.batch.int())
    torch.testing.assert_close(found.x, expected.x)
    assert torch.equal(found.labels(), expected.labels())


@pytest.mark.parametrize("name", list_pools())
def test_complex_features_are_refused(name: str) -> None:
    x = torch.zeros(3, 6, dtype=torch.complex64)
    with pytest.raises(ValueError, match=r"x: expected floating point features .* got torch.complex64"):
        make_pool(name, in_channels=6, num_clusters=2)(x, torch.tensor([[0, 1], [1, 0]]))


@pytest.mark.filterwarnings("ignore:motifs. no graph of the batch")
@pytest.mark.parametrize("name", list_pools())
def test_no_graphs_at_all(name: str) -> None:
    x = torch.zeros(0, 6, requires_grad=True)
    pool = make_pool(name, in_channels=6, num_clusters=3)
    out = pool(x, torch.zeros(2, 0, dtype=torch.int64), batch=torch.zeros(0, dtype=torch.int64))
    h = make_encoder("gcn", pool.out_channels, 6)(out.x, **out.graph)
    last = make_pool(name, in_channels=6, num_clusters=2)(h, **out.graph)
    assert last.loss.item() == 0
    assert last.x.numel() == 0


@pytest.mark.parametrize(
    ("adjacency", "message"),
    [
        (torch.full((1, 2, 2), torch.nan), "got negative, infinite or NaN"),
        (torch.full((1, 2, 2), torch.inf), "got negative, infinite or NaN"),
        (torch.full((1, 2, 2), -1.0), "got negative, infinite or NaN"),
        (torch.full((1, 9, 9), 1e38), r"within float32, got weights up to 1e\+38; scale them down"),
    ],
)
def test_bad_weights_are_called_what_they_are(adjacency: torch.Tensor, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_symmetric_weights(adjacency)


def test_heavy_weights_of_half_precision_are_no_nan() -> None:
    check_symmetric_weights(torch.full((1, 300, 300), 1000.0, dtype=torch.float16))
    many = torch.zeros(1, 4000, 4000, dtype=torch.float16)
    many[0, 3000, 3001] = 1
    with pytest.raises(ValueError, match="got an asymmetric one"):
        check_symmetric_weights(many)
