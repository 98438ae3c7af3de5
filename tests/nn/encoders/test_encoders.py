"""Every encoder against PyG's layer, and its two storages against each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor
from torch_geometric.nn import GATConv, GINConv, GINEConv, GraphConv, SAGEConv

from hoscpool.nn import GAT, GCN, GIN, GINE, SAGE, Encoder, list_encoders, make_encoder, seed_parameters
from hoscpool.support.seeding import seeded
from nn.cases import Case, padded, random_case

NAMES = list_encoders()


def make(name: str, **options: Any) -> Encoder:
    return make_encoder(name, 6, 4, **options).double()


def dense(encoder: Encoder, case: Case) -> Tensor:
    x, adjacency, mask = padded(case)
    out: Tensor = encoder(x, adjacency=adjacency, mask=mask)
    assert bool((out[~mask] == 0).all())
    return out[mask]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_sparse_and_dense_agree_with_their_gradients(name: str, weighted: bool) -> None:
    case, encoder = random_case(weighted=weighted), make(name)
    results = [encoder(case.x, **case.arguments), dense(encoder, case)]
    torch.testing.assert_close(results[0], results[1])
    weights = torch.randn_like(results[0])
    gradients = [torch.autograd.grad((out * weights).sum(), list(encoder.parameters())) for out in results]
    torch.testing.assert_close(gradients[0], gradients[1])


def copy_gcn(ours: GCN) -> Any:
    theirs = GraphConv(6, 4).double()
    theirs.lin_rel.load_state_dict(ours.neighbours.state_dict())
    theirs.lin_root.load_state_dict(ours.skip.state_dict())
    return theirs


def copy_gin(ours: GIN) -> Any:
    return GINConv(torch.nn.Sequential(ours.first, torch.nn.ReLU(), ours.second), eps=ours.eps)


def copy_sage(ours: SAGE) -> Any:
    theirs = SAGEConv(6, 4).double()
    theirs.lin_l.load_state_dict(ours.neighbours.state_dict())
    theirs.lin_r.load_state_dict(ours.skip.state_dict())
    return theirs


def copy_gat(ours: GAT) -> Any:
    theirs = GATConv(6, 2, heads=2).double()
    theirs.lin.load_state_dict(ours.values.state_dict())
    for mine, other in ((ours.source, theirs.att_src), (ours.target, theirs.att_dst), (ours.bias, theirs.bias)):
        other.data.copy_(mine.data.view_as(other))
    return theirs


class WithoutEdges(torch.nn.Module):
    """PyG's GINEConv with edges that add nothing."""

    def __init__(self, layer: Any) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, x: Tensor, edge_index: Tensor) -> Tensor:
        return self.layer(x, edge_index, x.new_zeros(edge_index.size(1), x.size(1)))  # type: ignore[no-any-return]


def copy_gine(ours: GINE, edge_dim: int | None = None) -> Any:
    perceptron = torch.nn.Sequential(ours.first, torch.nn.ReLU(), ours.second)
    theirs = GINEConv(perceptron, eps=ours.eps, edge_dim=edge_dim).double()
    if edge_dim is None:
        return WithoutEdges(theirs)
    assert ours.edges is not None
    theirs.lin.load_state_dict(ours.edges.state_dict())
    return theirs


COPIES: dict[str, tuple[dict[str, Any], Callable[[Any], Any]]] = {
    "gcn": ({}, copy_gcn),
    "gin": ({"eps": 0.25}, copy_gin),
    "gine": ({"eps": 0.25}, copy_gine),
    "sage": ({}, copy_sage),
    "gat": ({"heads": 2}, copy_gat),
}


@pytest.mark.parametrize("name", NAMES)
def test_equals_the_layer_of_pyg(name: str) -> None:
    options, copy = COPIES[name]
    case, ours = random_case(density=0.3), make(name, **options)
    theirs = copy(ours)
    torch.testing.assert_close(ours(case.x, case.edge_index), theirs(case.x, case.edge_index))


