"""A set of graphs by dataset name, or from a folder in the TU format."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def load_graph_set(source: str, data_root: str | None = None, node_attributes: bool = False) -> tuple[str, Any]:
    """The name of the set, and its graphs as PyG `Data`.

    Args:
        source: A folder with ``X_A.txt``, ``X_graph_indicator.txt`` and ``X_graph_labels.txt`` (the TU format), or in
            ``raw/`` below it; otherwise a name of ``list_datasets("graph")``.
        data_root: Folder of the named datasets.
        node_attributes: Put continuous node attributes, where there are any, before the one-hot labels.

    Raises:
        FileNotFoundError: It is neither.
        ValueError: The files are not in the TU format.
    """
    from hoscpool.bench.names import did_you_mean
    from hoscpool.datasets import load_graphs
    from hoscpool.datasets.catalog import dataset_info, list_datasets

    folder = Path(source)
    if folder.is_dir():
        return _read_folder(folder, node_attributes)
    if source.strip().lower().replace("_", "-") not in list_datasets("graph"):
        names = ", ".join(list_datasets("graph"))
        hint = did_you_mean(source, list_datasets("graph"))
        raise FileNotFoundError(f"{source!r} is neither a folder nor a dataset of graphs; datasets: {names}{hint}")
    name = dataset_info(source).name
    return name, load_graphs(name, data_root, node_attributes=node_attributes)


def _read_folder(folder: Path, node_attributes: bool) -> tuple[str, Any]:
    found = sorted([*folder.glob("*_A.txt"), *(folder / "raw").glob("*_A.txt")])
    if len(found) != 1:
        got = "none" if not found else ", ".join(path.name for path in found)
        raise ValueError(f"{folder}: expected one dataset in the TU format, that is one file X_A.txt, got {got}")
    prefix = found[0].name.removesuffix("_A.txt")
    for part in ("graph_indicator", "graph_labels"):
        if not found[0].with_name(f"{prefix}_{part}.txt").exists():
            raise ValueError(f"{folder}: expected {prefix}_{part}.txt beside {found[0].name}, got no such file")
    from hoscpool.classify.tu_format import read_tu_folder

    return prefix.lower(), read_tu_folder(found[0].parent, prefix, node_attributes)
