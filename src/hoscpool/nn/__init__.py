"""Pooling layers and encoders for PyTorch Geometric models."""

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # PyG uses deprecated parts of torch while it is imported
    import torch_geometric.nn as _  # noqa: F401

from hoscpool.nn.batch.graph_batch import GraphBatch as GraphBatch
from hoscpool.nn.batch.motif_matrices import dense_motif_adjacency
from hoscpool.nn.batch.motif_matrices import scale_weights as scale_weights
from hoscpool.nn.batch.propagation import DensePropagation as DensePropagation
from hoscpool.nn.batch.read_graphs import pooled_graphs as pooled_graphs
from hoscpool.nn.batch.transforms import AddMotifs, motifs_of
from hoscpool.nn.encoders import GAT, GCN, GIN, GINE, SAGE, Encoder, list_encoders, make_encoder, register_encoder
from hoscpool.nn.pools.asap.asap_pool import ASAPool
from hoscpool.nn.pools.base import Pool
from hoscpool.nn.pools.clustering import ClusteringPool, MlpPool
from hoscpool.nn.pools.clustering import make_mlp as make_mlp
from hoscpool.nn.pools.clustering import weighted_sum as weighted_sum
from hoscpool.nn.pools.diffpool import DiffPool
from hoscpool.nn.pools.dmon import DMoNPool
from hoscpool.nn.pools.edge import EdgePool
from hoscpool.nn.pools.eigen.eigen_pool import EigenPool
from hoscpool.nn.pools.gmt_pool import GMTPool
from hoscpool.nn.pools.hosc import EDGE_AND_TRIANGLE as EDGE_AND_TRIANGLE
from hoscpool.nn.pools.hosc import HoscPool, set_progress
from hoscpool.nn.pools.just_balance import JustBalancePool
from hoscpool.nn.pools.mincut import MinCutPool
from hoscpool.nn.pools.none import NoPool
from hoscpool.nn.pools.output import PoolingOutput
from hoscpool.nn.pools.random import RandomPool
from hoscpool.nn.pools.registry import POOLS as POOLS
from hoscpool.nn.pools.registry import PoolInfo, list_pools, make_pool, pool_info, register_pool
from hoscpool.nn.pools.scoring import SAGPool, TopKPool
from hoscpool.nn.sums.node_sums import cut_sums as cut_sums
from hoscpool.nn.sums.node_sums import normalize_symmetric as normalize_symmetric
from hoscpool.nn.sums.node_sums import zero_diagonal as zero_diagonal
from hoscpool.support.seeding import seed_parameters

__all__ = [
    "GAT",
    "GCN",
    "GIN",
    "GINE",
    "SAGE",
    "ASAPool",
    "AddMotifs",
    "ClusteringPool",
    "DMoNPool",
    "DiffPool",
    "EdgePool",
    "EigenPool",
    "Encoder",
    "GMTPool",
    "HoscPool",
    "JustBalancePool",
    "MinCutPool",
    "MlpPool",
    "NoPool",
    "Pool",
    "PoolInfo",
    "PoolingOutput",
    "RandomPool",
    "SAGPool",
    "TopKPool",
    "dense_motif_adjacency",
    "list_encoders",
    "list_pools",
    "make_encoder",
    "make_pool",
    "motifs_of",
    "pool_info",
    "register_encoder",
    "register_pool",
    "seed_parameters",
    "set_progress",
]


def __dir__() -> list[str]:
    return sorted(__all__)
