"""Motif counts on blocks, task by task: in this process, in several, or on a Dask cluster."""

from hoscpool.distributed.counting.block_motifs import count_on_blocks as count_on_blocks
from hoscpool.distributed.counting.block_motifs import count_record as count_record
from hoscpool.distributed.counting.block_motifs import countable as countable
from hoscpool.distributed.counting.blocked_matrix import BlockedMatrix as BlockedMatrix
from hoscpool.distributed.counting.blocked_matrix import EdgeCounts as EdgeCounts
