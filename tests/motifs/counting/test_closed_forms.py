from __future__ import annotations

import pytest

import oracles
from hoscpool.graph import as_graph
from hoscpool.motifs import get_motif
from hoscpool.motifs.adjacency import Engine
from metrics.direct import random_graph


@pytest.mark.parametrize("induced", [False, True])
@pytest.mark.parametrize("name", list(oracles.UNDIRECTED))
def test_every_motif_at_every_node(name: str, induced: bool) -> None:
    for seed, density in ((0, 0.3), (1, 0.6), (2, 1.0)):
        A = random_graph(seed, 7, density)
        instances = oracles.instances(A, name, induced)
        expected = [sum(any(i in arc for arc in arcs) for arcs in instances) for i in range(7)]
        assert Engine(as_graph(A)).at_nodes(get_motif(name), induced).tolist() == expected, (name, induced, seed)
