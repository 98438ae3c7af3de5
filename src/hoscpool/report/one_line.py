"""`hp.cluster(data)`: the one-line way from any data to communities that a person can look at."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hoscpool.cluster import HoscClustering
from hoscpool.graph import Graph, as_graph, graph_picture
from hoscpool.report.clustering.answer import Answer, make_answer, named_members, told_motif
from hoscpool.report.clustering.cluster_page import report_model
from hoscpool.report.explorer.portraits import heads_of
from hoscpool.support.html_tables import html_card, html_table
from hoscpool.support.names import did_you_mean

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS = 20
"""A notebook lists so many communities, the largest."""


@dataclass(frozen=True, eq=False)
class Communities:
    """The communities of a graph. In a notebook it shows itself as a picture and a table.

    Attributes:
        graph: The graph.
        model: The fitted `HoscClustering`.
    """

    graph: Graph
    model: HoscClustering

    @property
    def labels(self) -> npt.NDArray[np.int64]:
        """Community of every node, in the order of ``graph.names``."""
        return self.model.labels_

    @property
    def table(self) -> pd.DataFrame:
        """A row for every node: its name, community, confidence and second choice; see `HoscClustering.to_frame`."""
        return self.model.to_frame()

    @property
    def communities(self) -> pd.DataFrame:
        """A row for every community, the largest first: its number, size, most central members, and a sentence."""
        import pandas as pd

        answer, heads = self.answer, heads_of(self.answer.communities)
        rows = [
            (
                one.number,
                one.size,
                list(named_members(answer, one, 5, 60)),
                one.sentence(answer.names, answer.motif, heads),
            )
            for one in answer.communities
        ]
        return pd.DataFrame(rows, columns=["cluster", "nodes", "most central", "in words"])

    @cached_property
    def answer(self) -> Answer:
        """What the communities are, and how clear they are, in words."""
        return make_answer(self.graph, self.labels, told_motif(self.model.motifs_))

    def report(self, path: str | Path = "report.html") -> Path:
        """Write the page on which a person explores the communities; see `HoscClustering.report`."""
        return report_model(self.model, Path(path), self.graph)

    def plot(self) -> Any:
        """The graph coloured by community, as a Plotly figure."""
        from hoscpool.plot import graph

        return graph(self.graph, self.labels)

    def __repr__(self) -> str:
        return f"Communities({len(self.answer.communities)} of {self.graph!r})"

    def _repr_html_(self) -> str:
        shown = self.answer.communities[:MOST_ROWS]
        rows = [[str(one.number), f"{one.size:,}", ", ".join(named_members(self.answer, one, 3, 40))] for one in shown]
        table = html_table(["community", "nodes", "most central"], rows, text=["most central"])
        count = len(self.answer.communities)
        facts = [("graph", repr(self.graph)), ("communities", f"{count:,}"), ("quality", self.answer.quality)]
        if count > len(shown):
            facts.append(("shown below", f"the {len(shown)} largest"))
        return html_card("Communities", facts, graph_picture(self.graph, self.labels), table)


def find_communities(data: Any, k: int | str = "auto", *, random_state: Any = 0, **options: Any) -> Communities:
    """Find the communities of a graph: ``hp.cluster(data)`` is this function.

    Args:
        data: Anything that [`as_graph`][hoscpool.as_graph] takes: a data frame of edges, a file, a NetworkX graph, …
        k: Number of communities, or ``"auto"`` to choose it.
        random_state: Seed. The same seed gives the same communities.
        **options: Options of `as_graph`, such as ``source=``, ``target=`` and ``weight=``, and parameters of
            [`HoscClustering`][hoscpool.HoscClustering], such as ``motifs=``.

    Returns:
        The communities.

    Raises:
        ValueError: The data or an option is not valid.

    Examples:
        >>> import networkx as nx
        >>> found = find_communities(nx.ring_of_cliques(4, 6))
        >>> len(set(found.labels.tolist()))
        4
        >>> found.table.columns.tolist()
        ['node', 'cluster', 'confidence', 'second_choice']
    """
    of_model = set(inspect.signature(HoscClustering).parameters) - {"n_clusters"}
    of_graph = set(inspect.signature(as_graph).parameters) - {"obj"}
    for name in options:
        if name not in of_model | of_graph:
            valid = sorted(of_model | of_graph)
            raise ValueError(f"{name}: no such option{did_you_mean(name, valid)}; there are {', '.join(valid)}")
    graph = as_graph(data, **{name: value for name, value in options.items() if name in of_graph})
    parameters = {name: value for name, value in options.items() if name in of_model}
    return Communities(graph, HoscClustering(k, random_state=random_state, **parameters).fit(graph))
