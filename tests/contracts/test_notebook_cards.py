"""What a notebook shows of every object: light, well formed, and hostile names as text."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import networkx as nx
import numpy as np
import pytest
import torch
from torch_geometric.data import Data

import hoscpool as hp

HOSTILE = "<img src=x onerror='alert(1)'>"
GRAPH = hp.as_graph(nx.relabel_nodes(nx.ring_of_cliques(3, 5), {0: HOSTILE}), name=HOSTILE)


def _pooled() -> Any:
    edges = torch.tensor(list(nx.complete_graph(6).edges)).T
    return hp.nn.HoscPool(3, 2)(torch.rand(6, 3), torch.cat([edges, edges.flip(0)], dim=1))


def _classifier() -> Any:
    edges = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
    graphs = [Data(x=torch.full((3, 1), float(i % 2)), edge_index=edges, y=torch.tensor([i % 2])) for i in range(20)]
    return hp.GraphClassifier(max_epochs=1, random_state=0, pooling="none").fit(graphs)


CARDS = {
    "graph": lambda: GRAPH,
    "model": lambda: hp.HoscClustering(3, solver="multilevel", random_state=0).fit(GRAPH),
    "model before a fit": lambda: hp.HoscClustering(3),
    "output of a pool": _pooled,
    "classifier": _classifier,
    "classifier before a fit": lambda: hp.GraphClassifier(),
    "motif": lambda: hp.motifs.get_motif("triangle"),
    "directed motif": lambda: hp.motifs.get_motif("M5"),
    "own motif": lambda: hp.Motif.from_edges("bowtie", [(0, 1), (1, 2), (2, 0)], description=HOSTILE),
    "names of motifs": hp.list_motifs,
}


@pytest.mark.parametrize("kind", CARDS)
def test_a_card_is_light_escaped_and_well_formed(kind: str) -> None:
    html = CARDS[kind]()._repr_html_()
    assert ElementTree.fromstring(html) is not None
    assert "<img" not in html
    assert len(html) < 60_000


def test_what_the_cards_say() -> None:
    pooled = _pooled()
    assert "1 × 2 × 3" in pooled._repr_html_()
    assert all(f"loss: {name}" in pooled._repr_html_() for name in pooled.losses)
    classifier = _classifier()
    assert "accuracy on the validation graphs" in classifier._repr_html_()
    assert classifier._repr_mimebundle_()["text/html"] == classifier._repr_html_()
    names = hp.list_motifs()
    assert names == list(hp.motifs.MOTIFS)
    assert names._repr_html_().count("<svg") == len(names)  # type: ignore[attr-defined]
    assert np.isfinite([float(c.get("cx") or "nan") for c in ElementTree.fromstring(
        hp.motifs.get_motif("triangle")._repr_html_()).findall(".//circle")]).all()  # fmt: skip
