"""Readers of graph files and node tables, one module per format."""

from hoscpool.graph.readers.formats import READERS, read_graph
from hoscpool.graph.readers.node_tables import read_features, read_labels

__all__ = ["READERS", "read_features", "read_graph", "read_labels"]
