"""Compiled kernels of the multilevel engine; importing one loads numba.

Tuples with names carry the arrays: `Level` is a graph, `Rule` the objective, `Clusters` the state of a partition.
"""
