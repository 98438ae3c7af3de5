"""The `Graph` class, readers of files, converters from other libraries, and all input validation."""

from hoscpool.graph.build import build_graph as build_graph
from hoscpool.graph.build import divide_by_mean as divide_by_mean
from hoscpool.graph.build import in_mean_weights as in_mean_weights
from hoscpool.graph.convert import as_graph
from hoscpool.graph.converters.tensors import check_edge_index as check_edge_index
from hoscpool.graph.converters.tensors import to_numpy as to_numpy
from hoscpool.graph.core import Graph
from hoscpool.graph.exports import edges_of as edges_of
from hoscpool.graph.exports import name_column as name_column
from hoscpool.graph.raw import Notes as Notes
from hoscpool.graph.readers import FileFormatError as FileFormatError
from hoscpool.graph.readers import read_features, read_labels
from hoscpool.graph.readers.edge_stream import EdgeStream as EdgeStream
from hoscpool.graph.readers.edge_stream import GraphStream as GraphStream
from hoscpool.graph.readers.edge_stream import Part as Part
from hoscpool.graph.readers.edge_stream import stream_file as stream_file
from hoscpool.graph.readers.numpy_files import check_members as check_members
from hoscpool.graph.readers.numpy_files import map_array as map_array
from hoscpool.graph.readers.numpy_files import read_arrays as read_arrays
from hoscpool.graph.readers.numpy_files import read_header as read_header
from hoscpool.graph.readers.numpy_files import read_stream as read_stream
from hoscpool.graph.readers.opening import check_claimed_nodes as check_claimed_nodes
from hoscpool.graph.readers.opening import check_unpacked as check_unpacked
from hoscpool.graph.readers.opening import reporting as reporting
from hoscpool.graph.readers.text_lines import write_rows as write_rows
from hoscpool.graph.small_picture import graph_picture as graph_picture
from hoscpool.graph.small_picture import spring_positions as spring_positions
from hoscpool.graph.small_picture import svg_network as svg_network
from hoscpool.graph.sparse_structure import check_compressed as check_compressed
from hoscpool.graph.sparse_structure import check_integers as check_integers
from hoscpool.graph.sparse_structure import check_structure as check_structure
from hoscpool.graph.sparse_structure import csr_from_parts as csr_from_parts
from hoscpool.graph.sparse_structure import without_diagonal as without_diagonal
from hoscpool.graph.validate import MAX_NODES as MAX_NODES
from hoscpool.graph.validate import check_index as check_index
from hoscpool.graph.validate import check_labels as check_labels
from hoscpool.graph.validate import check_num_nodes as check_num_nodes
from hoscpool.graph.validate import check_numeric as check_numeric
from hoscpool.graph.validate import check_square as check_square
from hoscpool.graph.validate import check_weights as check_weights
from hoscpool.graph.validate import count_of as count_of

__all__ = ["Graph", "as_graph", "read_features", "read_labels"]
