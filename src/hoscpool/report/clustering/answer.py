"""What a person wants to know of a clustering first: what the communities are, and how clear they are, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from hoscpool.graph import Graph, in_mean_weights
from hoscpool.motifs import get_motif, motif_adjacency
from hoscpool.report.explorer.portraits import Community, describe_communities, heads_of
from hoscpool.support.plain_text import one_line

CLARITY = ((0.6, "clearly separated"), (0.3, "partly separated"), (0.1, "weakly separated"))
"""How much more than by chance must stay inside the communities for which words, as a share of what could be more."""
UNCLEAR = "hardly separated, little more than by chance"


@dataclass(frozen=True)
class Inside:
    """How much of the ties, or of the motifs, stays inside the communities.

    Attributes:
        what: What is counted, in the plural: ties, triangles.
        share: The share of their weight that stays inside.
        chance: The share that would stay inside if the ends of all ties were drawn again: Σ_k (vol_k / vol)².
    """

    what: str
    share: float
    chance: float

    @property
    def clarity(self) -> str:
        """How clear the communities are, in words.

        Examples:
            >>> Inside("ties", 0.9, 0.3).clarity, Inside("ties", 0.4, 0.3).clarity
            ('clearly separated', 'weakly separated')
        """
        beyond = (self.share - self.chance) / (1 - self.chance) if self.chance < 1 else 0.0
        return next((words for least, words in CLARITY if beyond >= least), UNCLEAR)


@dataclass(frozen=True)
class Answer:
    """The communities, the largest first, and how clear they are.

    Attributes:
        communities: Every community that has nodes.
        names: What every node is called.
        motif: The motif whose instances are told of; ``"edge"``: none.
        inside: Ties, then motifs, of those that the graph has.
    """

    communities: list[Community]
    names: Sequence[str]
    motif: str
    inside: list[Inside]

    @property
    def quality(self) -> str:
        """How clear the communities are, in one or two sentences."""
        if len(self.communities) == 1:
            return "All nodes are in one community."
        if not self.inside:
            return "The graph has no ties, so the communities come from the features alone."
        shares = [f"{kind.share:.0%} of the {kind.what} (by chance {kind.chance:.0%})" for kind in self.inside]
        return f"The communities are {self._verdict()}: {' and '.join(shares)} stay inside them."

    def _verdict(self) -> str:
        first, *others = self.inside
        if not others or others[0].clarity == first.clarity:
            return first.clarity
        return f"{others[0].clarity} by {others[0].what} and {first.clarity} by {first.what}"

    def as_json(self) -> dict[str, Any]:
        """The same, ready for JSON."""
        heads = heads_of(self.communities)
        return {
            "quality": self.quality,
            "inside": [asdict(kind) for kind in self.inside],
            "communities": [self._community(community, heads) for community in self.communities],
        }

    def _community(self, community: Community, heads: dict[int, int]) -> dict[str, Any]:
        found = asdict(community) | {"central": [self.names[node] for node in community.central]}
        found[f"inside_{self.motif}"] = found.pop("triangles")
        return {**found, "sentence": community.sentence(self.names, self.motif, heads)}


def make_answer(graph: Graph, labels: Any, motif: str) -> Answer:
    """The answer for these labels.

    Args:
        graph: The graph. Directions are ignored.
        labels: Community of every node.
        motif: An undirected motif that the clusters were to keep whole, or ``"edge"``.
    """
    plain, labels = in_mean_weights(graph.undirected()), np.asarray(labels, dtype=np.int64)
    matrices = {"ties": plain.adjacency}
    if motif != "edge":
        weights = "product" if plain.is_weighted else None
        matrices[f"{motif}s"] = motif_adjacency(plain, motif, on_edges=True, weights=weights)
    inside = [_inside(what, matrix, labels) for what, matrix in matrices.items() if matrix.sum()]
    communities = describe_communities(
        matrices["ties"], matrices.get(f"{motif}s"), labels, graph.features, getattr(graph, "feature_names", None)
    )
    return Answer(communities, ShownNames(graph), motif, inside)


def _inside(what: str, matrix: Any, labels: Any) -> Inside:
    degree = np.asarray(matrix.sum(axis=1), dtype=np.float64)
    rows = np.repeat(np.arange(len(labels)), np.diff(matrix.indptr))
    same = float(matrix.data[labels[rows] == labels[matrix.indices]].sum())
    volume = np.bincount(labels, degree)
    total = float(degree.sum())
    return Inside(what, same / total, float((volume**2).sum()) / total**2)


class ShownNames(Sequence[str]):
    """The titles or names of the nodes as they are shown on one line, made when they are asked for."""

    def __init__(self, graph: Graph) -> None:
        self._names = graph.titles

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, at: Any) -> Any:
        return one_line(str(self._names[at]))


def told_motif(motifs: dict[str, float]) -> str:
    """The motif to tell of: the heaviest undirected one of the fit, or ``"edge"``."""
    weights = {name: w for name, w in motifs.items() if name != "edge" and w > 0 and not get_motif(name).is_directed}
    return max(weights, key=lambda name: weights[name], default="edge")


def named_members(answer: Answer, community: Community, count: int, longest: int) -> Iterator[str]:
    """The most central members, each with at most so many letters."""
    for node in community.central[:count]:
        name = answer.names[node]
        yield name if len(name) <= longest else f"{name[: longest - 1]}…"
