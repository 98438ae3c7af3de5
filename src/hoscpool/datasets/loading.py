"""`load` and `load_graphs`: load a dataset by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hoscpool.datasets import reading
from hoscpool.datasets.cache import Arrays, are_sound, cached, features_of
from hoscpool.datasets.dataset_catalog import DatasetInfo, Kind, dataset_info, list_datasets
from hoscpool.datasets.paths import PathLike
from hoscpool.graph import Graph, Notes, build_graph

if TYPE_CHECKING:
    from torch_geometric.data import Data


def load(name: str, data_root: PathLike | None = None) -> Graph:
    """Load a graph whose nodes have classes.

    Bag-of-words features stay sparse (``csr_array`` of float32). `features` is ``None`` if there are none. Polblogs and
    Email-eu are directed, as published. `Graph.undirected` drops directions, and undirected motifs ignore them.

    Args:
        name: One of ``list_datasets("node")``.
        data_root: A folder in PyG's raw layout. It is only read. Default: the environment variable ``HOSCPOOL_DATA``.
            Without both, files are downloaded into the cache folder.

    Returns:
        The graph, with labels.

    Raises:
        ValueError: The name is unknown, or the files differ from the catalogue.
        DatasetNotFoundError: The files are not in the data root, or could not be downloaded.

    Examples:
        >>> load("karate")
        Graph('karate': 34 nodes, 78 edges, undirected, 2 classes)
    """
    info = _lookup(name, "node")
    if info.loader is not None:
        graph: Graph = info.loader(data_root)
        return graph
    return _to_graph(info, _arrays(info, data_root))


def load_graphs(name: str, data_root: PathLike | None = None, *, node_attributes: bool = False) -> list[Data]:
    """Load a set of graphs that have classes, as a plain list of PyG `Data`.

    Each has ``edge_index`` (both directions), ``y`` and, if the dataset has them, ``x`` (one-hot node labels) and
    ``edge_attr`` (one-hot edge labels). Graphs of ``bench-hard`` also have the published ``split``. A dataset without
    node labels has no ``x``, and the caller chooses features (the paper uses a constant).

    Args:
        name: One of ``list_datasets("graph")``.
        data_root: See `load`.
        node_attributes: Put the continuous node attributes, if there are any, before the one-hot labels in ``x``.

    Returns:
        One `Data` per graph. Each owns its tensors.

    Raises:
        ValueError: The name is unknown, or the files differ from the catalogue.
        DatasetNotFoundError: The files are not in the data root, or could not be downloaded.
    """
    info = _lookup(name, "graph")
    if info.loader is not None:
        graphs: list[Data] = info.loader(data_root)
        return graphs
    return _to_data_list(_arrays(info, data_root), node_attributes)


def _lookup(name: str, kind: Kind) -> DatasetInfo:
    info = dataset_info(name)
    if info.kind != kind:
        other = "load" if kind == "graph" else "load_graphs"
        raise ValueError(
            f"name: expected one of {', '.join(list_datasets(kind))}, got {info.name!r}; load it by {other}"
        )
    return info


def _arrays(info: DatasetInfo, data_root: PathLike | None) -> Arrays:
    folder = reading.find_raw(info, data_root)
    read = info.reader or (reading.read_node_arrays if info.kind == "node" else reading.read_graph_set_arrays)
    return cached(info, folder, lambda: read(info, folder), are_sound)


def _to_graph(info: DatasetInfo, arrays: Arrays) -> Graph:
    """Build the graph with all checks, because files in the cache are not trusted either."""
    indptr = arrays["indptr"]
    return build_graph(
        np.repeat(np.arange(len(indptr) - 1), np.diff(indptr)),
        arrays["indices"],
        None,
        len(indptr) - 1,
        directed=info.directed,
        features=features_of(arrays),
        labels=arrays["labels"],
        name=info.name,
        notes=Notes(arrays["notes"].tolist()),
    )


def _to_data_list(arrays: Arrays, node_attributes: bool) -> list[Data]:
    with reading.quiet():
        from torch_geometric.data import Data

    graphs = []
    for i, parts in enumerate(_cut(arrays, node_attributes)):
        data = Data(**parts)
        if "x" not in arrays:
            data.num_nodes = int(arrays["num_nodes"][i])  # edges alone do not show isolated nodes at the end
        if "split" in arrays:
            data.split = ("train", "val", "test")[arrays["split"][i]]
        graphs.append(data)
    return graphs


def _cut(arrays: Arrays, node_attributes: bool) -> list[dict[str, Any]]:
    """The tensors of every graph. They are copies, so that one graph can be sent or saved alone."""
    import torch

    nodes, edges = (np.concatenate([[0], np.cumsum(arrays[count])]) for count in ("num_nodes", "num_edges"))
    first = 0 if node_attributes else int(arrays["num_attributes"])
    cuts = []
    for i in range(len(arrays["y"])):
        node, edge = slice(nodes[i], nodes[i + 1]), slice(edges[i], edges[i + 1])
        parts = {"edge_index": arrays["edge_index"][:, edge].astype(np.int64), "y": arrays["y"][i : i + 1].copy()}
        if "x" in arrays:
            parts["x"] = arrays["x"][node, first:].copy()
        if "edge_attr" in arrays:
            parts["edge_attr"] = arrays["edge_attr"][edge].copy()
        cuts.append({name: torch.from_numpy(part) for name, part in parts.items()})
    return cuts
