"""Readers of graph files and node tables, one module per format."""

from hoscpool.graph.readers.formats import READERS, read_graph
from hoscpool.graph.readers.node_tables import read_classes, read_features, read_labels
from hoscpool.graph.readers.opening import FileFormatError

__all__ = ["READERS", "FileFormatError", "read_classes", "read_features", "read_graph", "read_labels"]