EDGE_CHANNELS = 3
WITH_EDGES: dict[str, dict[str, Any]] = {"gine": {"eps": 0.25}, "gat": {"heads": 2}}


def edge_case() -> tuple[Case, Tensor]:
    case = random_case(density=0.3)
    return case, torch.randn(case.edge_index.size(1), EDGE_CHANNELS, dtype=torch.float64)


def copy_with_edges(name: str, ours: Any) -> Any:
    if name == "gine":
        return copy_gine(ours, EDGE_CHANNELS)
    theirs = GATConv(6, 2, heads=2, edge_dim=EDGE_CHANNELS).double()
    theirs.load_state_dict(copy_gat(ours).state_dict(), strict=False)
    theirs.lin_edge.load_state_dict(ours.edge_values.state_dict())
    theirs.att_edge.data.copy_(ours.on_edge.data.view_as(theirs.att_edge))
    return theirs


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", WITH_EDGES)
def test_edge_features_equal_the_layer_of_pyg_with_its_gradients(name: str, directed: bool) -> None:
    case, edge_attr = edge_case()
    ours = make(name, edge_channels=EDGE_CHANNELS, **WITH_EDGES[name])
    theirs = copy_with_edges(name, ours)
    edges = case.edge_index
    if directed:  # some nodes receive nothing then
        kept = edges[0] < edges[1]
        edges, edge_attr = edges[:, kept], edge_attr[kept]
    leaves = (case.x.requires_grad_(), edge_attr.requires_grad_())
    found, expected = ours(case.x, edges, edge_attr=edge_attr), theirs(case.x, edges, edge_attr)
    torch.testing.assert_close(found, expected)
    gradients = [torch.autograd.grad(out.pow(2).sum(), leaves) for out in (found, expected)]
    torch.testing.assert_close(gradients[0], gradients[1])
    assert bool((gradients[0][1] != 0).any()), "features of edges matter"


@pytest.mark.parametrize("name", WITH_EDGES)
def test_the_order_of_edges_and_nodes_does_not_matter(name: str) -> None:
    case, edge_attr = edge_case()
    layer = make(name, edge_channels=EDGE_CHANNELS)
    out = layer(case.x, case.edge_index, edge_attr=edge_attr)
    order = torch.randperm(case.edge_index.size(1))
    torch.testing.assert_close(layer(case.x, case.edge_index[:, order], edge_attr=edge_attr[order]), out)
    nodes = torch.randperm(len(case.x))
    moved = torch.empty_like(nodes).scatter_(0, nodes, torch.arange(len(nodes)))  # new place of every node
    torch.testing.assert_close(layer(case.x[nodes], moved[case.edge_index], edge_attr=edge_attr), out[nodes])


@pytest.mark.parametrize("name", WITH_EDGES)
def test_on_a_coarsened_graph_the_term_of_the_edges_is_left_out(name: str) -> None:
    case, plain = random_case(), make(name)
    layer = make(name, edge_channels=EDGE_CHANNELS)
    layer.load_state_dict(plain.state_dict(), strict=False)
    x, adjacency, mask = padded(case)
    torch.testing.assert_close(layer(x, adjacency=adjacency, mask=mask), plain(x, adjacency=adjacency, mask=mask))


def test_wrong_edge_features_are_refused() -> None:
    case, edge_attr = edge_case()
    layer = make("gine", edge_channels=EDGE_CHANNELS)
    with pytest.raises(ValueError, match=r"expected 3 features per edge .*, got none"):
        layer(case.x, case.edge_index)
    with pytest.raises(ValueError, match="this layer uses no features of edges; build one of gat, gine"):
        make("gin")(case.x, case.edge_index, edge_attr=edge_attr)
    with pytest.raises(ValueError, match=r"expected floating point numbers of shape \(\d+, 3\)"):
        layer(case.x, case.edge_index, edge_attr=edge_attr[:, :2])
    x, adjacency, mask = padded(case)
    with pytest.raises(ValueError, match="expected an edge_index beside it"):
        layer(x, adjacency=adjacency, mask=mask, edge_attr=edge_attr)


