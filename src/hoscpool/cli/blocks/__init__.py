"""``hoscpool blocks``, and ``hoscpool motifs`` on a folder of blocks."""

from hoscpool.cli.blocks.write_blocks import DESCRIPTION as DESCRIPTION
from hoscpool.cli.blocks.write_blocks import EXAMPLES as EXAMPLES
from hoscpool.cli.blocks.write_blocks import add_arguments as add_arguments
from hoscpool.cli.blocks.write_blocks import run as run
