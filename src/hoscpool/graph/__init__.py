"""Graphs in: the `Graph` class, readers, converters and all input validation."""

from hoscpool.graph.convert import as_graph
from hoscpool.graph.core import Graph
from hoscpool.graph.readers import read_features, read_labels

__all__ = ["Graph", "as_graph", "read_features", "read_labels"]