def test_gcn_equals_graphconv_on_directed_weighted_edges() -> None:
    case, ours = random_case(weighted=True), make("gcn")
    assert isinstance(ours, GCN)
    one_way = case.edge_index[0] < case.edge_index[1]
    edges, weight = case.edge_index[:, one_way], case.edge_weight
    assert weight is not None
    x = case.x.requires_grad_()
    expected, found = copy_gcn(ours)(x, edges, weight[one_way]), ours(x, edges, weight[one_way])
    torch.testing.assert_close(found, expected)
    gradients = [torch.autograd.grad(out.pow(2).sum(), x) for out in (found, expected)]
    torch.testing.assert_close(gradients[0], gradients[1])


@pytest.mark.parametrize("name", NAMES)
def test_sparse_features_stay_sparse(name: str) -> None:
    case, encoder = random_case(), make(name)
    x = case.x * (case.x > 0)
    for stored in (x.to_sparse(), sparse_rows(x)):
        torch.testing.assert_close(encoder(stored, case.edge_index), encoder(x, case.edge_index))


def sparse_rows(x: Tensor) -> Tensor:
    counts = (x != 0).sum(1).cumsum(0)
    pointers = torch.cat([counts.new_zeros(1), counts])
    rows, cols = x.nonzero(as_tuple=True)
    return torch.sparse_csr_tensor(pointers, cols, x[rows, cols], x.shape, check_invariants=False)


@pytest.mark.parametrize("name", NAMES)
def test_gradients_reach_features_and_weights(name: str) -> None:
    case, encoder = random_case(weighted=True), make(name)
    assert case.edge_weight is not None
    x, weight = case.x.requires_grad_(), case.edge_weight.requires_grad_()
    encoder(x, case.edge_index, weight).sum().backward()
    assert x.grad is not None
    assert weight.grad is not None
    assert bool(x.grad.isfinite().all())
    assert bool(weight.grad.isfinite().all())
    assert bool((weight.grad != 0).any())


@pytest.mark.parametrize("name", NAMES)
def test_second_gradient_of_the_sparse_product(name: str) -> None:
    case, encoder = random_case(sizes=(4,), width=6), make(name)
    assert torch.autograd.gradgradcheck(lambda x: encoder(x, case.edge_index), (case.x.requires_grad_(),))


@pytest.mark.parametrize("weights", [torch.float32, torch.float64])
@pytest.mark.parametrize("name", NAMES)
def test_weights_of_another_type_than_the_features(name: str, weights: torch.dtype) -> None:
    case, encoder = random_case(weighted=True), make(name)
    assert case.edge_weight is not None
    features = torch.float32 if weights == torch.float64 else torch.float64
    other = case.edge_weight.float().to(weights)
    out = encoder.to(features)(case.x.to(features), case.edge_index, other)
    assert out.dtype == features
    torch.testing.assert_close(out, encoder(case.x.to(features), case.edge_index, other.to(features)))
    x, adjacency, mask = padded(case)
    encoder(x.to(features), adjacency=adjacency.to(weights), mask=mask)


@pytest.mark.parametrize("scale", [1e-30, 1e-9, 1e9])
def test_sage_is_a_mean_at_any_scale_of_the_weights(scale: float) -> None:
    case, encoder = random_case(weighted=True, dtype=torch.float32), make_encoder("sage", 6, 4)
    assert case.edge_weight is not None
    expected = encoder(case.x, case.edge_index, case.edge_weight)
    torch.testing.assert_close(encoder(case.x, case.edge_index, scale * case.edge_weight), expected)


