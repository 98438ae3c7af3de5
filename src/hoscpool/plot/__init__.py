"""Pictures as Plotly figures: graphs, clusters, motifs, training, hierarchies.

Names are imported on first use. Plotly is imported when a figure is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hoscpool.support.lazy import lazy_door

if TYPE_CHECKING:
    from hoscpool.plot.figures import clusters_figure as clusters_figure
    from hoscpool.plot.figures import coarse_figure as coarse_figure
    from hoscpool.plot.figures import curves_figure as curves_figure
    from hoscpool.plot.figures import layout as layout
    from hoscpool.plot.figures import loss_figure as loss_figure
    from hoscpool.plot.figures import matrix_figure as matrix_figure
    from hoscpool.plot.figures import network_figure as network_figure
    from hoscpool.plot.figures import nodes_to_draw as nodes_to_draw
    from hoscpool.plot.figures import require_plotly as require_plotly
    from hoscpool.plot.figures import sizes_figure as sizes_figure
    from hoscpool.plot.of_models import clusters as clusters
    from hoscpool.plot.of_models import graph as graph
    from hoscpool.plot.of_models import hierarchy as hierarchy
    from hoscpool.plot.of_models import motifs as motifs
    from hoscpool.plot.of_models import training as training

_EXPORTS = {
    "clusters": "of_models",
    "clusters_figure": "figures",
    "coarse_figure": "figures",
    "curves_figure": "figures",
    "graph": "of_models",
    "hierarchy": "of_models",
    "layout": "figures",
    "loss_figure": "figures",
    "matrix_figure": "figures",
    "motifs": "of_models",
    "network_figure": "figures",
    "nodes_to_draw": "figures",
    "require_plotly": "figures",
    "sizes_figure": "figures",
    "training": "of_models",
}

__all__ = ["clusters", "graph", "hierarchy", "motifs", "training"]

__getattr__ = lazy_door(__name__, _EXPORTS)


def __dir__() -> list[str]:
    return sorted(__all__)
