"""Compiled loops that put blocks together for the kernels of `hoscpool.motifs`, and take the counts out again."""
