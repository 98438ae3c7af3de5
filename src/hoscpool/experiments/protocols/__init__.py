"""The experiments, one module each. Importing this package registers them, from cheap to expensive."""

from hoscpool.experiments.protocols import node_clustering  # noqa: F401, I001 (the order in which cells are run)
from hoscpool.experiments.protocols import two_layer  # noqa: F401
from hoscpool.experiments.protocols import four_node  # noqa: F401
from hoscpool.experiments.protocols import graph_properties  # noqa: F401
from hoscpool.experiments.protocols import graph_classification  # noqa: F401
