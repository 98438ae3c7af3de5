"""What a fitted estimator shows of itself: a table of nodes, a page, a card in a notebook."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from hoscpool.graph import name_column
from hoscpool.support.html_tables import html_card, html_table

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS = 12
"""A card lists so many clusters, the largest."""


class ShownClusters:
    """The methods of `HoscClustering` that show the clusters to a person."""

    labels_: np.ndarray[Any, Any]
    graph_: Any

    def to_frame(self) -> pd.DataFrame:
        """A row for every node: its name, its title (if the graph has titles), cluster, confidence, second choice.

        The second choice is the most probable other cluster; it is missing where there is none.
        """
        import pandas as pd

        check_is_fitted(self)
        graph: Any = getattr(self, "graph_", None)
        names = getattr(self, "node_names_", None) if graph is None else graph.node_names
        columns: dict[str, Any] = {"node": name_column(range(len(self.labels_)) if names is None else names)}
        if graph is not None and graph.node_titles is not None:
            columns["title"] = name_column(graph.node_titles)
        columns["cluster"] = self.labels_
        if self.knows_confidence:  # type: ignore[attr-defined]
            second = pd.array(self.second_choice_, dtype="Int64")  # type: ignore[attr-defined]
            second[second < 0] = pd.NA
            columns |= {"confidence": self.confidence_, "second_choice": second}  # type: ignore[attr-defined]
        return pd.DataFrame(columns)

    def report(self, path: str | Path, graph: Any = None) -> Path:
        """Write the page on which a person explores the clusters: one file that loads nothing from the network.

        Args:
            path: The file to write, such as ``"page.html"``.
            graph: The graph of the fit. Needed only for a model that was loaded from disk.

        Returns:
            The file.

        Raises:
            MissingDependencyError: Plotly is not installed.
            ValueError: The model was loaded and no graph is given, or the graph has other nodes.
        """
        from hoscpool.report import report_model  # a shortcut into the room above

        check_is_fitted(self)
        return report_model(self, Path(path), graph)  # type: ignore[arg-type]

    def _repr_html_(self) -> str:
        """What a notebook shows: the parameters before a fit, the clusters after it."""
        if not hasattr(self, "labels_"):
            return html_card(repr(self), [("fitted", "no")])
        sizes = np.bincount(self.labels_, minlength=self.n_clusters_)  # type: ignore[attr-defined]
        order = np.argsort(-sizes, kind="stable")[:MOST_ROWS].tolist()
        facts = [
            ("nodes", f"{len(self.labels_):,}"),
            ("clusters", f"{np.count_nonzero(sizes):,}"),
            ("motifs", ", ".join(f"{name} {weight:g}" for name, weight in self.motifs_.items())),  # type: ignore[attr-defined]
            ("solver", self.solver_),  # type: ignore[attr-defined]
            ("objective of the labels", self.objective_),  # type: ignore[attr-defined]
            ("agreement of restarts", self.agreement_),  # type: ignore[attr-defined]
        ]
        rows = [[str(k), f"{sizes[k]:,}", f"{sizes[k] / max(len(self.labels_), 1):.1%}"] for k in order]
        return html_card(repr(self), facts, table=html_table(["cluster", "nodes", "share"], rows))

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        """The same for notebooks that ask scikit-learn's way."""
        return {"text/plain": repr(self), "text/html": self._repr_html_()}
