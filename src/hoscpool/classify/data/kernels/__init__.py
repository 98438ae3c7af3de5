"""Compiled kernels. They are imported only where they are used, because numba takes a moment to load."""
