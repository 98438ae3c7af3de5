"""Numba kernels; importing any of these modules imports numba, so it is done only when a graph is large enough.

All of them release the GIL and work on a range of nodes, so that plain threads run them side by side. ``slot`` means
the number of an edge in the oriented structure of `hoscpool.motifs.counting.skeleton`.
"""
