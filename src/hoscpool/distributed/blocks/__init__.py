"""A graph as blocks on disk: build a folder of blocks from files of any size, and read it."""

from hoscpool.distributed.blocks.block_build import build_blocks as build_blocks
from hoscpool.distributed.blocks.block_build import memory_bytes as memory_bytes
from hoscpool.distributed.blocks.block_folder import Block as Block
from hoscpool.distributed.blocks.block_folder import BlockGraph as BlockGraph
from hoscpool.distributed.blocks.block_folder import is_blocks as is_blocks
from hoscpool.distributed.blocks.block_folder import open_blocks as open_blocks
from hoscpool.distributed.blocks.range_plan import INTERPRETER as INTERPRETER
from hoscpool.distributed.blocks.range_plan import Shape as Shape
