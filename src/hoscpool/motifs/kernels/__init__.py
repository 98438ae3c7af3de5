"""Numba kernels. They are imported only for large graphs, because the import loads numba.

All kernels release the GIL and work on a range of nodes, so that threads can run them in parallel. A ``slot`` is the
number of an edge in the oriented structure of `hoscpool.motifs.counting.skeleton`.
"""