@pytest.mark.parametrize("scale", [0.0, 1e-38, 1e-33, 1e-22, 1.0])
@pytest.mark.parametrize("name", NAMES)
def test_gradients_to_vanishing_weights_are_finite(name: str, scale: float) -> None:
    with seeded(0):
        encoder, half, x = make_encoder(name, 6, 4), scale * torch.rand(1, 5, 5), torch.randn(1, 5, 6)
    adjacency = (half + half.mT).requires_grad_()
    size = 10 if name == "gat" else 100  # the slope of a weight under attention is itself of the order of exp(x)
    encoder(size * x, adjacency=adjacency).pow(2).sum().backward()
    assert adjacency.grad is not None
    assert bool(adjacency.grad.isfinite().all())


@pytest.mark.parametrize("name", NAMES)
def test_no_edges_and_dense_zeros_are_finite(name: str) -> None:
    encoder = make(name)
    x = torch.randn(3, 6, dtype=torch.float64, requires_grad=True)
    adjacency = torch.zeros(1, 3, 3, dtype=torch.float64, requires_grad=True)
    out = encoder(x, torch.empty(2, 0, dtype=torch.int64))
    torch.testing.assert_close(encoder(x.unsqueeze(0), adjacency=adjacency)[0], out)
    encoder(x.unsqueeze(0), adjacency=adjacency).pow(2).sum().backward()
    assert x.grad is not None
    assert adjacency.grad is not None
    assert bool(x.grad.isfinite().all())
    assert bool(adjacency.grad.isfinite().all())


@pytest.mark.parametrize("name", NAMES)
def test_seeded_and_saved(name: str) -> None:
    case, first, second = random_case(), make(name), make(name)
    state = torch.get_rng_state()
    seed_parameters(first, 7)
    seed_parameters(second, 7)
    assert torch.equal(torch.get_rng_state(), state)
    assert torch.equal(first(case.x, case.edge_index), second(case.x, case.edge_index))
    second.reset_parameters()
    assert not torch.equal(first(case.x, case.edge_index), second(case.x, case.edge_index))
    second.load_state_dict(first.state_dict())
    assert torch.equal(first(case.x, case.edge_index), second(case.x, case.edge_index))


def test_a_layer_sees_edges_that_changed_in_place() -> None:
    case, encoder = random_case(), make("gcn")
    before = encoder(case.x, case.edge_index)
    case.edge_index[0] = case.edge_index[0].flip(0)
    fresh = encoder(case.x, case.edge_index.clone())
    assert not torch.allclose(before, fresh)
    torch.testing.assert_close(encoder(case.x, case.edge_index), fresh)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"x": torch.randn(3, 5), "edge_index": torch.tensor([[0], [1]])}, "x: expected 6 features per node"),
        ({"x": torch.randn(3, 6)}, "expected exactly one of them, got neither"),
        ({"x": torch.randn(3, 6), "edge_index": torch.tensor([[0], [3]])}, "expected nodes 0 to 2"),
    ],
)
def test_bad_input(arguments: dict[str, Tensor], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_encoder("gcn", 6, 4)(**arguments)


def test_names_and_options() -> None:
    with pytest.raises(
        ValueError, match=r"unknown encoder 'gcm'. Did you mean 'gcn'\? Valid encoders: gat, gcn, .*, gcn-skip"
    ):
        make_encoder("gcm", 6, 4)
    with pytest.raises(ValueError, match=r"Did you mean 'gcn-skip'\?"):
        make_encoder("gcn-skp", 6, 4)
    with pytest.raises(ValueError, match=r"unknown option 'head' of 'gat'. Did you mean 'heads'\?"):
        make_encoder("gat", 6, 4, head=2)
    with pytest.raises(ValueError, match="heads: expected a divisor of out_channels=4, got 3"):
        make_encoder("gat", 6, 4, heads=3)
    assert "heads=2" in repr(make("gat", heads=2))
