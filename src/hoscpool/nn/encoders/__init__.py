"""Message-passing layers of the paper and its ablations, with one interface for edge lists and dense graphs."""

from hoscpool.nn.encoders.encoder import Encoder, find_encoder, list_encoders, make_encoder, register_encoder
from hoscpool.nn.encoders.gat import GAT
from hoscpool.nn.encoders.gcn import GCN
from hoscpool.nn.encoders.gin import GIN
from hoscpool.nn.encoders.gine import GINE
from hoscpool.nn.encoders.sage import SAGE

__all__ = [
    "GAT",
    "GCN",
    "GIN",
    "GINE",
    "SAGE",
    "Encoder",
    "find_encoder",
    "list_encoders",
    "make_encoder",
    "register_encoder",
]
