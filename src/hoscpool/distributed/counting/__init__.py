"""Motif counts on blocks, task by task: in this process, in several, or on a Dask cluster."""
