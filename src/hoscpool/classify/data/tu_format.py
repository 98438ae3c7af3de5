"""A folder in the TU format, the usual one for sets of graphs, read by PyG."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from torch_geometric.data import Data


def read_tu_folder(folder: Path, prefix: str, node_attributes: bool = False) -> list[Data]:
    """The graphs of ``prefix_A.txt`` and the files beside it.

    Args:
        folder: Where the files are.
        prefix: What their names begin with.
        node_attributes: Put continuous node attributes before the one-hot node labels.

    Raises:
        ValueError: The files do not hold what the format asks for.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyG's own
        from torch_geometric.io import read_tu_data

        try:
            data, slices, sizes = read_tu_data(str(folder), prefix)
        except (RuntimeError, ValueError, IndexError, KeyError) as error:
            reason = str(error).strip().splitlines()
            raise ValueError(f"{folder}: not in the TU format ({reason[0] if reason else error!r})") from error
    first = 0 if node_attributes else int(sizes["num_node_attributes"])
    if data.x is not None and data.x.size(1) <= first:
        first = 0  # attributes are all there is
    return [_cut(data, slices, i, first) for i in range(len(slices["y"]) - 1)]


def _cut(data: Any, slices: Any, i: int, first: int) -> Data:
    edges = slice(int(slices["edge_index"][i]), int(slices["edge_index"][i + 1]))
    graph = Data(edge_index=data.edge_index[:, edges].clone(), y=data.y[i : i + 1].clone())
    if data.x is None:
        graph.num_nodes = int(data._num_nodes[i])
    else:
        graph.x = data.x[int(slices["x"][i]) : int(slices["x"][i + 1]), first:].clone()
    return graph
