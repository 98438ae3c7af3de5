"""Generated sets of graphs whose class lies in communities that only triangles hold together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from hoscpool.datasets.synthetic import close_triangles, join

if TYPE_CHECKING:
    from torch_geometric.data import Data

Floats = npt.NDArray[np.float32]
Indices = npt.NDArray[np.int64]
PLACE = 4
"""Width of the features that say where a node belongs."""
_TRIES = 50  # rounds of random pairs, after which a graph may have fewer links than wanted


def motif_communities(
    num_graphs: int = 400, *, inside: float = 0.5, noise: float = 0.5, random_state: int = 0
) -> list[Data]:
    """Graphs of communities made of triangles. Class 0: every community has one colour. Class 1: all are mixed.

    1. A graph has 4 to 6 communities of 12 to 18 nodes. Half of the nodes are red, half are blue.
    2. Inside a community every node is in two random triangles.
    3. Links between communities close no triangle. Their colours are chosen so that both classes have the same share of
       edges that join equal colours, as far as that is possible. So this share does not tell the class.
    4. Features: the colour (one-hot), and four numbers that say roughly to which community a node belongs: the same
       random centre for all nodes of a community, plus noise. A centre means nothing in another graph.

    A network that looks at edges alone sees the same colours around every node in both classes. A pool that finds the
    communities sees them in the coarsened features: pure in class 0, mixed in class 1.

    Args:
        num_graphs: Number of graphs, as many of each class.
        inside: Share of the edges inside communities. Above about .65 the share of equal colours tells the class too.
        noise: Standard deviation of the noise; the centres have 1. Much noise hides the communities.
        random_state: Seed.

    Returns:
        One `Data` per graph.

    Raises:
        ValueError: A number is out of range.

    Examples:
        >>> motif_communities(2)[0].num_features
        6
    """
    if num_graphs < 1:
        raise ValueError(f"num_graphs: expected at least 1, got {num_graphs!r}")
    if not 0 < inside <= 1:
        raise ValueError(f"inside: expected a share in (0, 1], got {inside!r}")
    if not 0 <= noise < np.inf:
        raise ValueError(f"noise: expected a number ≥ 0, got {noise!r}")
    rng = np.random.default_rng(random_state)
    classes = rng.permutation(np.arange(num_graphs) % 2)
    return [_make_graph(int(y), inside, noise, rng) for y in classes]


def _make_graph(y: int, inside: float, noise: float, rng: np.random.Generator) -> Data:
    import torch
    from torch_geometric.data import Data

    sizes = 2 * rng.integers(6, 10, size=2 * rng.integers(2, 4))  # even numbers, so that colours can be halved
    sizes[1::2] = sizes[::2]  # communities in pairs of one size: one red, one blue
    community = np.repeat(np.arange(len(sizes)), sizes)
    colour = community % 2 if y == 0 else np.concatenate([np.arange(size) % 2 for size in sizes])
    neighbours = _link(community, colour, inside, rng)
    centres = rng.standard_normal((len(sizes), PLACE))
    place = centres[community] + noise * rng.standard_normal((len(community), PLACE))
    x: Floats = np.concatenate([np.eye(2)[colour], place], axis=1).astype(np.float32)
    edges = np.array([(u, v) for u, found in enumerate(neighbours) for v in sorted(found)], dtype=np.int64).T
    return Data(x=torch.from_numpy(x), edge_index=torch.from_numpy(edges.copy()), y=torch.tensor([y]))


def _link(community: Indices, colour: Indices, inside: float, rng: np.random.Generator) -> list[set[int]]:
    """The neighbours of every node."""
    neighbours: list[set[int]] = [set() for _ in community]
    groups = [np.flatnonzero(community == c) for c in range(community.max() + 1)]
    close_triangles(groups, neighbours, rng)
    pairs = np.array([(u, v) for u, found in enumerate(neighbours) for v in found if u < v])
    equal = int((colour[pairs[:, 0]] == colour[pairs[:, 1]]).sum())
    links = round(len(pairs) * (1 - inside) / inside)
    for has_equal_colours, count in _split_links(len(pairs), equal, links):
        _add_links(community, colour, has_equal_colours, count, neighbours, rng)
    return neighbours


def _split_links(num_inside: int, equal_inside: int, links: int) -> list[tuple[bool, int]]:
    """How many links join equal colours and how many do not, so that the classes have equally many of each."""
    mixed = num_inside * 5 // 11  # about as many edges of a mixed community of twelve join equal colours
    wanted = (num_inside + mixed + links) // 2  # half-way between what both classes can reach
    equal = min(max(wanted - equal_inside, 0), links)
    return [(True, equal), (False, links - equal)]


def _add_links(
    community: Indices,
    colour: Indices,
    has_equal_colours: bool,
    count: int,
    neighbours: list[set[int]],
    rng: np.random.Generator,
) -> None:
    """Join random nodes of two communities that have no neighbour in common."""
    for _ in range(_TRIES):
        for u, v in rng.integers(len(community), size=(4 * count, 2)).tolist():
            if community[u] == community[v] or (colour[u] == colour[v]) != has_equal_colours:
                continue
            if count and neighbours[u].isdisjoint(neighbours[v]):
                count -= join([u, v], neighbours)
