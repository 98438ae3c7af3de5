"""Exact training on several processes, by torch.distributed."""

from hoscpool.distributed.training.launch import join as join
from hoscpool.distributed.training.launch import part_ways as part_ways
from hoscpool.distributed.training.rank_command import run_together as run_together
from hoscpool.distributed.training.rank_fit import check_alike as check_alike
from hoscpool.distributed.training.rank_fit import fit as fit
from hoscpool.distributed.training.rank_fit import leading as leading
from hoscpool.distributed.training.rank_work import follow as follow
from hoscpool.distributed.training.ranks import RankError as RankError
from hoscpool.distributed.training.ranks import Ranks as Ranks
