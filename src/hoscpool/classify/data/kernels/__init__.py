"""Compiled kernels: imported only where they are used, for numba takes a moment to load."""
