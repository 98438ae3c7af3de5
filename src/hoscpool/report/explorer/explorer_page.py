"""Makes the explorer of a graph and one or several clusterings: one file that asks nothing of the network."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import Graph, in_mean_weights
from hoscpool.motifs import Engine, get_motif, motif_adjacency
from hoscpool.report.explorer.colourings import categories_of, colourable
from hoscpool.report.explorer.map_positions import map_positions
from hoscpool.report.explorer.portraits import Community, describe_communities, heads_of
from hoscpool.support.colours import PALETTE
from hoscpool.support.plain_text import one_line

MOST_EDGES = 400_000
"""A page holds all ties up to this number; of more, the heaviest of every node and a random sample."""
HEAVIEST = 3
"""Number of ties of every node that a page holds in any case."""
MOST_LINES = 30_000
"""Most ties that are drawn at a time."""
MOST_VECTORS = 3000
"""Graphs with more nodes are drawn with WebGL, the others as vector graphics."""
MOST_CARDS = 60
"""Most communities that have a card."""
MARGIN = 0.1
"""A node is between two communities if its ties prefer its own by less than this share, where the fit does not say."""
SCRIPTS = ("data", "elements", "map", "names", "panels", "members", "search", "controls")
"""The parts of the script, in their order."""
Labels = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Shown:
    """A clustering on the page.

    Attributes:
        labels: Community of every node, whole numbers ≥ 0.
        confidence: How sure the fit is of every node, in [0, 1]; ``None`` if that is not known.
        second: The community that would be next for every node, −1 where there is none; ``None``: by its ties.
        between: Whether the node is between the two; ``None``: by its ties.
    """

    labels: Labels
    confidence: npt.NDArray[np.floating[Any]] | None = None
    second: Labels | None = None
    between: npt.NDArray[np.bool_] | None = None


@dataclass(frozen=True)
class Block:
    """A part of a page.

    Attributes:
        html: Its elements.
        style: CSS.
        script: JavaScript, run after the elements are there.
        data: What the script unpacks, base64.
        webgl: Whether the script draws with WebGL.
    """

    html: str
    style: str
    script: str
    data: str
    webgl: bool


def explorer_block(
    graph: Graph,
    clusterings: Mapping[str, Labels | Shown],
    *,
    motif: str = "triangle",
    start: int = 0,
    titles: Sequence[Any] | None = None,
    feature_names: Sequence[str] | None = None,
) -> Block:
    """The explorer.

    Args:
        graph: The graph. Directions are ignored.
        clusterings: Labels, or labels with what the fit knows of them, by the name of the clustering.
        motif: The motif that explains why two nodes are together.
        start: Which clustering is shown first.
        titles: What a node is called on the page. Default: the graph's titles, or its names.
        feature_names: Name of every feature. Default: the graph's.
    """
    several = {name: one if isinstance(one, Shown) else Shown(one) for name, one in clusterings.items()}
    titles = graph.titles if titles is None else titles
    feature_names = graph.feature_names if feature_names is None else feature_names
    plain = in_mean_weights(
        graph.undirected()
    )  # their scale means nothing, and could be too large or small to multiply
    adjacency = plain.adjacency
    counted = None if motif == "edge" else motif_adjacency(plain, motif, on_edges=True)  # instances, for people
    minimised = counted  # what the fit counts
    if counted is not None and plain.is_weighted:
        minimised = motif_adjacency(plain, motif, on_edges=True, weights="product")
    ids = [one_line(str(name)) for name in graph.names]
    names = [one_line(str(name)) for name in titles]
    described = {
        name: describe_communities(adjacency, minimised, one.labels, graph.features, feature_names)
        for name, one in several.items()
    }
    edges, on_edge = _ties(adjacency, counted)
    arrays: dict[str, npt.NDArray[Any]] = {
        "position": map_positions(adjacency, list(several.values())[start].labels),
        "degree": plain.degree.astype(np.uint32),
        "motifAtNode": np.asarray(Engine(plain).at_nodes(get_motif(motif), induced=False), dtype=np.float32),
        "edges": edges.astype(np.uint32),
        "motifOnEdge": on_edge.astype(np.float32),
    }
    for number, one in enumerate(several.values()):
        arrays |= {f"{what}{number}": array for what, array in _of_clustering(adjacency, one).items()}
    categories = categories_of(graph)
    for at, category in enumerate(categories):
        arrays[f"category{at}"] = category.codes
    shown_otherwise = frozenset[int]().union(*(category.columns for category in categories))
    arrays["features"], chosen_names, ranges = colourable(graph, described, feature_names, shown_otherwise)
    class_names = None
    if graph.labels is not None:
        values, arrays["classes"] = np.unique(graph.labels, return_inverse=True)
        arrays["classes"] = smallest_unsigned(arrays["classes"])
        called = graph.class_names
        class_names = [f"class {value}" if called is None else one_line(called[value]) for value in values.tolist()]
    texts = {
        "names": names,
        "ids": None if names == ids else ids,
        "motif": motif,
        "plural": f"{motif}s",
        "palette": list(PALETTE),
        "start": start,
        "numEdges": plain.num_edges,
        "sampled": len(edges) < plain.num_edges,
        "mostLines": MOST_LINES,
        "mostCards": MOST_CARDS,
        "mostVectors": MOST_VECTORS,
        "classNames": class_names,
        "categories": [
            {"name": one_line(one.name), "values": [one_line(value) for value in one.values]} for one in categories
        ],
        "featureNames": chosen_names,
        "featureRanges": ranges,
        "anyConfidence": any(one.confidence is not None for one in several.values()),
        "clusterings": [
            {"name": name, "communities": _as_json(found, names, motif)} for name, found in described.items()
        ],
    }
    webgl = graph.num_nodes > MOST_VECTORS
    return Block(_asset("explorer.html"), _asset("explorer.css"), _script(), pack(arrays, texts), webgl)


def _of_clustering(adjacency: sp.csr_array, shown: Shown) -> dict[str, npt.NDArray[Any]]:
    """What the page holds of every node in one clustering."""
    shares, second = tie_shares(adjacency, shown.labels)
    found = {"label": smallest_unsigned(shown.labels), "share": np.round(255 * shares).astype(np.uint8)}
    if shown.confidence is not None:
        found["confidence"] = np.round(255 * np.clip(shown.confidence, 0, 1)).astype(np.uint8)
    second = second if shown.second is None else shown.second
    between = shares[:, 0] - shares[:, 1] < MARGIN if shown.between is None else shown.between
    return {**found, "second": second.astype(np.int32), "between": (between & (second >= 0)).astype(np.uint8)}


def tie_shares(adjacency: sp.csr_array, labels: Labels) -> tuple[npt.NDArray[np.float64], Labels]:
    """The share of every node's tie weight that stays in its community, and the share of the next one.

    Returns:
        Both shares ``[N, 2]``, and the next community ``[N]``, −1 where there is none. A node without ties has 1 and 0.
    """
    n = len(labels)
    onto = sp.csr_array((np.ones(n), (np.arange(n), labels)), shape=(n, int(labels.max(initial=0)) + 1))
    weight = sp.csr_array(adjacency @ onto)
    rows = np.repeat(np.arange(n), np.diff(weight.indptr))
    total = np.asarray(weight.sum(axis=1), dtype=np.float64)
    shares, second = np.zeros((n, 2)), np.full(n, -1, dtype=np.int64)
    share = weight.data / np.maximum(total[rows], 1e-300)
    own = weight.indices == labels[rows]
    shares[rows[own], 0] = share[own]
    shares[total == 0, 0] = 1
    others = np.flatnonzero(~own)
    order = others[np.lexsort((weight.indices[others], share[others], rows[others]))]  # the largest of a row comes last
    shares[rows[order], 1], second[rows[order]] = share[order], weight.indices[order]
    return shares, second


def _as_json(communities: Sequence[Community], names: Sequence[str], motif: str) -> list[dict[str, Any]]:
    heads = heads_of(communities)
    found = []
    for community in communities:
        one = asdict(community)
        one["motifs"] = one.pop("triangles")
        found.append({**one, "sentence": community.sentence(names, motif, heads)})
    return found


def _ties(adjacency: sp.csr_array, counted: sp.csr_array | None) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """The ties of the page ``[E, 2]`` and the motif weight of each."""
    upper = sp.coo_array(sp.triu(adjacency, k=1))
    pairs = np.stack([upper.row, upper.col], axis=1)
    weight = np.zeros(len(pairs)) if counted is None or not len(pairs) else _values(counted, pairs)
    if len(pairs) <= MOST_EDGES:
        return pairs, weight
    strength = weight + upper.data / upper.data.max()
    ends, both = pairs.ravel(order="F"), np.tile(strength, 2)
    order = np.lexsort((-both, ends))
    first = np.flatnonzero(np.diff(ends[order], prepend=-1))
    rank = np.arange(len(ends)) - np.repeat(first, np.diff(np.append(first, len(ends))))
    keep = np.zeros(len(pairs), dtype=bool)
    keep[order[rank < HEAVIEST] % len(pairs)] = True
    rest = np.flatnonzero(~keep)
    more = max(MOST_EDGES - int(keep.sum()), 0)
    keep[np.random.default_rng(0).choice(rest, min(more, len(rest)), replace=False)] = True
    return pairs[keep], weight[keep]


def _values(matrix: sp.csr_array, pairs: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """The entries of a matrix at these places, without a search in every row."""
    n = matrix.shape[1]
    rows = np.repeat(np.arange(matrix.shape[0], dtype=np.int64), np.diff(matrix.indptr))
    keys, wanted = rows * n + matrix.indices, pairs[:, 0].astype(np.int64) * n + pairs[:, 1]
    at = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
    if not len(keys):
        return np.zeros(len(pairs))
    return np.where(keys[at] == wanted, matrix.data[at], 0).astype(np.float64)


def _script() -> str:
    return "(async () => {\n'use strict';\n" + "\n".join(_asset(f"script/{name}.js") for name in SCRIPTS) + "})();"


def _asset(name: str) -> str:
    return files("hoscpool.report.explorer").joinpath(name).read_text(encoding="utf-8")


KINDS = {"int8", "uint8", "int16", "uint16", "int32", "uint32", "float32"}
"""The types for which JavaScript has an array."""


def pack(arrays: Mapping[str, npt.NDArray[Any]], texts: Mapping[str, Any]) -> str:
    """One base64 text: the length of a JSON header, the header, and the arrays, compressed by zlib.

    Args:
        arrays: Arrays of the types in `KINDS`, by name.
        texts: Anything that JSON can hold, by name.

    Raises:
        ValueError: JavaScript has no array of this type.
    """
    places, parts, offset = {}, [], 0
    for name, array in arrays.items():
        if str(array.dtype) not in KINDS:
            raise ValueError(f"{name}: expected one of {', '.join(sorted(KINDS))}, got {array.dtype}")
        data = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
        data += b"\0" * (-len(data) % 4)  # JavaScript wants every array at a multiple of its item's size
        places[name] = {"type": str(array.dtype), "shape": list(array.shape), "start": offset}
        parts.append(data)
        offset += len(data)
    header = json.dumps({"arrays": places, "texts": texts}, allow_nan=False, separators=(",", ":")).encode()
    header += b" " * (-len(header) % 4)
    whole = b"".join([len(header).to_bytes(4, "little"), header, *parts])
    return base64.b64encode(zlib.compress(whole, 6)).decode("ascii")


def smallest_unsigned(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Whole numbers ≥ 0 in the smallest type that holds them."""
    most = int(values.max(initial=0))
    return values.astype(np.uint8 if most < 2**8 else np.uint16 if most < 2**16 else np.uint32)
