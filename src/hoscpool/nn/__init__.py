"""Pooling layers and encoders for PyTorch Geometric models."""

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # PyG uses deprecated parts of torch while it is imported
    import torch_geometric.nn as _  # noqa: F401

from hoscpool.nn.asap import ASAPool
from hoscpool.nn.base import Pool
from hoscpool.nn.clustering import ClusteringPool, MlpPool
from hoscpool.nn.dense_motifs import dense_motif_adjacency
from hoscpool.nn.diffpool import DiffPool
from hoscpool.nn.dmon import DMoNPool
from hoscpool.nn.edge import EdgePool
from hoscpool.nn.eigen import EigenPool
from hoscpool.nn.encoders import GAT, GCN, GIN, SAGE, Encoder, list_encoders, make_encoder
from hoscpool.nn.gmt import GMTPool
from hoscpool.nn.hosc import HoscPool, set_progress
from hoscpool.nn.just_balance import JustBalancePool
from hoscpool.nn.mincut import MinCutPool
from hoscpool.nn.none import NoPool
from hoscpool.nn.output import PoolingOutput
from hoscpool.nn.random import RandomPool
from hoscpool.nn.registry import PoolInfo, list_pools, make_pool, pool_info
from hoscpool.nn.scoring import SAGPool, TopKPool
from hoscpool.nn.seeding import seed_parameters
from hoscpool.nn.transforms import AddMotifs, motifs_of

__all__ = [
    "GAT",
    "GCN",
    "GIN",
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
    "seed_parameters",
    "set_progress",
]
