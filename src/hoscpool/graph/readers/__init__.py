"""Graph files and node tables, one module per family of formats."""

from hoscpool.graph.readers.registry import READERS, read_graph
from hoscpool.graph.readers.tables import read_features, read_labels

__all__ = ["READERS", "read_features", "read_graph", "read_labels"]
