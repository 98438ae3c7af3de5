"""`load` and `load_graphs`: load a dataset by name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hoscpool.datasets import reading
from hoscpool.datasets.cache import Arrays, PathLike, are_sound, cached, features_of
from hoscpool.datasets.dataset_catalog import DatasetInfo, Edges, Kind, dataset_info, list_datasets
from hoscpool.datasets.tu_folder import read_tu_arrays
from hoscpool.graph import Graph, Notes, build_graph

if TYPE_CHECKING:
    from torch_geometric.data import Data


def load(name: str, data_root: PathLike | None = None) -> Graph:
    """Load a graph. Its nodes have classes, except those of ``lesmis``.

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


def load_graphs(
    name: str,
    data_root: PathLike | None = None,
    *,
    node_attributes: bool = False,
    edge_attributes: bool = False,
    edges: Edges = "all",
) -> list[Data]:
    """Load a set of graphs that have classes, as a plain list of PyG `Data`.

    Each has ``edge_index`` (both directions), ``y`` and, if the dataset has them, ``x`` (one-hot node labels) and
    ``edge_attr`` (one-hot edge labels). Graphs of ``bench-hard`` also have the published ``split``. A dataset without
    node labels has no ``x``, and the caller chooses features (the paper uses a constant).

    COX2-MD and ER-MD are complete graphs: one edge label means "no bond". There, ``is_bond`` ``[E]`` says which edges
    are bonds, for [`AddMotifs`][hoscpool.nn.AddMotifs].

    Args:
        name: One of ``list_datasets("graph")``.
        data_root: See `load`.
        node_attributes: Put the continuous node attributes, if there are any, before the one-hot labels in ``x``.
        edge_attributes: Put the continuous edge attributes (the distances in COX2-MD and ER-MD), if there are any,
            before the one-hot labels in ``edge_attr``.
        edges: ``"bonds"`` leaves out the edges that are no bonds, and the label that says so. The result is another
            dataset than the paper's: compare numbers only within it.

    Returns:
        One `Data` per graph. Each owns its tensors.

    Raises:
        ValueError: The name is unknown, the files differ from the catalogue, or the dataset has no bonds.
        DatasetNotFoundError: The files are not in the data root, or could not be downloaded.
    """
    if edges not in EDGES:
        raise ValueError(f"edges: expected one of {', '.join(map(repr, EDGES))}, got {edges!r}")
    info = _lookup(name, "graph")
    if info.loader is not None:
        if edges == "bonds" and not info.has_bonds:
            raise _no_bonds(info)
        graphs: list[Data] = info.loader(data_root)
        return graphs
    arrays = _arrays(info, data_root)
    if edges == "bonds" and "edge_attr" not in arrays:
        raise _no_bonds(info)
    found = _to_data_list(arrays, node_attributes, edge_attributes)
    if info.no_bond is not None:
        labels = arrays["edge_attr"].shape[1] - int(arrays["num_edge_attributes"])
        mark_bonds(found, info.no_bond - labels, keep_only=edges == "bonds")
    return found


EDGES: tuple[Edges, ...] = ("all", "bonds")


def mark_bonds(graphs: list[Data], no_bond: int, *, keep_only: bool) -> None:
    """Add ``is_bond`` to every graph, or leave only bonds, and their types without "no bond".

    Args:
        graphs: Graphs with one-hot edge labels in the last columns of ``edge_attr``.
        no_bond: The column that means "no bond", counted from the end: −1 is the last.
        keep_only: Whether to leave the other edges out.
    """
    for data in graphs:
        is_bond = data.edge_attr[:, no_bond] == 0
        if not keep_only:
            data.is_bond = is_bond
            continue
        column = data.edge_attr.size(1) + no_bond
        kept = [number for number in range(data.edge_attr.size(1)) if number != column]
        data.edge_index, data.edge_attr = data.edge_index[:, is_bond], data.edge_attr[is_bond][:, kept]


def _no_bonds(info: DatasetInfo) -> ValueError:
    return ValueError(f"edges: {info.name!r} has no edge labels that tell bonds from other edges; use edges='all'")


def read_tu_folder(folder: Path, prefix: str, *, node_attributes: bool = False) -> list[Data]:
    """The graphs of a folder in the TU format, as in `load_graphs`.

    Args:
        folder: The folder of the files.
        prefix: The beginning of the names of the files, before ``_A.txt``.
        node_attributes: Put continuous node attributes before the one-hot node labels. Without node labels the
            attributes are always used.

    Raises:
        FileNotFoundError: A file is missing.
        ValueError: The files are not in the TU format. The message names the file.
    """
    arrays = read_tu_arrays(folder, prefix)
    only_attributes = "x" in arrays and arrays["x"].shape[1] == int(arrays["num_attributes"])
    return _to_data_list(arrays, node_attributes or only_attributes, edge_attributes=True)


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


def _to_data_list(arrays: Arrays, node_attributes: bool, edge_attributes: bool) -> list[Data]:
    with reading.quiet():
        from torch_geometric.data import Data

    graphs = []
    for i, parts in enumerate(_cut(arrays, node_attributes, edge_attributes)):
        data = Data(**parts)
        if "x" not in arrays:
            data.num_nodes = int(arrays["num_nodes"][i])  # edges alone do not show isolated nodes at the end
        if "split" in arrays:
            data.split = ("train", "val", "test")[arrays["split"][i]]
        graphs.append(data)
    return graphs


def _cut(arrays: Arrays, node_attributes: bool, edge_attributes: bool) -> list[dict[str, Any]]:
    """The tensors of every graph. They are copies, so that one graph can be sent or saved alone."""
    import torch

    nodes, edges = (np.concatenate([[0], np.cumsum(arrays[count])]) for count in ("num_nodes", "num_edges"))
    first = 0 if node_attributes else int(arrays["num_attributes"])
    numbers = int(arrays.get("num_edge_attributes", 0))
    first_edge = 0 if edge_attributes else numbers
    has_edges = "edge_attr" in arrays and arrays["edge_attr"].shape[1] > first_edge
    cuts = []
    for i in range(len(arrays["y"])):
        node, edge = slice(nodes[i], nodes[i + 1]), slice(edges[i], edges[i + 1])
        parts = {"edge_index": arrays["edge_index"][:, edge].astype(np.int64), "y": arrays["y"][i : i + 1].copy()}
        if "x" in arrays:
            parts["x"] = arrays["x"][node, first:].copy()
        if has_edges:
            parts["edge_attr"] = arrays["edge_attr"][edge, first_edge:].copy()
        cuts.append({name: torch.from_numpy(part) for name, part in parts.items()})
    return cuts
